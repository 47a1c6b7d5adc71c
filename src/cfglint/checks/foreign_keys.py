"""Keys that people bring along from other frameworks, and from older releases of this one."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Any
from cfglint.checks import key_repairs
from cfglint.checks.context import Check, CheckContext, Hit, Repair
from cfglint.checks.other_readers import of_another_reader
from cfglint.checks.slight_keys import is_of_tracker, is_slight
from cfglint.checks.unread_keys import (
    together,
    unread_hit,
    without_value,
)
from cfglint.checks.written_keys import (
    in_force,
    is_null,
    released,
    unknown_keys,
    value_is_off,
)
from cfglint.diagnostic import Related, SeverityName
from cfglint.fixes.actions import DeleteKey
from cfglint.roles.foreign_names import OLDER, PRINTED, ForeignName
from cfglint.roles.key_policy import WrittenKey
from cfglint.source.document import Path, Scalar, format_path
from cfglint.source.values import to_python

#: Origins that need a word more in a sentence.
_ORIGINS = {"other": "other training tools", OLDER: "a much older release"}
#: With so many settings under names of other tools, and nothing essential, a file is another program's.
_MANY = 3
_LOOKS_LIKE_ANOTHER = (
    " It is not the only such key, and the file has no dataset in {framework}'s format:"
    " these look like the settings of another program."
)


def foreign_key(ctx: CheckContext) -> Iterator[Hit]:
    """A key of another framework, with or without a counterpart here."""
    others = _keys_of_another_program(ctx)
    if others:
        yield _of_another_program(ctx, others)
        return
    alike = _borrowed_together(ctx)
    for key in unknown_keys(ctx):
        foreign = key.verdict.foreign
        if foreign is None or of_another_reader(ctx, key):
            continue
        if foreign.origin == OLDER and is_null(key.entry):
            continue
        group = alike.get(_cause(ctx, key, foreign), [key])
        if key.path != group[0].path:
            continue
        params: dict[str, Any] = {"key": format_path(key.path), "name": key.name}
        params["origin"] = _origin(foreign)
        advice = f" {foreign.advice}" if foreign.advice else ""
        severity: SeverityName
        repairs: tuple[Repair, ...]
        idle = key.verdict.needless
        if foreign.to is None:
            params["hint"] = advice or " There is no counterpart."
            severity, repairs = _without_counterpart(ctx, key, foreign)
            idle = idle or value_is_off(key.entry)
        else:
            repairs = key_repairs.to_own_name(ctx, key, foreign)
            params["hint"], severity = f" Use `{foreign.to}`.{advice}", "error"
            path = key_repairs.own_path(key, foreign.to)
            since = since_of(ctx, foreign.to)
            if idle:
                params["hint"] = " It can be deleted: what it asks for happens anyway."
                severity, repairs = "note", (Repair("Delete it", "safe", (DeleteKey(key.path),)),)
            elif key.verdict.contradicted:
                params["hint"] = (
                    f" `{key.verdict.contradicted}` does the opposite here: delete one of the two."
                )
                severity, repairs = "warning", ()
            elif path is not None and is_filled_in(ctx, path):
                params["hint"] = f" Its name here is `{foreign.to}`, which is set as well."
                idle = _says_the_same(ctx, key, foreign, path)
                severity = "note" if idle else "warning"
            elif since is not None:
                params["hint"] = f" Since {since} there is `{foreign.to}` for it."
                repairs = ()
            elif is_slight(foreign.to):
                severity = "warning"
            elif key.verdict.outranked:
                severity = "note"
            elif _asks_for_the_default(ctx, key, foreign, path):
                idle, severity = True, "note"
        if len(group) > 1:
            repairs = (key_repairs.deletion(ctx, foreign, group),)
        hit = unread_hit(ctx, key, params, repairs, severity, idle=idle)
        hit = hit.replaced(meant=foreign.to) if foreign.to else hit
        hit = without_value(ctx, key, hit) if len(group) == 1 else hit
        yield together(hit, group, "the same applies to this one")


def _of_another_program(ctx: CheckContext, keys: list[WrittenKey]) -> Hit:
    """The one finding for the keys of a file that is probably another program's."""
    name, first = keys[0].name, keys[0].verdict.foreign
    values: dict[str, Any] = {"key": name, "name": name, "origin": _origin(first)}
    own = own_name_of(ctx, first) if first is not None and first.to else ""
    values["hint"] = own + _LOOKS_LIKE_ANOTHER.format(framework=ctx.framework.title)
    hit = unread_hit(ctx, keys[0], values, (), severity="warning")
    notes = tuple(Related(key.entry.key.span, _not_ours(ctx, key)) for key in keys[1:])
    return hit.replaced(related=hit.related + notes)


def _without_counterpart(
    ctx: CheckContext, key: WrittenKey, foreign: ForeignName
) -> tuple[SeverityName, tuple[Repair, ...]]:
    """How severe a key is that has no counterpart, and whether it can go."""
    needless = key.verdict.needless
    if foreign.values and not needless and not is_null(key.entry):
        # Where one value is what happens anyway, another one asks for something else.
        return "warning", ()
    quiet = foreign.origin == OLDER or needless or value_is_off(key.entry)
    quiet = quiet or foreign.how == PRINTED
    return "note" if quiet else "warning", (key_repairs.deletion(ctx, foreign, [key]),)


def _cause(ctx: CheckContext, key: WrittenKey, foreign: ForeignName) -> tuple[Any, ...]:
    """What keys without a counterpart have in common that are one finding."""
    verdict, is_shown = key.verdict, foreign.how == PRINTED
    return key.section, foreign.origin, foreign.advice, verdict.upstream, verdict.since, is_shown


def _borrowed_together(ctx: CheckContext) -> dict[tuple[Any, ...], list[WrittenKey]]:
    """Cause -> the keys without a counterpart that are one finding."""
    found: dict[tuple[Any, ...], list[WrittenKey]] = {}
    for key in unknown_keys(ctx):
        foreign = key.verdict.foreign
        if foreign is not None and foreign.to is None and foreign.origin not in _ORIGINS:
            found.setdefault(_cause(ctx, key, foreign), []).append(key)
    # The finding is at a key that asks for something; those that do not go along.
    return {
        cause: sorted(keys, key=lambda key: value_is_off(key.entry))
        for cause, keys in found.items()
        if not all(value_is_off(key.entry) for key in keys)
    }


def _keys_of_another_program(ctx: CheckContext) -> list[WrittenKey]:
    """The keys of other tools in a file that is probably theirs, else nothing."""
    essential = ctx.framework.row["essential"]
    if not essential or any(ctx.document.node((key,)) is not None for key in essential):
        return []
    keys = []
    settings = 0
    for key in unknown_keys(ctx):
        foreign = key.verdict.foreign
        if foreign is not None and foreign.origin != OLDER and not is_null(key.entry):
            keys.append(key)
            # Settings that the framework has under another name, and that would change the run.
            settings += foreign.to is not None and not (
                is_of_tracker(foreign.to) or key.verdict.needless
            )
    return keys if settings >= _MANY else []


def own_name_of(ctx: CheckContext, foreign: ForeignName) -> str:
    """What the framework calls a foreign key, as a hint."""
    return f" In {ctx.framework.title} it is `{foreign.to}`."


def _not_ours(ctx: CheckContext, key: WrittenKey) -> str:
    """The note on a further key of another tool."""
    foreign = key.verdict.foreign
    if foreign is None or foreign.to is None or since_of(ctx, foreign.to) is not None:
        return f"not a key of {ctx.framework.title}, either"
    return f"in {ctx.framework.title} `{foreign.to}`"


def _origin(foreign: ForeignName | None) -> str:
    """Where a foreign key comes from, in words."""
    return _ORIGINS.get(foreign.origin, foreign.origin) if foreign is not None else ""


def _says_the_same(ctx: CheckContext, key: WrittenKey, foreign: ForeignName, own: Path) -> bool:
    """Whether the framework's own key has the foreign key's value, or that is just `true`."""
    node = ctx.document.node(own)
    value = key.entry.value.target()
    if node is None or not isinstance(value, Scalar):
        return False
    meant, written = foreign.values.get(value.value, value.value), to_python(node)
    if UNKNOWN in (meant, written):
        return False
    return bool(written == meant or (value.value is True and written))


def _asks_for_the_default(
    ctx: CheckContext, key: WrittenKey, foreign: ForeignName, own: Path | None
) -> bool:
    """Whether the default of the framework's own key, which is not set, is what the foreign key asks for."""
    value = key.entry.value.target()
    if key.verdict.refuses or not isinstance(value, Scalar) or is_null(key.entry):
        return False
    if foreign.how != "same" and value.value not in foreign.values:
        # What is switched off needs no counterpart, unless that is on by itself.
        return value.value is False and (own is None or not in_force(ctx, own))
    meant = foreign.values.get(value.value, value.value)
    return own is not None and bool(in_force(ctx, own) == meant)


def happens_anyway(ctx: CheckContext, key: WrittenKey, foreign: ForeignName) -> bool:
    """Whether a key asks for what the one in its place says, or does by default."""
    path = key_repairs.own_path(key, foreign.to) if foreign.to else None
    if key.verdict.needless or path is None or key.verdict.refuses:
        return key.verdict.needless
    if is_filled_in(ctx, path):
        return _says_the_same(ctx, key, foreign, path)
    return _asks_for_the_default(ctx, key, foreign, path)


def since_of(ctx: CheckContext, to: str) -> str | None:
    """The release that introduces a key, if the target is older."""
    section, _, name = to.rpartition(".")
    info = ctx.framework.keys.info(section, name)
    return None if info is None or released(ctx, info.since) else info.since


def is_filled_in(ctx: CheckContext, path: Path) -> bool:
    """Whether a key is there and has a value."""
    entry = ctx.document.entry(path)
    return entry is not None and not is_null(entry)


CHECKS: dict[str, Check] = {"foreign-key": foreign_key}
