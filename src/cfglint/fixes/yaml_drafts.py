"""Actions on YAML: block and flow collections, each in its own layout."""

from __future__ import annotations

from cfglint.base.type_names import Any
from cfglint.diagnostic import Edit
from cfglint.fixes import block, flow, refusal
from cfglint.fixes.actions import (
    Action,
    AppendItem,
    DeleteEntry,
    DeleteKey,
    RenameKey,
    RewriteScalar,
    SetValue,
)
from cfglint.fixes.drafts import Draft, nested, says
from cfglint.fixes.layout import (
    Collection,
    after_colon,
    block_prefix,
    child_count,
    indentation_of,
    lists_in_brackets,
)
from cfglint.fixes.locate import (
    FollowedPath,
    check_own,
    check_subtree,
    check_unmerged,
    find,
    follow,
)
from cfglint.fixes.refusal import Refusal
from cfglint.source.document import Alias, Document, Mapping, Path, Scalar, Sequence
from cfglint.source.languages.yaml_render import is_inline, render_inline, render_key


def draft(document: Document, action: Action, after: Path | None) -> Draft:
    """What an action does to a YAML text; moving a key is more than one (`fixes.moving`).

    Raises:
        Refusal: the place does not allow it.
    """
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


def set_value(document: Document, path: Path, value: Any, after: Path | None) -> Draft:
    """Replace the value at a path, or write the keys that are missing on the way.

    Raises:
        Refusal: the place does not allow it.
    """
    place = follow(document, path)
    if not place.rest:
        if not path:
            raise Refusal("The whole file cannot be replaced.")
        check_subtree(document, place.node, path)
        if says(place.node, value):
            return Draft((), (path,))
        return _replace(document, place, path, value)
    written = path[: len(path) - len(place.rest)]
    rest = place.rest
    if any(isinstance(part, int) for part in rest):
        raise refusal.missing(path)
    check_own(place.node, written)
    if isinstance(place.node, Scalar) and place.node.value is None and written:
        return _replace(document, place, written, nested(rest, value))
    if not isinstance(place.node, Mapping):
        raise refusal.not_a("a mapping", written)
    return _insert(document, place, written, str(rest[0]), nested(rest[1:], value), after)


def _replace(document: Document, place: FollowedPath, path: Path, value: Any) -> Draft:
    parent, index = place.steps[-1]
    node = place.node
    style = node.style if isinstance(node, Scalar) else ""
    if parent.flow:
        if not style and isinstance(parent, Mapping):
            style = flow.sibling_style(parent.entries)
        literal = render_inline(value, style=style, flow=True)
        return Draft((flow.replace(document, parent, index, literal),), (path,))
    # A list in brackets stays one.
    inline = is_inline(value) or (
        isinstance(node, (Mapping, Sequence)) and node.flow and child_count(node) > 0
    )
    if inline:
        lines, width = [render_inline(value, style=style)], 0
    else:
        lines, width = _block_lines(document, value)
    edits = block.replace(document, parent, index, lines, inline=inline, width=width)
    return Draft(edits, (path,))


def _insert(
    document: Document, place: FollowedPath, path: Path, key: str, value: Any, after: Path | None
) -> Draft:
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
        return Draft((flow.insert(document, mapping, above, literal),), paths)
    return Draft(block.insert(document, mapping, above, entry_lines(document, key, value)), paths)


def _may_open(document: Document, place: FollowedPath) -> bool:
    """Whether an empty `{}` is where a nested block could."""
    return bool(place.steps) and not place.steps[-1][0].flow


def entry_lines(document: Document, key: str, value: Any) -> list[str]:
    """The lines of a new block entry, its key at column 0.

    Raises:
        Refusal: key or value cannot be written.
    """
    literal = render_key(key)
    if _is_several_lines(value):
        indent = " " * indentation_of(document).mapping
        below = (indent + line if line else "" for line in value.split("\n"))
        return [f"{literal}: |-", *below]
    single = isinstance(value, list) and all(is_inline(item) for item in value)
    if is_inline(value) or (single and lists_in_brackets(document)):
        return [f"{literal}: {render_inline(value)}"]
    lines, width = _block_lines(document, value)
    return [f"{literal}:", *(" " * width + line for line in lines)]


def _is_several_lines(value: Any) -> bool:
    """Whether a value is a text that reads best, and means the same, as a literal block."""
    if not isinstance(value, str) or "\n" not in value:
        return False
    lines = value.split("\n")
    plain = all(line.isprintable() for line in lines)
    return plain and bool(lines[-1].strip()) and bool(lines[0].strip()) and lines[0][0] != " "


def _block_lines(document: Document, value: Any) -> tuple[list[str], int]:
    """A nested value in the file's indentation, and the columns from its key to its lines."""
    from cfglint.fixes.fragment import render_block

    indentation = indentation_of(document)
    width = indentation.mapping if isinstance(value, dict) else indentation.dash
    return render_block(value, indentation), width


# ---------------------------------------------------------------------------- lists


def _append(document: Document, path: Path, value: Any, after: Path | None) -> Draft:
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
        return Draft((flow.insert(document, node, count - 1, literal),), paths)
    last = node.items[-1]
    if is_inline(value):
        style = last.style if isinstance(last, Scalar) else ""
        lines = [f"- {render_inline(value, style=style)}"]
    else:
        nested, _ = _block_lines(document, value)
        lines = [f"- {nested[0]}", *("  " + line for line in nested[1:])]
    return Draft(block.insert(document, node, count - 1, lines), paths)


# ---------------------------------------------------------------------------- keys


def _delete(document: Document, path: Path) -> Draft:
    place = find(document, path)
    check_subtree(document, place.node, path)
    parent, _ = place.steps[-1]
    check_unmerged(document, parent, path[:-1])
    # Removing an item renumbers the ones behind it.
    changed = path if isinstance(parent, Mapping) else path[:-1]
    return _remove(document, place.steps, changed, path[:-1])


def _delete_entry(document: Document, path: Path, index: int) -> Draft:
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
) -> Draft:
    parent, index = steps[-1]
    if parent.flow:
        edits: tuple[Edit, ...] = (flow.delete(document, parent, index),)
    else:
        edits = block.delete(document, steps)
    return Draft(edits, (changed,), (parent_path, child_count(parent)))


def _rename(document: Document, path: Path, new_name: str) -> Draft:
    place = find(document, path)
    parent, index = place.steps[-1]
    if not isinstance(parent, Mapping):
        raise refusal.not_a("a key", path)
    check_unmerged(document, parent, path[:-1])
    target = (*path[:-1], new_name)
    key = parent.entries[index].key
    if path == target:
        return Draft((), (path,))
    if any(entry.name == new_name for entry in parent.entries):
        raise refusal.occupied(target)
    assert isinstance(key, Scalar)
    if not parent.flow:
        block_prefix(document.text, key.start)
        after_colon(document.text, parent.entries[index])
    elif key.anchor is not None or key.tag is not None:
        raise refusal.tagged(path)
    literal = render_key(new_name, style=key.style, flow=parent.flow)
    return Draft((Edit(key.start, key.end, literal),), (path, target))


def _rewrite(document: Document, path: Path, literal: str) -> Draft:
    place = find(document, path)
    node = place.node
    check_own(node, path)
    if not isinstance(node, Scalar):
        raise refusal.not_a("a single value", path)
    parent, index = place.steps[-1]
    if parent.flow:
        edits: tuple[Edit, ...] = (flow.replace(document, parent, index, literal),)
    else:
        edits = block.replace(document, parent, index, [literal], inline=True, width=0)
    return Draft(edits, (path,))
