"""Keys that a word adds to a section, and that the class which verl makes of the section does not take."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from cfglint.base.logic import MISSING
from cfglint.base.type_names import Any, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import SeverityName
from cfglint.frameworks.verl.known_config import CHECKED
from cfglint.frameworks.verl.run_config import RunConfig, config_in
from cfglint.knowledge import compiled
from cfglint.roles.scripts import command_of
from cfglint.source.languages.overrides import ConfigWord
from cfglint.source.languages.shell import command_of as words_of
from cfglint.source.text import Span

_CLASS: Final = "_target_"
#: The sections that every run makes objects of, and the one of a run with a critic.
_SECTIONS: Final = (
    ("actor_rollout_ref", "actor"),
    ("actor_rollout_ref", "rollout"),
    ("actor_rollout_ref", "model"),
)
_CRITIC: Final = ("critic",)
_MODEL: Final = _SECTIONS[2]
_OF_MODEL: Final = "HFModelConfig"
_ESTIMATOR: Final = "algorithm.adv_estimator"


def key_not_of_class(ctx: CheckContext) -> Iterator[Hit]:
    """A key that a word adds, and the class of its section does not have."""
    found = config_in(ctx)
    if found is None or found.own is not None or command_of(ctx.document.root) not in CHECKED:
        return
    command = words_of(ctx.document.root)
    for word in (command.overrides if command is not None else None) or ():
        strange = _strange(found, word, ctx) if word.sign in ("+", "++") else None
        if strange is None:
            continue
        name, path, fields = strange
        now = [field for field, spans in fields.items() if field and _has(spans, ctx)]
        if name in now:
            continue
        near = difflib.get_close_matches(name, now, 1, 0.8)
        known_elsewhere = name in fields
        severity: SeverityName | None = (
            "warning" if ctx.target.assumed and known_elsewhere else None
        )
        params = {
            "key": word.key,
            "name": name,
            "class": path,
            "release": ctx.target.release,
            "meant": f" Did you mean `{near[0]}`?" if near else "",
        }
        where = tuple(word.key.split("."))
        yield Hit(where, Span(*word.key_span), params, severity=severity)


def _strange(
    found: RunConfig, word: ConfigWord, ctx: CheckContext
) -> tuple[str, str, dict[str, list[str]]] | None:
    """The part of a word's key that its section does not have; the class of the section, and its fields."""
    parts = tuple(word.key.split("."))
    is_always = any(parts[: len(one)] == one for one in _SECTIONS)
    if not is_always and (parts[:1] != _CRITIC or not _has_critic(found, ctx)):
        return None
    here: Any = found.before
    for number, part in enumerate(parts):
        if not isinstance(here, dict):
            return None
        if part not in here:
            # What rolls out makes the model's object by a class of its own choice.
            path = _OF_MODEL if parts[:number] == _MODEL else here.get(_CLASS)
            name = path.rpartition(".")[2] if isinstance(path, str) else ""
            fields = compiled.load("verl_data").CLASSES.get(name)
            if fields is None or not _has(fields[""], ctx):
                return None
            return part, name, fields
        here = here[part]
    return None


def _has_critic(found: RunConfig, ctx: CheckContext) -> bool:
    """Whether the run certainly has a critic."""
    enable = found.merged.value("critic.enable")
    if enable is None or enable is MISSING:
        return not ctx.document.hides_keys and found.merged.value(_ESTIMATOR) == "gae"
    return enable is True


def _has(spans: list[str], ctx: CheckContext) -> bool:
    """Whether the release that is checked against is in spans of releases."""
    keys = ctx.framework.release_keys(ctx.target.release)
    return sum(keys.released(one) for one in spans) % 2 == 1


CHECKS = {"key-not-of-class": key_not_of_class}
