"""Edits of block mappings and block lists: whole lines come and go, dashes slide."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.diagnostic import Edit
from cfglint.fixes.flow import check_no_comments
from cfglint.fixes.headings import is_heading
from cfglint.fixes.layout import (
    Collection,
    block_header,
    block_prefix,
    child_count,
    child_end,
    child_start,
    child_value,
    column,
    comment_block_start,
    is_empty,
    last_leaf,
    line_above,
    line_end,
    line_start,
    next_line,
    value_slot,
)
from cfglint.fixes.refusal import Refusal
from cfglint.source.document import Document, Mapping, Node, Scalar, Sequence


class Change(Record):
    """Edits, and whether a comment goes with them."""

    edits: tuple[Edit, ...]
    drops_comments: bool = False


# ---------------------------------------------------------------------------- inserting


def insert(document: Document, parent: Collection, after: int, lines: list[str]) -> Change:
    """Put new lines below the `after`-th child.

    Args:
        document: the file.
        parent: a filled block collection.
        after: index of the child above.
        lines: the new lines, the first at column 0; they are indented to fit.

    Raises:
        Refusal: the place does not allow it.
    """
    text = document.text
    first = child_start(text, parent, 0)
    block_prefix(text, first)
    above = child_start(text, parent, after)
    block_prefix(text, above)
    if isinstance(parent, Mapping):
        value_slot(text, parent, after)
    indent = " " * column(text, first)
    position, edits = _end_of_child(document, parent, after)
    position = _skip_deeper_comments(text, position, len(indent))
    newline = document.source.newline
    new = "".join(newline + (indent + line if line else line) for line in lines)
    return Change((*edits, Edit(position, position, new)))


def _end_of_child(
    document: Document, parent: Collection, index: int
) -> tuple[int, tuple[Edit, ...]]:
    """Where a line can follow a child (the end of its last line), and what must change for it."""
    text = document.text
    end = line_end(text, child_end(text, parent, index))
    leaf = last_leaf(child_value(parent, index))
    if not isinstance(leaf, Scalar) or leaf.style not in ("|", ">"):
        return end, ()
    header_end, header = block_header(text, leaf)
    if end == len(text) and header_end < leaf.end and "-" not in header:
        # Without a line break behind it the text has no final newline; `-` keeps it that way.
        kept = header.replace("+", "")
        return end, (Edit(header_end - len(header), header_end, kept + "-"),)
    if "+" in header:
        # The blank lines below belong to the text.
        following = next_line(text, end)
        while following < len(text) and not text[following : line_end(text, following)].strip(" "):
            end = line_end(text, following)
            following = next_line(text, following)
            if end == len(text):
                raise Refusal("The file ends in blank lines that belong to a block text.")
    return end, ()


def _skip_deeper_comments(text: str, end: int, width: int) -> int:
    """Move past the comment lines right below that are indented more than `width`."""
    while True:
        begin = next_line(text, end)
        if begin >= len(text) or begin == end:
            return end
        stop = line_end(text, begin)
        line = text[begin:stop]
        stripped = line.lstrip(" ")
        if not stripped.startswith("#") or len(line) - len(stripped) <= width:
            return end
        end = stop


# ---------------------------------------------------------------------------- deleting


def delete(
    document: Document, owners: tuple[tuple[Collection, int], ...], *, headings: bool = True
) -> Change:
    """Remove a child with its trailing comment and the comment lines directly above it.

    Args:
        document: the file.
        owners: the way from the root to the child; the last step is the one to remove.
        headings: whether a comment that is about the entries below, too, stays.

    Raises:
        Refusal: the place does not allow it.
    """
    text = document.text
    parent, index = owners[-1]
    count = child_count(parent)
    start = child_start(text, parent, index)
    if isinstance(parent, Mapping):
        value_slot(text, parent, index)
    prefix = block_prefix(text, start)
    end = child_end(text, parent, index)
    stop = line_end(text, end)
    trailing = "#" in text[end:stop]
    inner = _has_comment(document, start, end, child_value(parent, index))
    empty = "{}" if isinstance(parent, Mapping) else "[]"
    if "-" in prefix:
        if count == 1:
            return Change((Edit(start, stop, empty),), trailing or inner)
        following = child_start(text, parent, 1)
        position = next_line(text, stop)
        while text[position] in " \r\n":
            position += 1
        if text[position] == "\t":
            raise Refusal("The next line starts with a tab.")
        block_prefix(text, following)
        return Change((Edit(start, position, ""),), trailing or inner)

    begin = comment_block_start(text, start)
    if headings and is_heading(text, parent, index, begin):
        begin = line_start(text, start)
    drops = trailing or inner or begin < line_start(text, start)
    if count == 1 and len(owners) == 1:
        return Change((Edit(begin, stop, empty),), drops)
    if index > 0:
        _check_text_above(document, child_value(parent, index - 1), stop)
    lines = _line_removal(text, begin, stop)
    if count > 1:
        return Change((lines,), drops)
    slot = value_slot(text, *owners[-2])
    return Change((Edit(slot, slot, " " + empty), lines), drops)


def _line_removal(text: str, begin: int, stop: int) -> Edit:
    """Remove the lines from `begin` (a line start) to `stop` (a line end)."""
    after = next_line(text, stop)
    if after > stop:
        return Edit(begin, after, "")
    # The last line has no line break: what stands between it and the text above goes, so that the
    # file ends as before.
    while begin > 0:
        begin -= 2 if text.startswith("\r\n", begin - 2) else 1
        above = line_start(text, begin)
        if text[above:begin].strip(" "):
            break
        begin = above
    return Edit(begin, stop, "")


def _check_text_above(document: Document, node: Node, stop: int) -> None:
    """Refuse when the lines below the removed ones would become part of a block text above."""
    leaf = last_leaf(node)
    if not isinstance(leaf, Scalar) or leaf.style not in ("|", ">"):
        return
    text = document.text
    _, header = block_header(text, leaf)
    position = next_line(text, stop)
    if "+" in header or (position == stop and "-" not in header):
        raise Refusal("The block text above would change.")
    check_lines_below(text, stop, text_indent(text, leaf))


def text_indent(text: str, leaf: Scalar) -> int:
    """The column of a block text's lines; 0 when they do not tell."""
    header_end, header = block_header(text, leaf)
    if any(char.isdigit() for char in header):
        return 0
    body = (line for line in text[header_end : leaf.end].splitlines()[1:] if line.strip(" "))
    return min((len(line) - len(line.lstrip(" ")) for line in body), default=0)


def check_lines_below(text: str, stop: int, indent: int) -> None:
    """Refuse to let a block text end at a line end where it would take in what follows.

    Args:
        text: the file.
        stop: the line end.
        indent: the column of the block text's lines.

    Raises:
        Refusal: an indented comment, or a line of more spaces, would become part of the text.
    """
    position = next_line(text, stop)
    while position < len(text):
        line = text[position : line_end(text, position)]
        if line.strip(" "):
            if line.startswith(" ") and line.lstrip(" ").startswith("#"):
                raise Refusal("A comment below would become part of the block text above.")
            return
        if len(line) > indent:
            raise Refusal("Spaces on a line below would become part of the block text above.")
        position = next_line(text, position)


def _has_comment(document: Document, start: int, end: int, node: Node) -> bool:
    """Whether a comment is in a range that ends with a node."""
    text = document.text
    if text.find("#", start, end) < 0:
        return False
    if isinstance(node, Scalar) and node.style not in ("|", ">"):
        between = text[start : node.start]
        return "#" in between and _scan(document, start, end)
    return _scan(document, start, end)


def _scan(document: Document, start: int, end: int) -> bool:
    from cfglint.source.comments import find_comments

    return any(
        start <= comment.span.start < end
        for comment in find_comments(document.text, pure=document.pure)
    )


# ---------------------------------------------------------------------------- replacing


def replace(
    document: Document,
    parent: Collection,
    index: int,
    lines: list[str],
    *,
    inline: bool,
    width: int,
) -> Change:
    """Give a child of a block collection another value.

    Args:
        document: the file.
        parent: the block collection.
        index: which child.
        lines: the new value, the first line at column 0.
        inline: whether the value belongs on the line of its key.
        width: columns from the key to new lines below it.

    Raises:
        Refusal: the place does not allow it.
    """
    text = document.text
    node = child_value(parent, index)
    slot = value_slot(text, parent, index)
    newline = document.source.newline
    if isinstance(node, (Mapping, Sequence)):
        if not node.flow:
            return _replace_block(document, parent, index, lines, inline=inline, width=width)
        check_no_comments(document, node)

    start, end, tail = node.start, node.end, ""
    if isinstance(node, Scalar) and node.style in ("|", ">"):
        header_end, _ = block_header(text, node)
        if header_end < node.end:
            # A comment behind the `|` stays.
            tail = text[header_end : line_end(text, header_end)].rstrip()
    same_line = is_empty(node) or line_start(text, node.start) <= slot
    if inline:
        new = " " + lines[0] if is_empty(node) else lines[0] + tail
        if is_empty(node):
            start = end = slot
        return Change((_in_column(text, start, end, new),))

    stop = line_end(text, end)
    if isinstance(parent, Mapping) and same_line:
        indent = " " * (column(text, parent.entries[index].key.start) + width)
        below = "".join(newline + indent + line for line in lines)
        removal = Edit(slot, slot if is_empty(node) else end, tail)
        return Change((removal, Edit(stop, stop, below)))
    if is_empty(node):
        first = Edit(slot, slot, " " + lines[0])
        indent = " " * (column(text, slot) + 1)
    else:
        first = Edit(start, end, lines[0] + tail)
        indent = " " * column(text, start)
    below = "".join(newline + indent + line for line in lines[1:])
    return Change((first, Edit(stop, stop, below)))


def _in_column(text: str, start: int, end: int, new: str) -> Edit:
    """Write something else on a line; a comment that is in one column with others stays there."""
    line, stop = line_start(text, end), line_end(text, end)
    place = end
    while place < stop and text[place] == " ":
        place += 1
    growth = len(new) - (end - start)
    if line > start or place == end or place - end <= growth or text[place : place + 1] != "#":
        return Edit(start, end, new)
    width = place - line
    neighbours = [next_line(text, stop), *([line_above(text, line)] if line else [])]
    if not any(text[at + width - 1 : at + width + 1] == " #" for at in neighbours):
        return Edit(start, end, new)
    return Edit(start, end + max(growth, 0), new + " " * -growth)


def _replace_block(
    document: Document,
    parent: Collection,
    index: int,
    lines: list[str],
    *,
    inline: bool,
    width: int,
) -> Change:
    """Replace a nested block; comments inside it go."""
    text = document.text
    node = child_value(parent, index)
    slot = value_slot(text, parent, index)
    newline = document.source.newline
    stop = line_end(text, child_end_of(text, node))
    drops = _scan(document, node.start, stop) if "#" in text[slot:stop] else False
    if line_start(text, node.start) <= slot:
        indent = " " * column(text, node.start)
        new = (newline + indent).join(lines)
        return Change((Edit(node.start, stop, new),), drops)
    key_line = line_end(text, slot)
    drops = drops or "#" in text[key_line : node.start]
    if inline:
        return Change((Edit(slot, slot, " " + lines[0]), Edit(key_line, stop, "")), drops)
    if isinstance(parent, Mapping):
        indent = " " * (column(text, parent.entries[index].key.start) + width)
    else:
        indent = " " * column(text, node.start)
    below = "".join(newline + indent + line for line in lines)
    return Change((Edit(key_line, stop, below),), drops)


def child_end_of(text: str, node: Node) -> int:
    """Offset just after the last character of a nested block."""
    if isinstance(node, (Mapping, Sequence)) and not node.flow and child_count(node):
        last = child_count(node) - 1
        value = child_value(node, last)
        if isinstance(value, (Mapping, Sequence)):
            return child_end_of(text, value)
        return child_end(text, node, last)
    return node.end
