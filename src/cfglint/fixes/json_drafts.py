"""Actions on JSON: members and items come and go with their commas, in the file's own layout."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any
from cfglint.diagnostic import Edit
from cfglint.fixes import refusal
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
from cfglint.fixes.applying import chain_edits, merge_touching
from cfglint.fixes.drafts import Draft, nested, reread, says
from cfglint.fixes.json_layout import (
    begins_line,
    comma_after,
    comments_of,
    end_of,
    indent_at,
    is_last,
    start_of,
    style_of,
)
from cfglint.fixes.json_removal import COMMENTS_INSIDE, removal
from cfglint.fixes.layout import (
    Collection,
    child_count,
    line_end,
    line_start,
)
from cfglint.fixes.locate import FollowedPath, find, follow
from cfglint.fixes.refusal import Refusal
from cfglint.source.document import Document, Entry, Mapping, Path, Scalar, Sequence
from cfglint.source.languages.json import render
from cfglint.source.values import to_python

_BLANK = " \t"
_LINES = lazy_pattern(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def draft(document: Document, action: Action, after: Path | None) -> Draft:
    """What an action does to a JSON text.

    Raises:
        Unwritable: the place does not allow it, or JSON cannot write the value.
    """
    if isinstance(action, SetValue):
        return _set_value(document, action.path, action.value, after)
    if isinstance(action, DeleteKey):
        return _delete(document, action.path)
    if isinstance(action, RenameKey):
        return _rename(document, action.path, action.new_name)
    if isinstance(action, AppendItem):
        return _append(document, action.path, action.value, after)
    if isinstance(action, DeleteEntry):
        return _delete_entry(document, action.mapping_path, action.index)
    if isinstance(action, MoveKey):
        return _move(document, action.path, action.new_path)
    assert isinstance(action, RewriteScalar)
    return _rewrite(document, action.path, action.literal)


# ---------------------------------------------------------------------------- setting


def _set_value(document: Document, path: Path, value: Any, after: Path | None) -> Draft:
    place = follow(document, path)
    if not place.rest:
        if not path:
            raise Refusal("The whole file cannot be replaced.")
        if says(place.node, value):
            return Draft((), (path,))
        return _replace(document, place, path, value)
    written = path[: len(path) - len(place.rest)]
    if any(isinstance(part, int) for part in place.rest):
        raise refusal.missing(path)
    if isinstance(place.node, Scalar) and place.node.value is None and written:
        return _replace(document, place, written, nested(place.rest, value))
    if not isinstance(place.node, Mapping):
        raise refusal.not_a("a mapping", written)
    key = str(place.rest[0])
    above = child_count(place.node) - 1
    if after and len(after) > len(written) and after[: len(written)] == written:
        for index, entry in enumerate(place.node.entries):
            if entry.label == after[len(written)]:
                above = index
    value = nested(place.rest[1:], value)
    edits = _insert(document, place, above, key, value)
    return Draft(edits, ((*written, key),))


def _replace(document: Document, place: FollowedPath, path: Path, value: Any) -> Draft:
    node = place.node
    text = document.text
    several_lines = begins_line(text, start_of(*place.steps[-1])) and (
        not isinstance(node, (Mapping, Sequence))
        or not child_count(node)
        or line_end(text, node.start) < node.end
    )
    literal = _literal(document, value, indent_at(text, node.start) if several_lines else None)
    if comments_of(document).inside(node.start, node.end):
        raise Refusal(COMMENTS_INSIDE)
    return Draft((Edit(node.start, node.end, literal),), (path,))


def _literal(document: Document, value: Any, indent: str | None) -> str:
    """A value as it is on a line with an indentation; None: all of it on one line."""
    style = style_of(document)
    if indent is None or not isinstance(value, (dict, list, tuple)) or not value:
        return render(value, compact=style.compact)
    items = value.values() if isinstance(value, dict) else value
    newline = document.source.newline
    single = not any(isinstance(item, (dict, list, tuple)) for item in items)
    if not isinstance(value, dict) and single and style.lists_on_one_line:
        return render(value, compact=style.compact)
    deeper = indent + style.indent
    if isinstance(value, dict):
        colon = ":" if style.compact else ": "
        parts = [
            f"{render(key)}{colon}{_literal(document, item, deeper)}" for key, item in value.items()
        ]
        opener, closer = "{}"
    else:
        parts = [_literal(document, item, deeper) for item in value]
        opener, closer = "[]"
    lines = f",{newline}{deeper}".join(parts)
    return f"{opener}{newline}{deeper}{lines}{newline}{indent}{closer}"


# ---------------------------------------------------------------------------- adding


def _append(document: Document, path: Path, value: Any, after: Path | None) -> Draft:
    place = follow(document, path)
    node = place.node
    if place.rest or (isinstance(node, Scalar) and node.value is None):
        return _set_value(document, path, [value], after)
    if not isinstance(node, Sequence):
        raise refusal.not_a("a list", path)
    count = child_count(node)
    edits = _insert(document, place, count - 1, None, value)
    return Draft(edits, ((*path, count),) if count else (path,))


def _insert(
    document: Document, place: FollowedPath, above: int, key: str | None, value: Any
) -> tuple[Edit, ...]:
    """Add a member or an item below the `above`-th child of a collection."""
    parent = place.node
    assert isinstance(parent, (Mapping, Sequence))

    def literal(indent: str | None) -> str:
        colon = ":" if style_of(document).compact else ": "
        head = "" if key is None else render(key) + colon
        return head + _literal(document, value, indent)

    return _insert_literal(document, place, above, literal)


def _insert_literal(
    document: Document, place: FollowedPath, above: int, literal: Callable[[str | None], str]
) -> tuple[Edit, ...]:
    text = document.text
    parent = place.node
    assert isinstance(parent, (Mapping, Sequence))
    if not child_count(parent):
        return _fill(document, place, parent, literal)
    comments = comments_of(document)
    end = end_of(parent, above)
    comma, behind = comma_after(text, comments, parent, above)
    has_comma, last = comma < behind, is_last(parent, above)
    start = start_of(parent, above)
    if not begins_line(text, start):
        separator = _separator(document, parent, above)
        if last and has_comma:
            # It stood before the closing bracket; now it has a use.
            return (Edit(behind, behind, separator[1:] + literal(None)),)
        return (Edit(end, end, separator + literal(None)),)
    indent = indent_at(text, start)
    new = document.source.newline + indent + literal(indent)
    spot = behind if has_comma else end
    stop = comments.skip(text, spot, lines=False)
    if stop == line_end(text, stop):
        # Behind a comment that ends the line.
        spot = stop if stop > spot and comments.inside(spot, stop) else spot
    elif not last:
        # The next child shares the line.
        spot = end
        return (Edit(end, end, f",{new}"),)
    added = "" if last else ","
    if has_comma:
        return (Edit(spot, spot, new + added),)
    if spot == end:
        return (Edit(end, end, "," + new + added),)
    return (Edit(end, end, ","), Edit(spot, spot, new + added))


def _separator(document: Document, parent: Collection, index: int) -> str:
    """The text between two children on one line."""
    text = document.text
    if child_count(parent) > 1:
        first = min(index, child_count(parent) - 2)
        between = text[end_of(parent, first) : start_of(parent, first + 1)]
        if between[:1] == "," and not between[1:].strip(_BLANK):
            return between
        return ", "
    return "," if style_of(document).compact else ", "


def _fill(
    document: Document,
    place: FollowedPath,
    parent: Collection,
    literal: Callable[[str | None], str],
) -> tuple[Edit, ...]:
    """Put the first child into empty brackets."""
    text = document.text
    start, end = parent.start + 1, parent.end - 1
    interior = text[start:end]
    newline = document.source.newline
    own_line = bool(place.steps) and begins_line(text, start_of(*place.steps[-1]))
    outer = indent_at(text, parent.start)
    indent = outer + style_of(document).indent
    if interior.strip():
        # A comment is there.
        if begins_line(text, end):
            return (
                Edit(
                    line_start(text, end),
                    line_start(text, end),
                    f"{indent}{literal(indent)}{newline}",
                ),
            )
        return (Edit(start, start, literal(None) + " " * (interior[0] not in _BLANK)),)
    if own_line or "\n" in interior or "\r" in interior:
        new = f"{newline}{indent}{literal(indent)}{newline}{outer}"
        return (Edit(start, end, new),)
    padding = " " if interior else ""
    return (Edit(start, end, f"{padding}{literal(None)}{padding}"),)


# ---------------------------------------------------------------------------- removing


def _delete(document: Document, path: Path) -> Draft:
    place = find(document, path)
    parent, index = place.steps[-1]
    # Removing an item renumbers the ones behind it.
    changed = path if isinstance(parent, Mapping) else path[:-1]
    edits = removal(document, parent, index)
    return Draft(edits, (changed,), (path[:-1], child_count(parent)))


def _delete_entry(document: Document, path: Path, index: int) -> Draft:
    place = follow(document, path)
    mapping = place.node
    if place.rest:
        raise refusal.missing(path)
    if not isinstance(mapping, Mapping):
        raise refusal.not_a("a mapping", path)
    if not 0 <= index < len(mapping.entries):
        raise Refusal("The entry is not in the file.")
    edits = removal(document, mapping, index)
    changed = (*path, mapping.entries[index].label)
    return Draft(edits, (changed,), (path, len(mapping.entries)))


# ---------------------------------------------------------------------------- rewriting


def _rename(document: Document, path: Path, new_name: str) -> Draft:
    place = find(document, path)
    parent, index = place.steps[-1]
    if not isinstance(parent, Mapping):
        raise refusal.not_a("a key", path)
    target = (*path[:-1], new_name)
    if path == target:
        return Draft((), (path,))
    if any(entry.name == new_name for entry in parent.entries):
        raise refusal.occupied(target)
    key = parent.entries[index].key
    return Draft((Edit(key.start, key.end, render(new_name)),), (path, target))


def _rewrite(document: Document, path: Path, literal: str) -> Draft:
    import json

    node = find(document, path).node
    if not isinstance(node, Scalar):
        raise refusal.not_a("a single value", path)
    try:
        json.loads(literal)
    except (ValueError, RecursionError):
        raise Refusal("The new spelling is not JSON.") from None
    return Draft((Edit(node.start, node.end, literal),), (path,))


def _move(document: Document, path: Path, new_path: Path) -> Draft:
    source = find(document, path)
    parent, index = source.steps[-1]
    if not isinstance(parent, Mapping) or not new_path or isinstance(new_path[-1], int):
        raise refusal.not_a("a key", path)
    if new_path[: len(path)] == path:
        raise Refusal("A key cannot be moved into itself.")
    target = follow(document, new_path)
    if not target.rest and not (isinstance(target.node, Scalar) and target.node.value is None):
        raise refusal.occupied(new_path)
    if path[:-1] == new_path[:-1] and target.rest:
        return _rename(document, path, str(new_path[-1]))
    entry = parent.entries[index]
    if comments_of(document).inside(entry.key.end, entry.value.end):
        raise Refusal(COMMENTS_INSIDE)
    if target.node is parent and begins_line(document.text, entry.key.start):
        # In its present place, below the keys that are made for it.
        literal = _wrapped(document, entry, target.rest)(indent_at(document.text, entry.key.start))
        edit = Edit(entry.key.start, entry.value.end, literal)
        return Draft((edit,), (path, (*path[:-1], target.rest[0])))
    edits = merge_touching(removal(document, parent, index))
    remaining = reread(document, edits)
    target = follow(remaining, new_path)
    written = new_path[: len(new_path) - len(target.rest)]
    if isinstance(target.node, Mapping):
        literal_at = _wrapped(document, entry, target.rest)
        above = child_count(target.node) - 1
        more = _insert_literal(remaining, target, above, literal_at)
        changed: Path = (*written, target.rest[0])
    else:
        made = _set_value(remaining, new_path, to_python(entry.value), None)
        more, changed = made.edits, made.paths[0]
    both = chain_edits(document.text, edits, merge_touching(more))
    return Draft(both, (path, changed))


def _wrapped(document: Document, entry: Entry, keys: Path) -> Callable[[str | None], str]:
    """What writes a member under new keys, its value as it is written, at an indentation."""
    text, node = document.text, entry.value
    style = style_of(document)
    colon = ":" if style.compact else ": "
    newline = document.source.newline
    held: list[str] = _LINES.findall(text[node.start : node.end])
    first, lines = held[0], held[1:]
    old = indent_at(text, node.start)
    shifts = begins_line(text, entry.key.start) and all(line.startswith(old) for line in lines)

    def value(indent: str | None) -> str:
        if not lines:
            return first
        if indent is None or not shifts:
            return _literal(document, to_python(node), indent)
        return first + "".join(indent + line[len(old) :] for line in lines)

    def write(indent: str | None, names: Path = keys) -> str:
        head = render(str(names[0])) + colon
        if len(names) == 1:
            return head + value(indent)
        if indent is None:
            return f"{head}{{{write(None, names[1:])}}}"
        deeper = indent + style.indent
        return f"{head}{{{newline}{deeper}{write(deeper, names[1:])}{newline}{indent}}}"

    return write
