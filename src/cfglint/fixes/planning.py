"""From actions on key paths to edits of the text, or the reason why there are none."""

from __future__ import annotations

from collections.abc import Sequence as SequenceOf
from typing import Any

from cfglint.diagnostic import Edit
from cfglint.fixes import block, flow, refusal
from cfglint.fixes.actions import (
    Action,
    AppendItem,
    DeleteEntry,
    DeleteKey,
    MoveKey,
    RenameKey,
    RewriteScalar,
    SetValue,
)
from cfglint.fixes.applying import apply_edits, chain_edits, merge_touching
from cfglint.fixes.block import Change
from cfglint.fixes.layout import (
    Collection,
    after_colon,
    block_prefix,
    check_text,
    child_count,
    indentation_of,
    lists_in_brackets,
)
from cfglint.fixes.locate import (
    Place,
    check_own,
    check_subtree,
    check_unmerged,
    find,
    follow,
)
from cfglint.fixes.refusal import Refusal
from cfglint.fixes.render import is_inline, render_inline, render_key
from cfglint.record import Record
from cfglint.source.document import Alias, Document, Mapping, Node, Path, Scalar, Sequence
from cfglint.source.problems import SourceError


class Plan(Record):
    """What a fix would do to the text.

    `paths` are the only places whose value may change. `refused` is one sentence for the user;
    then there are no edits. No edits and no refusal: the file says already what was wanted.
    """

    edits: tuple[Edit, ...]
    paths: tuple[Path, ...]
    drops_comments: bool = False
    refused: str | None = None


class _Draft(Record):
    """The plan of one action. `removed_from` names the collection that loses a child."""

    edits: tuple[Edit, ...]
    paths: tuple[Path, ...]
    drops_comments: bool = False
    removed_from: tuple[Path, int] | None = None


def plan(document: Document, actions: SequenceOf[Action], *, after: Path | None = None) -> Plan:
    """The edits that do the actions, each on the result of those before it.

    Args:
        document: the file as it is.
        actions: what is wanted; list indices count in the file as the earlier actions leave it.
        after: an entry; new keys of the same mapping go directly below it, else to the end.
    """
    try:
        check_text(document.text)
        if len(actions) == 1 and not isinstance(actions[0], MoveKey):
            draft = _draft(document, actions[0], after)
            return Plan(merge_touching(draft.edits), draft.paths, draft.drops_comments)
        return _together(document, actions, after) or _in_turn(document, actions, after)
    except Refusal as reason:
        return Plan((), (), refused=str(reason))


def _together(document: Document, actions: SequenceOf[Action], after: Path | None) -> Plan | None:
    """Plan all actions on the same text; None when they get into each other's way."""
    if any(isinstance(action, MoveKey) for action in actions):
        return None
    try:
        drafts = [_draft(document, action, after) for action in actions]
    except Refusal:
        # A later action may need what an earlier one makes.
        return None
    paths = [path for draft in drafts for path in draft.paths]
    for index, path in enumerate(paths):
        for other in paths[:index]:
            if path[: len(other)] == other[: len(path)]:
                return None
    losses: dict[Path, int] = {}
    for draft in drafts:
        if draft.removed_from is not None:
            parent, count = draft.removed_from
            losses[parent] = losses.get(parent, count) - 1
            if losses[parent] <= 0:
                return None
    edits: list[Edit] = []
    above: _Draft | None = None
    changing = [(merge_touching(draft.edits), draft) for draft in drafts if draft.edits]
    for part, draft in sorted(changing, key=lambda pair: pair[0][0].start):
        for edit in part:
            if above is None or edit.start > edits[-1].end:
                edits.append(edit)
            elif _may_join(edits[-1], edit) and _have_one_parent(document, above, draft):
                edits[-1] = Edit(edits[-1].start, edit.end, edits[-1].text + edit.text)
            else:
                return None
            above = draft
    drops = any(draft.drops_comments for draft in drafts)
    return Plan(tuple(edits), tuple(paths), drops)


def _may_join(first: Edit, second: Edit) -> bool:
    """Whether an edit may follow another one directly: lines below lines, or below a value."""
    if not first.end == second.start == second.end:
        return False
    if second.text[:1] in ("\r", "\n"):
        return first.start < first.end or first.text[:1] in ("\r", "\n")
    ends = {first.text[-1:], second.text[-1:]}
    return first.start == first.end and ends <= {"\r", "\n"}


def _have_one_parent(document: Document, first: _Draft, second: _Draft) -> bool:
    """Whether two changes are about entries of one mapping that is written already."""
    parents = {path[:-1] for draft in (first, second) for path in draft.paths}
    parent = document.node(parents.pop()) if len(parents) == 1 else None
    return isinstance(parent, Mapping) and bool(parent.entries)


def _in_turn(document: Document, actions: SequenceOf[Action], after: Path | None) -> Plan:
    """Plan each action on the text that the ones before it leave, and combine the edits."""
    text = document.text
    edits: tuple[Edit, ...] = ()
    paths: list[Path] = []
    drops = False
    waiting = list(actions)
    if after and DeleteKey(after) in waiting:
        # What comes instead of the entry takes its place; so the entry goes last.
        others = [action for action in waiting if action != DeleteKey(after)]
        if all(isinstance(a, SetValue) and a.path[: len(after)] != after for a in others):
            waiting = [*others, DeleteKey(after)]
    while waiting:
        action = waiting.pop(0)
        if isinstance(action, MoveKey):
            from cfglint.fixes.moving import move

            draft = _Draft(*move(document, action))
        else:
            draft = _draft(document, action, after)
        if after and isinstance(action, SetValue) and action.path[:-1] == after[:-1]:
            # Of several new keys each stands below the one before.
            after = action.path if document.node(action.path) is None else after
        step = merge_touching(draft.edits)
        edits = chain_edits(text, edits, step) if edits else step
        paths += [path for path in draft.paths if path not in paths]
        drops = drops or draft.drops_comments
        if waiting and step:
            document = reread(document, step)
    return Plan(edits, tuple(paths), drops)


def reread(document: Document, edits: SequenceOf[Edit]) -> Document:
    """The document after some edits.

    Raises:
        Refusal: it cannot be read any more.
    """
    from cfglint.source.compose import compose

    changed = document.source.replaced(apply_edits(document.text, edits))
    if changed.newline != document.source.newline:
        raise Refusal("The steps of this fix would leave no line break of the file's own kind.")
    try:
        return compose(changed, pure=document.pure)
    except SourceError:
        raise Refusal("The steps of this fix do not fit together in this file.") from None


def _draft(document: Document, action: Action, after: Path | None) -> _Draft:
    if isinstance(action, SetValue):
        return set_value(document, action.path, action.value, after)
    if isinstance(action, DeleteKey):
        return _delete(document, action.path)
    if isinstance(action, RenameKey):
        return _rename(document, action.path, action.new_name)
    if isinstance(action, AppendItem):
        return _append(document, action.path, action.value, after)
    if isinstance(action, DeleteEntry):
        return _delete_entry(document, action.mapping_path, action.index)
    assert isinstance(action, RewriteScalar)
    return _rewrite(document, action.path, action.literal)


# ---------------------------------------------------------------------------- setting


def set_value(document: Document, path: Path, value: Any, after: Path | None) -> _Draft:
    """Replace the value at a path, or write the keys that are missing on the way.

    Raises:
        Refusal: the place does not allow it.
    """
    place = follow(document, path)
    if not place.rest:
        if not path:
            raise Refusal("The whole file cannot be replaced.")
        check_subtree(document, place.node, path)
        if _says(place.node, value):
            return _Draft((), (path,))
        return _replace(document, place, path, value)
    written = path[: len(path) - len(place.rest)]
    rest = place.rest
    if any(isinstance(part, int) for part in rest):
        raise refusal.missing(path)
    check_own(place.node, written)
    if isinstance(place.node, Scalar) and place.node.value is None and written:
        return _replace(document, place, written, _nested(rest, value))
    if not isinstance(place.node, Mapping):
        raise refusal.not_a("a mapping", written)
    return _insert(document, place, written, str(rest[0]), _nested(rest[1:], value), after)


def _nested(keys: Path, value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _says(node: Node, value: Any) -> bool:
    """Whether a scalar holds exactly this value already."""
    if not isinstance(node, Scalar):
        return False
    held = node.value
    return type(held) is type(value) and (held == value or (held != held and value != value))


def _replace(document: Document, place: Place, path: Path, value: Any) -> _Draft:
    parent, index = place.steps[-1]
    node = place.node
    style = node.style if isinstance(node, Scalar) else ""
    if parent.flow:
        if not style and isinstance(parent, Mapping):
            style = flow.sibling_style(parent.entries)
        literal = render_inline(value, style=style, flow=True)
        return _Draft((flow.replace(document, parent, index, literal),), (path,))
    # A list in brackets stays one.
    inline = is_inline(value) or (
        isinstance(node, (Mapping, Sequence)) and node.flow and child_count(node) > 0
    )
    if inline:
        lines, width = [render_inline(value, style=style)], 0
    else:
        lines, width = _block_lines(document, value)
    change = block.replace(document, parent, index, lines, inline=inline, width=width)
    return _Draft(change.edits, (path,), change.drops_comments)


def _insert(
    document: Document, place: Place, path: Path, key: str, value: Any, after: Path | None
) -> _Draft:
    mapping = place.node
    assert isinstance(mapping, Mapping)
    check_unmerged(document, mapping, path)
    paths = ((*path, key),)
    above = len(mapping.entries) - 1
    if after and len(after) > len(path) and after[: len(path)] == path:
        for index, entry in enumerate(mapping.entries):
            if entry.label == after[len(path)]:
                above = index
    if mapping.flow:
        if not mapping.entries and not is_inline(value) and _may_open(document, place):
            return _replace(document, place, path, {key: value}).replaced(paths=paths)
        literal = flow.render_entry(mapping, key, value)
        return _Draft((flow.insert(document, mapping, above, literal),), paths)
    change = block.insert(document, mapping, above, entry_lines(document, key, value))
    return _Draft(change.edits, paths, change.drops_comments)


def _may_open(document: Document, place: Place) -> bool:
    """Whether an empty `{}` stands where a nested block could."""
    return bool(place.steps) and not place.steps[-1][0].flow


def entry_lines(document: Document, key: str, value: Any) -> list[str]:
    """The lines of a new block entry, its key at column 0.

    Raises:
        Refusal: key or value cannot be written.
    """
    literal = render_key(key)
    single = isinstance(value, list) and all(is_inline(item) for item in value)
    if is_inline(value) or (single and lists_in_brackets(document)):
        return [f"{literal}: {render_inline(value)}"]
    lines, width = _block_lines(document, value)
    return [f"{literal}:", *(" " * width + line for line in lines)]


def _block_lines(document: Document, value: Any) -> tuple[list[str], int]:
    """A nested value in the file's indentation, and the columns from its key to its lines."""
    from cfglint.fixes.fragment import render_block

    indentation = indentation_of(document)
    width = indentation.mapping if isinstance(value, dict) else indentation.dash
    return render_block(value, indentation), width


# ---------------------------------------------------------------------------- lists


def _append(document: Document, path: Path, value: Any, after: Path | None) -> _Draft:
    place = follow(document, path)
    node = place.node
    if place.rest or (isinstance(node, Scalar) and node.value is None):
        return set_value(document, path, [value], after)
    check_own(node, path)
    if not isinstance(node, Sequence):
        raise refusal.not_a("a list", path)
    count = len(node.items)
    paths = ((*path, count),)
    if node.flow:
        if not count and not is_inline(value) and not place.steps[-1][0].flow:
            return _replace(document, place, path, [value]).replaced(paths=(path,))
        styles = {item.style if isinstance(item, Scalar) else "" for item in node.items}
        style = styles.pop() if len(styles) == 1 else ""
        literal = render_inline(value, style=style, flow=True)
        return _Draft((flow.insert(document, node, count - 1, literal),), paths)
    last = node.items[-1]
    if is_inline(value):
        style = last.style if isinstance(last, Scalar) else ""
        lines = [f"- {render_inline(value, style=style)}"]
    else:
        nested, _ = _block_lines(document, value)
        lines = [f"- {nested[0]}", *("  " + line for line in nested[1:])]
    change = block.insert(document, node, count - 1, lines)
    return _Draft(change.edits, paths, change.drops_comments)


# ---------------------------------------------------------------------------- keys


def _delete(document: Document, path: Path) -> _Draft:
    place = find(document, path)
    check_subtree(document, place.node, path)
    parent, _ = place.steps[-1]
    check_unmerged(document, parent, path[:-1])
    # Removing an item renumbers the ones behind it.
    changed = path if isinstance(parent, Mapping) else path[:-1]
    return _remove(document, place.steps, changed, path[:-1])


def _delete_entry(document: Document, path: Path, index: int) -> _Draft:
    place = follow(document, path)
    mapping = place.node
    if place.rest:
        raise refusal.missing(path)
    check_own(mapping, path)
    if not isinstance(mapping, Mapping):
        raise refusal.not_a("a mapping", path)
    if not 0 <= index < len(mapping.entries):
        raise Refusal("The entry is not in the file.")
    check_unmerged(document, mapping, path)
    entry = mapping.entries[index]
    changed = (*path, entry.label)
    if isinstance(entry.key, Alias):
        raise refusal.shared(changed)
    check_subtree(document, entry.value, changed)
    return _remove(document, (*place.steps, (mapping, index)), changed, path)


def _remove(
    document: Document,
    steps: tuple[tuple[Collection, int], ...],
    changed: Path,
    parent_path: Path,
) -> _Draft:
    parent, index = steps[-1]
    if parent.flow:
        change = Change((flow.delete(document, parent, index),))
    else:
        change = block.delete(document, steps)
    return _Draft(
        change.edits, (changed,), change.drops_comments, (parent_path, child_count(parent))
    )


def _rename(document: Document, path: Path, new_name: str) -> _Draft:
    place = find(document, path)
    parent, index = place.steps[-1]
    if not isinstance(parent, Mapping):
        raise refusal.not_a("a key", path)
    check_unmerged(document, parent, path[:-1])
    target = (*path[:-1], new_name)
    key = parent.entries[index].key
    if path == target:
        return _Draft((), (path,))
    if any(entry.name == new_name for entry in parent.entries):
        raise refusal.occupied(target)
    assert isinstance(key, Scalar)
    if not parent.flow:
        block_prefix(document.text, key.start)
        after_colon(document.text, parent.entries[index])
    elif key.anchor is not None or key.tag is not None:
        raise refusal.tagged(path)
    literal = render_key(new_name, style=key.style, flow=parent.flow)
    return _Draft((Edit(key.start, key.end, literal),), (path, target))


def _rewrite(document: Document, path: Path, literal: str) -> _Draft:
    place = find(document, path)
    node = place.node
    check_own(node, path)
    if not isinstance(node, Scalar):
        raise refusal.not_a("a single value", path)
    parent, index = place.steps[-1]
    if parent.flow:
        edits: tuple[Edit, ...] = (flow.replace(document, parent, index, literal),)
    else:
        edits = block.replace(document, parent, index, [literal], inline=True, width=0).edits
    return _Draft(edits, (path,))
