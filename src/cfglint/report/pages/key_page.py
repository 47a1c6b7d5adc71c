"""The page of a key in a terminal: what it does, its values, its history, its names elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.checks.value_types import wanted_words
from cfglint.engine.key_rules import rules_by_place
from cfglint.environment.environment import Environment
from cfglint.frameworks.for_files import variant
from cfglint.knowledge.keys.places import full_key
from cfglint.knowledge.keys.release_keys import KeyStatus, ReleaseKeys
from cfglint.report.escaping import visible
from cfglint.report.prose import terminal
from cfglint.report.style import Style
from cfglint.roles.foreign_names import older_name_in
from cfglint.roles.framework import Framework

#: What the table calls the tools whose names for a key are only collected.
_SEVERAL = "other"
#: How many rules are listed.
_MOST_RULES = 12
#: How many kinds of files with the same default are named.
_MOST_KINDS = 6
#: What tables and OmegaConf have in the place of a default: it is computed, or has to be given.
NO_DEFAULTS = ("<computed>", "???")


class KnownKey(Record):
    """A key of one framework's files."""

    framework: Framework
    target: Environment
    section: str
    name: str

    @property
    def full_name(self) -> str:
        """The name with its section."""
        return full_key(self.section, self.name)

    def status(self) -> KeyStatus:
        """What the release has of it."""
        return self._keys.standing(self.section, self.name)

    def is_there(self) -> bool:
        """Whether the release has it, with a plugin or without."""
        info = self.status().info
        return info is None or self._keys.has(info)

    def other_name(self) -> str:
        """What the release calls it that has it no longer, or not yet; empty if that is not known."""
        info, policy = self.status().info, self.framework.key_policy
        if info is None or self.is_there():
            return ""
        if not self._keys.released(info.since):
            return older_name_in(policy, self._keys, self.full_name) or ""
        newer = policy.counterpart(self.name, self.target) if not self.section else None
        return (newer.to or "") if newer is not None else ""

    @property
    def _keys(self) -> ReleaseKeys:
        return self.framework.key_policy.keys_in(self.target)


def find(text: str, framework: Framework, target: Environment) -> list[KnownKey]:
    """The keys of a framework that a text names: `batch`, `section.key`, `rows[].type`."""
    table = framework.keys
    section, _, name = text.strip().rpartition(".")
    if section:
        sections = [one for one in table.sections() if one in (section, f"{section}[]")]
    elif table.info("", name) is not None:
        sections = [""]
    else:
        sections = [one for one in table.sections() if table.info(one, name) is not None]
    return [
        KnownKey(framework, target, one, name)
        for one in sections
        if table.info(one, name) is not None
    ]


def ending(text: str, framework: Framework, target: Environment) -> list[KnownKey]:
    """The keys of a framework whose full names end with a text: `rollout.n`."""
    section, _, name = text.strip().rpartition(".")
    table = framework.keys
    return [
        KnownKey(framework, target, one, name)
        for one in (table.sections() if section else ())
        if one.endswith((f".{section}", f".{section}[]")) and table.info(one, name) is not None
    ]


def own_names(text: str, framework: Framework) -> list[tuple[str, str]]:
    """Where a key is another framework's: what it is called here, and whose key it is."""
    return [
        (str(row[1]), str(row[0]))
        for foreign, row in framework.knowledge.aliases.items()
        if foreign == text and row[1] is not None
    ]


def render(key: KnownKey, style: Style, width: int = 100) -> str:
    """The page of a key."""
    filled = partial(terminal, style=style, width=width)

    title, release = key.framework.title, key.target.release
    if "." in key.framework.kind:
        title += f", {key.framework.packages[0]}"
    lack = "" if key.is_there() else "not in "
    lines = [f"{style.bold(visible(key.full_name))} ({lack}{title} {release})"]
    for text in _sentences(key):
        lines += filled(text)
    others = _elsewhere(key)
    if others:
        lines += ["", style.bold("Elsewhere"), *filled("; ".join(others), "  ")]
    rules = _rules(key)
    if rules:
        lines += ["", style.bold("Rules about it")]
        for text in rules[:_MOST_RULES]:
            lines += filled(text, "  ")
        if len(rules) > _MOST_RULES:
            lines += filled(f"and {len(rules) - _MOST_RULES} more", "  ")
    return "\n".join(lines) + "\n"


def _sentences(key: KnownKey) -> Iterator[str]:
    meaning = key.framework.knowledge.meaning(key.full_name)
    if meaning:
        yield meaning
    status = key.status()
    if status.schema is not None and key.is_there():
        words = wanted_words(status.schema)
        if words != "another value":
            yield f"Type: {words}."
    default = _default(key) if key.is_there() else ""
    if default:
        yield default
    history = _history(key, status)
    if history:
        yield history


def default_of(framework: Framework, target: Environment) -> Callable[[str, str], Any]:
    """What gives the default of a key in the release: MISSING if it is not known, computed or to be given."""
    reading = None
    if target.release in framework.releases.versions:
        # Of a class, the files that fill it say what its fields are by default.
        filling = variant(framework, kind=framework.file_kind.filling)
        reading = filling.readings.reading(target)
    fields = None if reading is None else reading.fields(frozenset())

    def default(section: str, name: str) -> Any:
        if fields is not None:
            field = fields.section(section).get(name)
            found = MISSING if field is None else field.default
        elif _is_inherited(framework, section, name):
            found = MISSING
        else:
            found = framework.keys.defaults.get(full_key(section, name), MISSING)
        plain = isinstance(found, str | int | float | bool | list | dict | None)
        return found if plain and found is not UNKNOWN and found not in NO_DEFAULTS else MISSING

    return default


def _is_inherited(framework: Framework, section: str, name: str) -> bool:
    """Whether a class has a parameter from another package, and may give it another default."""
    own, _, of_class = framework.kind.partition(".")
    info = framework.keys.info(section, name)
    if not of_class or info is None:
        return False
    return (info.since.rpartition(" ")[0] or framework.packages[0]) != own


def _default(key: KnownKey) -> str:
    """The default in a sentence; where the kinds of files differ in it, that of each."""
    framework, target = key.framework, key.target
    by_default: dict[str, list[str]] = {}
    kinds = framework.row["kinds"] if not framework.kind else ()
    every = 0
    for kind in kinds or (framework.kind,):
        own = variant(framework, kind=kind)
        if own.keys.info(key.section, key.name) is None:
            continue
        every += 1
        found = default_of(own, target)(key.section, key.name)
        if found is not MISSING:
            by_default.setdefault(json.dumps(found, ensure_ascii=False), []).append(kind)
    if len(by_default) == 1 and len(next(iter(by_default.values()))) == every:
        return f"Default: `{next(iter(by_default))}`."
    each = (f"`{value}` ({_some(which)})" for value, which in by_default.items())
    return f"Default: {', '.join(each)}." if by_default else ""


def _some(kinds: list[str]) -> str:
    """The first of several kinds of files, and how many others there are."""
    more = len(kinds) - _MOST_KINDS
    return ", ".join(kinds[:_MOST_KINDS]) + (f" and {more} more" if more > 0 else "")


def _history(key: KnownKey, status: KeyStatus) -> str:
    """Since when it exists, until when, and what it is called by now."""
    info = status.info
    if info is None:
        return ""
    framework = key.framework
    first = framework.releases.versions[0]
    package = framework.packages[0]
    since = info.since if " " in info.since else f"{package} {info.since}"
    parts = [f"since {since}"]
    if info.since == first:
        parts = [f"from {first} on" if info.removed else f"in all known releases (from {first})"]
    if info.removed:
        parts.append(f"removed in {info.removed}")
    row = framework.key_policy.aliases().get(key.full_name) if info.removed else None
    newer = info.rename or (row[1] if row is not None else None)
    there = key.other_name()
    if newer:
        parts.append(f"now called `{there or newer}`")
    elif there:
        parts.append(f"called `{there}` in {key.target.release}")
    if status.plugin:
        parts.append(f"read when the plugin {status.plugin} is listed")
    text = ", ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def _elsewhere(key: KnownKey) -> list[str]:
    """What other tools call it."""
    names: dict[str, list[str]] = {}
    for foreign, row in key.framework.knowledge.aliases.items():
        if row[1] == key.full_name:
            names.setdefault(str(row[0]), []).append(f"`{foreign}`")
    several = names.pop(_SEVERAL, None)
    rows = sorted(names.items()) + ([("other tools", several)] if several else [])
    return [f"{origin}: {', '.join(found)}" for origin, found in rows]


def tools_named(key: KnownKey) -> frozenset[str]:
    """The tools of which the page of a key says what they call it."""
    aliases = key.framework.knowledge.aliases.values()
    return frozenset(str(row[0]) for row in aliases if row[1] == key.full_name)


def _rules(key: KnownKey) -> list[str]:
    """The rules that refer to it and may apply to the release."""
    place = tuple(_parts(key.full_name))
    knowledge = key.framework.knowledge
    return [
        f"{rule.code} {rule.name}: {knowledge.details(rule.code).summary}"
        for rule in rules_by_place(key.framework).get(place, ())
        if key.target.applies(rule.applies, assume=True) is not False
    ]


def _parts(name: str) -> Iterator[str]:
    for part in name.split("."):
        yield part.removesuffix("[]")
        if part.endswith("[]"):
            yield "[]"


def suggestions(text: str, frameworks: Sequence[Framework]) -> list[str]:
    """Keys with a similar name, in the section that the text names, if any."""
    from difflib import get_close_matches

    section, _, written = text.rpartition(".")
    names = {
        name
        for framework in frameworks
        for one in ((section, f"{section}[]") if section else ("",))
        for name in framework.keys.current(one)
    }
    close = get_close_matches(written, sorted(names), n=2, cutoff=0.75)
    return [f"{section}.{name}" for name in close] if section else close
