"""Steps of migrations for keys that have, or had, another name in the target's release.

They come from the key table, where a release says that a key is the older name of another one: a
newer target gets the newer name, an older target the older one.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.logic import MISSING
from cfglint.base.type_names import Any
from cfglint.checks.context import Check, CheckContext, Hit, Repair
from cfglint.checks.key_repairs import is_free
from cfglint.checks.unread_keys import together
from cfglint.checks.value_types import found_words, meant_repair
from cfglint.checks.written_keys import (
    file_keys,
    is_null,
    own_plugins,
    released,
)
from cfglint.fixes.actions import Action, DeleteKey, MoveKey, RenameKey, SetValue
from cfglint.knowledge.keys.places import section_of
from cfglint.knowledge.keys.release_keys import Schema
from cfglint.roles.key_policy import WrittenKey
from cfglint.source.document import Path, format_path
from cfglint.source.values import to_python

_MEANT = "Is that what the value was meant to be?"
_INSTEAD = "What was the value meant to do? Without the line, the default of the release applies."


def older_name(ctx: CheckContext) -> Iterator[Hit]:
    """A key that the target's release reads under a newer name."""
    names = ctx.framework.knowledge.older_names
    for key in _written(ctx):
        row = names.get(key.full_name)
        if row is None or is_null(key.entry) or not _is_there(ctx, key.full_name):
            continue
        since, to, values, classes = row
        if not released(ctx, since) or not _is_there(ctx, to) or not _is_of(ctx, key, classes):
            continue
        written = to_python(key.entry.value)
        new = written if values is None else _mapped(values, written)
        params = {"key": key.name, "to": to, "since": since}
        if new is MISSING:
            # A switch that is off asks for nothing under either name.
            off = Repair("Delete it", "safe", (DeleteKey(key.path),))
            if written is False:
                yield Hit(key.path, key.entry.span, {**params, "to": to}, repairs=(off,))
            continue
        path = _beside(key.path, to)
        keeps = values is None
        yield Hit(
            key.path,
            key.entry.span,
            params,
            repairs=_renamed(ctx, key.path, path, new, keeps=keeps),
        )


def name_of_later_release(ctx: CheckContext) -> Iterator[Hit]:
    """A key that the target's release has under an older name only."""
    names = ctx.framework.knowledge.older_names
    for key in _written(ctx):
        if key.info is None or is_null(key.entry):
            continue
        written = to_python(key.entry.value)
        unread = not released(ctx, key.info.since)
        for older, (since, to, values, classes) in names.items():
            if to != key.full_name or not _is_there(ctx, older) or not _is_of(ctx, key, classes):
                continue
            if released(ctx, since) or not (unread or values):
                continue  # a key that came before its older name was given up is read by itself
            value = written
            if values is not None:
                backwards = {new: old for old, new in values.items()}
                value = _mapped(backwards, written)
                if value is MISSING:
                    continue
            path = _beside(key.path, older)
            params = {"key": key.name, "to": older, "since": since}
            keeps = values is None
            repairs = _renamed(ctx, key.path, path, value, keeps=keeps)
            yield Hit(key.path, key.entry.span, params, repairs=repairs)
            break


def empty_older_key(ctx: CheckContext) -> Iterator[Hit]:
    """Keys without a value that the target's release no longer has, or has under another name."""
    names = ctx.framework.knowledge.older_names
    keys = []
    for key in _written(ctx):
        if not is_null(key.entry):
            continue
        row = names.get(key.full_name)
        gone = key.info is not None and key.info.removed is not None
        if (gone and not _is_there(ctx, key.full_name)) or (
            row is not None and released(ctx, row[0])
        ):
            keys.append(key)
    if keys:
        count = "this line" if len(keys) == 1 else f"these {len(keys)} lines"
        actions = tuple(DeleteKey(key.path) for key in keys)
        hit = Hit(
            keys[0].path,
            keys[0].entry.span,
            {"names": ", ".join(f"`{key.name}`" for key in keys), "count": count},
            repairs=(Repair(f"Delete {count}", "safe", actions),),
        )
        yield together(hit, keys, "the same applies to this one")


def unread_key(ctx: CheckContext) -> Iterator[Hit]:
    """A key that the target's release does not read, whatever it was meant for."""
    found = file_keys(ctx)
    for key in [*found.unknown, *found.unusual]:
        if is_null(key.entry) or key.verdict.upstream == "rejects":
            continue  # what ends the run is not given up for that alone
        if key.section == "" and key.info is None and own_plugins(ctx):
            continue  # that plugin may read it
        plugin = key.info.plugin if key.info is not None else None
        if _is_of_later(ctx, key):
            continue  # what an older release cannot say is listed, not lost
        if plugin is not None and _is_there(ctx, key.full_name):
            if plugin.rpartition(".")[2] in ctx.plugins or ctx.framework.keys.is_builtin(plugin):
                continue
        elif key.info is not None and _is_there(ctx, key.full_name):
            continue
        yield Hit(
            key.path,
            key.entry.span,
            {"key": key.name},
            repairs=(
                Repair(
                    "Delete it",
                    "unsafe",
                    (DeleteKey(key.path),),
                    look_at=f"Does another program read `{key.name}`, or does what it requests"
                    " have to be set in another way?",
                ),
            ),
        )


def refused_value(ctx: CheckContext) -> Iterator[Hit]:
    """A value of a type that the release does not accept, and no rule can convert."""
    required = ctx.framework.keys.required()
    for key, schema, value in file_keys(ctx).refused:
        if schema.takes(value):
            continue
        delete = Repair("Delete it", "unsafe", (DeleteKey(key.path),), look_at=_INSTEAD)
        is_required = not key.section and key.name in required
        if value == "" and not is_required:
            repair = delete.replaced(safety="safe", look_at="")
        elif isinstance(value, (str, dict)) and value and "list" in _bases(schema):
            items = (
                [part.strip() for part in value.split(",")] if isinstance(value, str) else [value]
            )
            if not schema.takes(items):
                continue
            look = "Are these the intended items?"
            action = SetValue(key.path, items)
            repair = Repair("Write it as a list", "unsafe", (action,), look_at=look)
        elif (meant := meant_repair(ctx, key, schema, value)) is not None:
            repair = meant.replaced(look_at="" if meant.safety == "safe" else _MEANT)
        elif is_required or (isinstance(value, (bool, int, float)) and "str" in schema.kinds):
            continue  # the latter are quoted
        else:
            repair = delete
        params = {"key": format_path(key.path), "found": found_words(value)}
        yield Hit(key.path, key.entry.span, params, repairs=(repair,))


def _bases(schema: Schema) -> set[str]:
    return {kind.partition("<")[0].partition(":")[0] for kind in schema.kinds}


def _is_of_later(ctx: CheckContext, key: WrittenKey) -> bool:
    return key.info is not None and not released(ctx, key.info.since)


def _written(ctx: CheckContext) -> Iterator[WrittenKey]:
    """Every written key of a section that the framework describes, in file order."""
    table = ctx.framework.keys
    for path, mapping in ctx.mappings:
        section = table.section_at(path)
        for entry in mapping.entries:
            if entry.name is not None and not entry.is_merge:
                info = table.info(section, entry.name)
                if info is not None:
                    yield WrittenKey(section, (*path, entry.name), entry, entry.name, info, mapping)


def _is_there(ctx: CheckContext, name: str) -> bool:
    """Whether the target's release has a key, or hands on whatever is in its section."""
    section, _, last = name.rpartition(".")
    info = ctx.framework.keys.info(section, last)
    if info is None:
        return bool(section) and not ctx.framework.keys.is_closed(section)
    return ctx.release_keys.has(info)


def _is_of(ctx: CheckContext, key: WrittenKey, classes: tuple[str, ...]) -> bool:
    """Whether the entry of a list that a key is in may be of one of the classes."""
    of_list = ctx.release_keys.entry_classes
    several = next((s for s in of_list.lists if key.section.startswith(s)), None)
    if several is None or not classes:
        return True
    entry = next(key.path[:n] for n in range(len(key.path)) if section_of(key.path[:n]) == several)
    possible = of_list.of_entry(several, entry, ctx.document)
    return not possible or bool(set(possible) & set(classes))


def _beside(path: Path, name: str) -> Path:
    """The path of a key with this full name, in the same entries of lists as another one."""
    numbers = [part for part in path if isinstance(part, int)]
    found: list[str | int] = []
    for part in name.split("."):
        found.append(part.removesuffix("[]"))
        if part.endswith("[]"):
            found.append(numbers.pop(0))
    return tuple(found)


def _mapped(values: dict[Any, Any], value: Any) -> Any:
    """The new value of an old one, compared with its type (1 is not true here)."""
    return next((v for k, v in values.items() if type(k) is type(value) and k == value), MISSING)


def _renamed(
    ctx: CheckContext, old: Path, new: Path, value: Any, *, keeps: bool
) -> tuple[Repair, ...]:
    """The repair that gives a setting its other name; none where that name is taken."""
    name = ".".join(part for part in new if isinstance(part, str))
    existing = ctx.document.node(new)
    if existing is not None and to_python(existing) is not None:
        if to_python(existing) != value:
            look = f"`{name}` has another value: is that the intended one?"
            return (Repair("Delete it", "unsafe", (DeleteKey(old),), look_at=look),)
        title = f"Delete it; {name} has the same value"
        return (Repair(title, "safe", (DeleteKey(old),)),)
    in_place = old[:-1] == new[:-1]
    actions: tuple[Action, ...]
    if existing is not None:
        actions = (SetValue(new, value), DeleteKey(old))
    elif not is_free(ctx, new):
        return ()
    elif in_place:
        actions = (RenameKey(old, str(new[-1])),)
        if not keeps:
            actions = (*actions, SetValue(new, value))
    elif keeps:
        actions = (MoveKey(old, new),)
    else:
        actions = (DeleteKey(old), SetValue(new, value))
    return (Repair(f"Use {name}", "safe", actions),)


CHECKS: dict[str, Check] = {
    "empty-older-key": empty_older_key,
    "name-of-later-release": name_of_later_release,
    "older-name": older_name,
    "refused-value": refused_value,
    "unread-key": unread_key,
}
