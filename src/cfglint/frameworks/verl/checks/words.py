"""Words that Hydra refuses, whatever the config is used for."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.logic import MISSING
from cfglint.base.shortened import shortened
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext, Hit
from cfglint.checks.words import cut_off, problems_of
from cfglint.diagnostic import ANY, Edit, Fix, Related, SeverityName
from cfglint.frameworks.verl.merging import CLASH, HAS_VALUE, NO_KEY, NO_VALUE, Refused, found_at
from cfglint.frameworks.verl.own_configs import names_of_copy
from cfglint.frameworks.verl.recipes import program_with
from cfglint.frameworks.verl.run_config import RunConfig, broken_config, config_in, run_config
from cfglint.roles.scripts import command_of as command_of_script
from cfglint.source.document import Path
from cfglint.source.languages.overrides import ConfigWord
from cfglint.source.shell_blanks import is_blank
from cfglint.source.text import Span
from cfglint.source.values import Unexpanded

#: What a person is to fill in: `<path_to_config>`.
_BLANK = lazy_pattern(r"<[A-Za-z][^<>]{0,200}>")
_MAX_KEYS = 5_000
_MAX_RELATED = 30


def word_not_an_override(ctx: CheckContext) -> Iterator[Hit]:
    """Words that are not `key=value`; Hydra ends with the first one, or before that with an option that it does not have."""
    found = sorted(
        (*problems_of(ctx, "stray"), *problems_of(ctx, "key")),
        key=lambda one: (not one.name.startswith("-"), one.span),
    )
    if cut_off(ctx):
        # `\\` and a blank at the end of a line: see `lines-not-joined`.
        found = [one for one in found if one.name.strip()]
    if found:
        first, *others = found
        related = tuple(Related(one.span, "nor is this one") for one in others[:5])
        written = ctx.document.text[first.span.start : first.span.end]
        yield Hit((), first.span, {"word": shortened(first.name.strip()) or written}, related)


def override_value(ctx: CheckContext) -> Iterator[Hit]:
    """A value that Hydra's grammar does not allow, and that no one is to fill in."""
    for problem in problems_of(ctx, "value"):
        why, value = problem.others
        if _BLANK.fullmatch(value) or is_blank(value, ctx.document.text):
            continue
        yield Hit((), problem.span, {"key": problem.name, "value": shortened(value), "why": why})


def sweep_without_multirun(ctx: CheckContext) -> Iterator[Hit]:
    """Several values with commas between them, for one run."""
    for problem in problems_of(ctx, "several"):
        yield Hit((), problem.span, {"key": problem.name})


def parent_config_missing(ctx: CheckContext) -> Iterator[Hit]:
    """A config of the project's copy of verl whose `defaults:` name a file that is not there."""
    own = broken_config(ctx)
    if own is not None:
        span = ctx.document.root.lookup["program"].key.span
        yield Hit(("program",), span, {"config": own.file, "parent": f"{own.missing}.yaml"})


def choice_from_group(ctx: CheckContext) -> Iterator[Hit]:
    """A choice that the config does not offer."""
    found = config_in(ctx)
    for choice in found.choices if found is not None else ():
        if choice.refused and not names_of_copy(ctx.around):
            word = choice.word
            params = {"key": word.key, "why": choice.refused, "release": ctx.target.release}
            certain = word.sign == "++" or not isinstance(word.value, (str, list))
            severity: SeverityName | None = (
                "warning" if ctx.target.assumed and not certain else None
            )
            yield Hit((), Span(word.start, word.end), params, severity=severity)


def appended_key_exists(ctx: CheckContext) -> Iterator[Hit]:
    """`+key=value`, and the config has a value for the key."""
    for refused in _refused(ctx, HAS_VALUE):
        word, related = refused.word, _related(refused, "it is set here")
        severity: SeverityName | None = None
        if ctx.target.assumed and not related and refused not in _refused_by_all(ctx):
            severity = "warning"
        at = word.key_span[0]
        fixes: tuple[Fix, ...] = ()
        if ctx.document.text.startswith(f"+{word.key}", at):
            edit = Edit(at, at + 1, "")
            fixes = (Fix("Remove the `+`", "safe", (edit,), (_path(word),), leads_to=(ANY,)),)
        yield Hit(
            _path(word),
            Span(*word.key_span),
            _params(ctx, word),
            related,
            fixes=fixes,
            severity=severity,
        )


def deleted_key_missing(ctx: CheckContext) -> Iterator[Hit]:
    """`~key`, and the config has no such key, or null for it, or not the value behind `=`."""
    for refused in _refused(ctx, NO_VALUE):
        word, related = refused.word, _related(refused, "changed here")
        found = config_in(ctx)
        name = word.key.rpartition(".")[2]
        if found is not None and found.own is None and name in names_of_copy(ctx.around):
            continue
        severity: SeverityName | None = "warning" if ctx.target.assumed and not related else None
        span = Span(word.start, word.end)
        value = "" if isinstance(word.value, Unexpanded) else str(word.value or "")
        params = {**_params(ctx, word), "its": f" `{shortened(value)}`" if value else ""}
        yield Hit((), span, params, related, severity=severity)


def list_for_section(ctx: CheckContext) -> Iterator[Hit]:
    """A list where the config has a mapping, or the other way round: Hydra merges the two, and cannot."""
    for refused in _refused(ctx, CLASH):
        word, related = refused.word, _related(refused, "changed here")
        severity: SeverityName | None = "warning" if ctx.target.assumed and not related else None
        what = ("a list", "a mapping") if isinstance(word.value, list) else ("a mapping", "a list")
        params = {**_params(ctx, word), "value": what[0], "old": what[1]}
        yield Hit(_path(word), Span(*word.key_span), params, related, severity=severity)


def key_not_in_config(ctx: CheckContext) -> Iterator[Hit]:
    """A key that a config of the project does not have, or that one release between others lacks.

    Of several below a section that it does not have either, one is reported: the section has another name.
    """
    found = config_in(ctx)
    if found is None:
        return
    below: dict[str, list[Refused]] = {}
    for refused in _refused(ctx, NO_KEY):
        word = refused.word
        if word.is_group or (refused.cause is not None and _had(found, word.key)):
            continue
        if found.own is None and not _is_absent(ctx, word.key):
            continue
        root, _, inner = word.key.partition(".")
        is_whole = bool(inner) and found.own is not None and not _had(found, root)
        below.setdefault(root if is_whole else word.key, []).append(refused)
    for name, all_refused in below.items():
        yield _not_in_config(ctx, found, name, all_refused)


def _not_in_config(ctx: CheckContext, found: RunConfig, name: str, refused: list[Refused]) -> Hit:
    """The finding about the words that name a key, or keys below a section, which a config does not have."""
    word, others = refused[0].word, refused[1:]
    own, key = found.own, name if others else word.key
    where = f"verl {ctx.target.release}" if own is None else f"`{own.file}`"
    started = command_of_script(ctx.document.root)
    other = program_with(word.key, ctx.around, started) if own is not None else ""
    advice = f"Write `+{key}=…` to add it.{_meant(found.before, key)}"
    if others:
        advice = f"{len(refused)} words name keys below it.{_meant_section(found.before, refused)}"
    if other:
        advice = f"The config of `{other}` has it: is that the program to start?"
    # What a config of the project extends is that of a release.
    doubtful = ctx.target.assumed and (own is None or bool(own.base))
    severity: SeverityName | None = "warning" if doubtful else None
    related = tuple(
        Related(Span(*one.word.key_span), "this is refused, too") for one in others[:_MAX_RELATED]
    )
    params = {"key": key, "where": where, "advice": advice}
    return Hit(_path(word), Span(*word.key_span), params, related, severity=severity)


def key_taken_away(ctx: CheckContext) -> Iterator[Hit]:
    """A key that a word in front of it takes away, or whose section one replaces."""
    found = config_in(ctx)
    for refused in _refused(ctx, NO_KEY):
        if found is None or refused.cause is None or not _had(found, refused.word.key):
            continue
        word, cause = refused.word, refused.cause
        related = (Related(Span(cause.start, cause.end), "here it is taken away"),)
        params = {"key": word.key, "word": f"{cause.sign}{cause.key}"}
        yield Hit(_path(word), Span(*word.key_span), params, related)


def _refused(ctx: CheckContext, why: str) -> Iterator[Refused]:
    found = config_in(ctx)
    for one in found.merged.refused if found is not None else ():
        if one.why == why:
            yield one


def _related(refused: Refused, note: str) -> tuple[Related, ...]:
    """The word in front of a word that is the reason why it is refused."""
    cause = refused.cause
    return (Related(Span(cause.start, cause.end), note),) if cause is not None else ()


def _had(found: RunConfig, key: str) -> bool:
    """Whether the config has a key before the first word."""
    return found_at(found.before, key.split(".")) is not MISSING


def _is_absent(ctx: CheckContext, key: str) -> bool:
    """Whether the release lacks a key, or a section above it, that earlier and later ones have."""
    parts = key.split(".")
    return any(
        ctx.framework.keys.is_absent(".".join(parts[:number]), part, ctx.target.release)
        for number, part in enumerate(parts)
    )


def _refused_by_all(ctx: CheckContext) -> list[Refused]:
    """The words that every release refuses which has the config, and the one that is checked against."""

    def make() -> list[Refused]:
        left = list(_refused(ctx, HAS_VALUE))
        for release in ctx.framework.releases.versions if left else ():
            found = run_config(ctx.document, ctx.target, ctx.around, release)
            if found is not None:
                left = [one for one in left if one in found.merged.refused]
        return left

    return ctx.once("words that all releases refuse", make)


def _meant(tree: dict[str, Any], key: str) -> str:
    """The key of a config that is most like one it does not have, as a question; empty without one."""
    names: list[str] = []
    stack: list[tuple[str, Any]] = [("", tree)]
    while stack and len(names) < _MAX_KEYS:
        above, here = stack.pop()
        for name, value in here.items():
            names.append(f"{above}{name}")
            if isinstance(value, dict):
                stack.append((f"{above}{name}.", value))
    last = key.rpartition(".")[2]
    same = [name for name in names if name.rpartition(".")[2] == last]
    near = same if len(same) == 1 else difflib.get_close_matches(key, names, 1, 0.8)
    return f" Did you mean `{near[0]}`?" if near else ""


def _meant_section(tree: dict[str, Any], refused: list[Refused]) -> str:
    """The section of a config that has most of the keys that words want of another one, as a question."""
    wanted = {one.word.key.split(".")[1] for one in refused}
    shared = {
        name: len(wanted & section.keys())
        for name, section in tree.items()
        if isinstance(section, dict)
    }
    best = max(shared, key=lambda name: shared[name], default="")
    return f" Did you mean `{best}`?" if shared.get(best, 0) * 2 > len(wanted) else ""


def _params(ctx: CheckContext, word: ConfigWord) -> dict[str, Any]:
    found = config_in(ctx)
    own = found.own if found is not None else None
    where = f"verl {ctx.target.release}" if own is None else own.file
    return {"key": word.key, "release": ctx.target.release, "where": where}


def _path(word: ConfigWord) -> Path:
    return tuple(word.key.split("."))


CHECKS = {
    "appended-key-exists": appended_key_exists,
    "choice-from-group": choice_from_group,
    "deleted-key-missing": deleted_key_missing,
    "key-not-in-config": key_not_in_config,
    "key-taken-away": key_taken_away,
    "list-for-section": list_for_section,
    "override-value": override_value,
    "parent-config-missing": parent_config_missing,
    "sweep-without-multirun": sweep_without_multirun,
    "word-not-an-override": word_not_an_override,
}
