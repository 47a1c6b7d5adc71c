"""Moving a key to another mapping, with its comments and its spelling."""

from __future__ import annotations

from cfglint.diagnostic import Edit
from cfglint.fixes import block, flow, refusal, yaml_drafts
from cfglint.fixes.actions import MoveKey, RenameKey, SetValue
from cfglint.fixes.applying import chain_edits, merge_touching
from cfglint.fixes.drafts import Draft, reread
from cfglint.fixes.headings import is_heading
from cfglint.fixes.layout import (
    block_header,
    block_prefix,
    child_end,
    child_start,
    column,
    comment_block_start,
    indentation_of,
    last_leaf,
    line_end,
    line_start,
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
from cfglint.source.document import Document, Mapping, Path, Scalar
from cfglint.source.languages.yaml_render import render_key
from cfglint.source.values import to_python


def move(document: Document, action: MoveKey) -> Draft:
    """Plan a move: the entry's lines go along as they are written, indented to fit.

    Where they cannot, only the value goes, and the comments stay where they are.

    Raises:
        Refusal: the key cannot be moved exactly.
    """
    path, new_path = action.path, action.new_path
    source = find(document, path)
    parent, _ = source.steps[-1]
    if not isinstance(parent, Mapping) or not new_path or isinstance(new_path[-1], int):
        raise refusal.not_a("a key", path)
    if new_path[: len(path)] == path:
        raise Refusal("A key cannot be moved into itself.")
    check_subtree(document, source.node, path)
    target = follow(document, new_path)
    if not target.rest and not (isinstance(target.node, Scalar) and target.node.value is None):
        raise refusal.occupied(new_path)
    if path[:-1] == new_path[:-1] and target.rest:
        return yaml_drafts.draft(document, RenameKey(path, str(new_path[-1])), None)

    lines = _source_lines(document, source, str(new_path[-1]))
    if lines is not None and target.node is parent and len(target.rest) > 1:
        there = _in_place(document, source, target, lines)
        if there is not None:
            check_own(parent, path[:-1])
            check_unmerged(document, parent, path[:-1])
            return Draft(there, (path, (*path[:-1], target.rest[0])))
    if lines is not None and not (target.rest and _takes_lines(target)):
        lines = None
    removal = _removal(document, source, path, comments_go_along=lines is not None)
    remaining = reread(document, removal)
    target = follow(remaining, new_path)
    written = new_path[: len(new_path) - len(target.rest)]
    if lines is None or not target.rest or not _takes_lines(target):
        if lines is not None:
            raise Refusal("What is left does not take the lines of the key.")
        insertion = yaml_drafts.draft(remaining, SetValue(new_path, to_python(source.node)), None)
    else:
        check_own(target.node, written)
        check_unmerged(remaining, target.node, written)
        width = indentation_of(document).mapping
        lines = _wrapped(document, source, target.rest, lines)
        added = _insert_lines(remaining, target, lines, width)
        leaf = last_leaf(source.node)
        if isinstance(leaf, Scalar) and leaf.style in ("|", ">"):
            shift = _last_indent(added[-1].text) - _last_indent(document.text[: leaf.end])
            indent = block.text_indent(document.text, leaf) + shift
            block.check_lines_below(remaining.text, added[-1].start, indent)
        changed = (*written, target.rest[0]) if isinstance(target.node, Mapping) else written
        insertion = Draft(added, (changed,))
    edits = chain_edits(document.text, removal, merge_touching(insertion.edits))
    return Draft(edits, (path, *insertion.paths))


def _last_indent(text: str) -> int:
    """The column at which the last line of a text begins."""
    line = text[line_start(text, len(text)) :]
    return len(line) - len(line.lstrip(" "))


def _removal(
    document: Document, source: FollowedPath, path: Path, *, comments_go_along: bool
) -> tuple[Edit, ...]:
    """Take the entry out."""
    parent, index = source.steps[-1]
    check_unmerged(document, parent, path[:-1])
    if parent.flow:
        return (flow.delete(document, parent, index),)
    return merge_touching(block.delete(document, source.steps, comments_go_along=comments_go_along))


def _in_place(
    document: Document, source: FollowedPath, target: FollowedPath, lines: list[str]
) -> tuple[Edit, ...] | None:
    """Write a new mapping in the place of its first entry; None when that shares its line."""
    text = document.text
    parent, index = source.steps[-1]
    start = child_start(text, parent, index)
    if "-" in block_prefix(text, start):
        return None
    indent = " " * column(text, start)
    new = (
        indent + line if line else line for line in _wrapped(document, source, target.rest, lines)
    )
    begin = comment_block_start(text, start)
    stop = line_end(text, child_end(text, parent, index))
    return (Edit(begin, stop, document.source.newline.join(new)),)


def _wrapped(document: Document, source: FollowedPath, rest: Path, lines: list[str]) -> list[str]:
    """The lines of an entry below the keys that are made for it."""
    if len(rest) < 2:
        return lines
    width = indentation_of(document).mapping
    above = _heading_lines(document.text, source)
    heading, lines = lines[:above], lines[above:]
    for key in reversed(rest[:-1]):
        below = (" " * width + line if line else line for line in lines)
        lines = [f"{render_key(key)}:", *below]
    return heading + lines


def _heading_lines(text: str, place: FollowedPath) -> int:
    """How many lines above a block entry are about those below it, too: none or one."""
    parent, index = place.steps[-1]
    start = child_start(text, parent, index)
    begin = comment_block_start(text, start)
    return int(begin < line_start(text, start) and is_heading(text, parent, index, begin))


def _takes_lines(place: FollowedPath) -> bool:
    """Whether block lines can follow: a filled block mapping, or `key:` with null."""
    node = place.node
    if isinstance(node, Mapping):
        return not node.flow and bool(node.entries)
    if isinstance(node, Scalar) and node.value is None and place.steps:
        return not place.steps[-1][0].flow
    return False


def _insert_lines(
    document: Document, place: FollowedPath, lines: list[str], width: int
) -> tuple[Edit, ...]:
    node = place.node
    if isinstance(node, Mapping):
        return block.insert(document, node, len(node.entries) - 1, lines)
    parent, index = place.steps[-1]
    return block.replace(document, parent, index, lines, inline=False, width=width)


def _source_lines(document: Document, place: FollowedPath, new_name: str) -> list[str] | None:
    """The written lines of a block entry, shifted to column 0, under the new name.

    None when it is not on lines of its own.
    """
    parent, index = place.steps[-1]
    if parent.flow or not isinstance(parent, Mapping):
        return None
    text = document.text
    key = parent.entries[index].key
    assert isinstance(key, Scalar)
    prefix = block_prefix(text, key.start)
    begin = line_start(text, key.start)
    if "-" not in prefix:
        begin = comment_block_start(text, key.start)
    stop = line_end(text, child_end(text, parent, index))
    leaf = last_leaf(place.node)
    if isinstance(leaf, Scalar) and leaf.style in ("|", ">"):
        _, header = block_header(text, leaf)
        if "+" in header:
            raise Refusal("Blank lines that belong to a block text cannot be moved.")
        if "-" not in header and not text.endswith(("\n", "\r")):
            raise Refusal(
                "A block text at the end of the file, without a line break, would change."
            )
    width = column(text, key.start)
    lines = [line[width:] for line in text[begin : line_start(text, key.start)].splitlines()]
    first, *rest = (render_key(new_name, style=key.style) + text[key.end : stop]).splitlines()
    lines.append(first)
    for line in rest:
        if line[:width].strip(" "):
            raise Refusal("Lines of the value are indented less than its key.")
        lines.append(line[width:])
    return lines
