"""How a key that is not read can become one that is."""

from __future__ import annotations

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.checks.context import CheckContext, Repair
from cfglint.checks.written_keys import (
    in_force,
    is_null,
    released,
    value_is_off,
)
from cfglint.diagnostic import ANY
from cfglint.fixes.actions import Action, DeleteKey, MoveKey, MoveKeyword, RenameKey, SetValue
from cfglint.knowledge.keys.release_keys import Schema
from cfglint.roles.foreign_names import ITS, ForeignName, older_name_in
from cfglint.roles.key_policy import WrittenKey
from cfglint.source.document import Mapping, Path, Scalar, Sequence
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.base.spelling import Guess


def concrete_path(section: str, name: str, written: Path) -> Path | None:
    """The path of a key in another section, near where it was written; None if that is open."""
    if not section:
        return (name,)
    if "[]" not in section:
        parts: Path = tuple(section.split("."))
        if "*" in parts:
            # A name that the user chose is the one that the key is written under.
            if len(written) <= len(parts) or any(
                part not in ("*", own) for part, own in zip(parts, written, strict=False)
            ):
                return None
            parts = written[: len(parts)]
        return (*parts, name)
    if section.endswith("[].type") and len(written) == 3 and isinstance(written[1], int):
        return (*written[:2], "type", name)
    if section.endswith("[]") and len(written) == 4 and isinstance(written[1], int):
        return (*written[:2], name)
    return None


def may_be_meant(ctx: CheckContext, key: WrittenKey, guess: Guess) -> bool:
    """Whether a key may be meant by a misspelt one, as far as its value shows.

    A slip of the finger may come with a wrong value, but a switch is not given a number.
    """
    if not guess.sure:
        return would_fit(ctx, key, guess.name)
    info = ctx.framework.keys.info(key.section, guess.name)
    value = to_python(key.entry.value)
    kinds = set() if info is None else set(info.type.split("|"))
    is_switch, is_number = "bool" in kinds, not kinds.isdisjoint(("int", "float"))
    if isinstance(value, bool):
        return is_switch or not is_number
    return is_number or not is_switch or not isinstance(value, (int, float)) or value in (0, 1)


def would_fit(ctx: CheckContext, key: WrittenKey, name: str) -> bool:
    """Whether another key of the section takes the value of this one."""
    info = ctx.framework.keys.info(key.section, name)
    value = to_python(key.entry.value)
    if info is None or value is None:
        return True
    return Schema(info.type, (), {}, ctx.release_keys.judge).takes(value)


def rename(ctx: CheckContext, key: WrittenKey, name: str, safety: str) -> tuple[Repair, ...]:
    if not is_free(ctx, (*key.path[:-1], name)):
        return ()
    # A finding that the typo was hiding appears with the right name, but its cause was there before.
    leads_to = (ANY,) if safety == "safe" else ()
    return (Repair(f"Rename it to {name}", safety, (RenameKey(key.path, name),), leads_to),)


def current_name(ctx: CheckContext, section: str, name: str) -> str:
    """What the target's release calls a key: its newer name, if it has one in the same section."""
    prefix = f"{section}." if section else ""
    row = ctx.framework.knowledge.older_names.get(prefix + name)
    if row is None or row[2] is not None or row[3] or not released(ctx, row[0]):
        return name
    newer_section, _, newer = row[1].rpartition(".")
    return newer if newer_section == section else name


def older_name(ctx: CheckContext, name: str) -> str | None:
    """What the target's release calls a key of a later one that takes the same values.

    A name in another section is with that section.

    Args:
        name: the key with its section.
    """
    return older_name_in(ctx.framework.key_policy, ctx.release_keys, name)


def to_older_name(ctx: CheckContext, key: WrittenKey, older: str) -> tuple[Repair, ...]:
    """A fix that gives a key the name that the target's release knows."""
    path = own_path(key, older)
    if path is not None and path[:-1] != key.path[:-1]:
        return move(ctx, key, path, f"Use {older}", "safe")
    if not is_free(ctx, (*key.path[:-1], older)):
        return ()
    return (Repair(f"Use {older}", "safe", (RenameKey(key.path, older),)),)


def move(
    ctx: CheckContext, key: WrittenKey, path: Path, title: str, safety: str
) -> tuple[Repair, ...]:
    """A fix that moves a key to another section; a section that becomes empty is deleted."""
    if not is_free(ctx, path):
        return ()
    actions: tuple[Action, ...] = (MoveKey(key.path, path),)
    left = key.path[:-1]
    parent = ctx.document.node(left)
    if left and isinstance(parent, Mapping) and len(parent.entries) == 1:
        if isinstance(left[-1], int):
            return ()  # an entry of a list would be left with nothing in it
        if path[: len(left)] != left:
            actions = (*actions, DeleteKey(left))
    return (Repair(title, safety, actions),)


def removal(ctx: CheckContext, key: WrittenKey) -> Repair:
    """A fix that deletes a key that asks for nothing, with a section that has nothing else."""
    left = key.path[:-1]
    parent = ctx.document.node(left)
    alone = isinstance(parent, Mapping) and len(parent.entries) == 1
    whole = alone and left and isinstance(left[-1], str)
    return Repair("Delete it", "safe", (DeleteKey(left if whole else key.path),))


def to_own_name(ctx: CheckContext, key: WrittenKey, foreign: ForeignName) -> tuple[Repair, ...]:
    """A fix that renames a setting to its name here, where that is mechanical."""
    path = own_path(key, foreign.to or "")
    if path is None:
        return ()
    in_place = path[:-1] == key.path[:-1]
    existing = ctx.document.node(path)
    if is_null(key.entry):
        # A template's line that was never filled in: it keeps its place under the right name.
        if in_place and existing is None:
            return (Repair(f"Use {foreign.to}", "safe", (RenameKey(key.path, str(path[-1])),)),)
        return ()
    value = to_python(key.entry.value)
    if foreign.how.startswith(ITS):
        return _to_entry(ctx, key, foreign, path, value)
    if not is_free(ctx, path):
        # Of two values that only a run decides it is not known whether they are one.
        if existing is not None and value is not UNKNOWN and to_python(existing) == value:
            title = f"Delete it; {foreign.to} has the same value"
            return (Repair(title, "safe", (DeleteKey(key.path),)),)
        return ()
    mapped = _mapped(foreign, value)
    actions: tuple[Action, ...]
    if mapped is None:
        return (Repair("Delete it", "safe", (DeleteKey(key.path),)),)
    if mapped is not MISSING:
        if in_place:
            actions = (RenameKey(key.path, str(path[-1])), SetValue(path, mapped))
        else:
            actions = (DeleteKey(key.path), SetValue(path, mapped))
    elif foreign.how != "same":
        return ()
    elif in_place:
        actions = (RenameKey(key.path, str(path[-1])),)
    else:
        return move(ctx, key, path, f"Use {foreign.to}", "safe")
    return (Repair(f"Use {foreign.to}", "safe", actions),)


def _mapped(foreign: ForeignName, value: Any) -> Any:
    """The value of today for one of before, or for the only item of a list; `MISSING` where none is known."""
    if isinstance(value, list) and len(value) == 1 and _hashable(value[0]):
        mapped = foreign.values.get(value[0], MISSING)
        return mapped if mapped is None or mapped is MISSING else [mapped]
    return foreign.values.get(value, MISSING) if _hashable(value) else MISSING


def _to_entry(
    ctx: CheckContext, key: WrittenKey, foreign: ForeignName, path: Path, value: Any
) -> tuple[Repair, ...]:
    """A fix that takes over one entry of a mapping; one that overrides another value is not safe."""
    entry = foreign.how.removeprefix(ITS)
    if not isinstance(value, dict) or value.get(entry) is None:
        return ()
    existing = ctx.document.node(path)
    if existing is None and not is_free(ctx, path):
        return ()
    kept = existing is None or to_python(existing) in (None, value[entry])
    safety = "safe" if kept and len(value) == 1 else "unsafe"
    title = f"Use {path[-1]}" if kept else f"Set {path[-1]} to {value[entry]}"
    return (Repair(title, safety, (SetValue(path, value[entry]), DeleteKey(key.path))),)


def to_several(key: WrittenKey, foreign: ForeignName) -> tuple[Repair, ...]:
    """A fix that writes the keys which together do what a key did, where its value says which."""
    value = to_python(key.entry.value)
    settings = foreign.values.get(value) if _hashable(value) else None
    if not isinstance(settings, dict):
        return ()
    writes = tuple(SetValue((*key.path[:-1], name), new) for name, new in settings.items())
    title = f"Use {', '.join(settings)}"
    return (Repair(title, "unsafe", (*writes, DeleteKey(key.path))),)


def to_section(ctx: CheckContext, key: WrittenKey) -> tuple[Repair, ...]:
    """A fix that takes a key to the section of the file around this one which has it now."""
    if key.verdict.belongs_to is None:
        return ()
    section, name = key.verdict.belongs_to
    # What is computed may not be there yet where the other one is made.
    safety = "unsafe" if to_python(key.entry.value) is UNKNOWN else "safe"
    renamed = "" if name == key.name else f" as {name}"
    title = f"Move it to {section}{renamed}"
    return (Repair(title, safety, (MoveKeyword(key.path, section, name),)),)


def deletion(ctx: CheckContext, foreign: ForeignName, keys: list[WrittenKey]) -> Repair:
    """The deletion of keys without a counterpart, or with one that they cannot be renamed to."""
    title = "Delete it" if len(keys) == 1 else f"Delete these {len(keys)} keys"
    # Deleting an ignored key does not change the run, but a reader of the file can no longer see what
    # was wanted. Deleting one that the framework refuses would silently drop the setting instead of
    # following the advice, or where no replacement is known.
    is_open = bool(foreign.advice) or not foreign.origin
    left_undone = bool(foreign.how) or (is_open and keys[0].verdict.refuses)
    gives_up = left_undone and not all(value_is_off(key.entry) for key in keys)
    actions = tuple(DeleteKey(key.path) for key in keys)
    if not gives_up:
        return Repair(title, "safe", actions)
    return Repair(title, "unsafe", actions, look_at=keys[0].verdict.before_deletion)


def own_path(key: WrittenKey, to: str) -> Path | None:
    """The path that a name such as `datasets[].split` has for a written key; None if it is open."""
    if "=" in to or " " in to or not to:
        return None
    section, _, name = to.rpartition(".")
    if section == key.section:
        return (*key.path[:-1], name)
    return None if "[]" in to else tuple(to.split("."))


def is_free(ctx: CheckContext, path: Path) -> bool:
    """Whether a fix may write a path: it is free, and its parent can hold it."""
    for length in range(1, len(path)):
        node = ctx.document.node(path[:length])
        if node is None:
            return True
        if isinstance(node, Sequence) and isinstance(path[length], int):
            continue
        if not isinstance(node, Mapping) and not (isinstance(node, Scalar) and node.value is None):
            return False
    return ctx.document.node(path) is None


def _hashable(value: Any) -> bool:
    return not isinstance(value, (list, dict, set))


def _says_nothing_new(ctx: CheckContext, path: Path, value: Any) -> bool:
    """Whether a key of a section has the value that is in force there, maybe under a name that repeats the section's."""
    *section, name = map(str, path)
    if ctx.framework.keys.info(".".join(section), name) is None and section:
        path = (*path[:-1], name.removeprefix(f"{section[-1]}_"))
    return bool(in_force(ctx, path) == value)


def changes_nothing(ctx: CheckContext, key: WrittenKey) -> bool:
    """Whether a key would have the same value in each of its sections as is in force there."""
    value = to_python(key.entry.value)
    if value is UNKNOWN:
        return False
    for home in key.verdict.homes:
        path = concrete_path(home, key.name, key.path)
        if isinstance(value, dict) and value and path is not None:
            if not all(_says_nothing_new(ctx, (*path, name), one) for name, one in value.items()):
                return False
            continue
        there = MISSING if path is None else in_force(ctx, path)
        # What a word switches off is off where nothing is known to switch it on.
        is_off = path is not None and there is MISSING and value == "no"
        if there != value and not is_off:
            return False
    return True
