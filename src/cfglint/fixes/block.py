"""Edits of block mappings and block lists: whole lines come and go, dashes slide."""

from __future__ import annotations

from cfglint.diagnostic import Edit
from cfglint.fixes.flow import check_no_comments
from cfglint.fixes.kept_comments import comment_lines, indented
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

# ---------------------------------------------------------------------------- inserting


def insert(
    document: Document, parent: Collection, after: int, lines: list[str]
) -> tuple[Edit, ...]:
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
    return (*edits, Edit(position, position, new))


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
    document: Document,
    owners: tuple[tuple[Collection, int], ...],
    *,
    comments_go_along: bool = False,
) -> tuple[Edit, ...]:
    """Remove a child. Its comments stay: those above it as they are, others on their own lines.

    Args:
        document: the file.
        owners: the way from the root to the child; the last step is the one to remove.
        comments_go_along: whether the comments of the child, and the block directly above it,
            are removed, too, because they are written elsewhere.

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
    stop = line_end(text, child_end(text, parent, index))
    indent = len(prefix) - len(prefix.lstrip(" "))
    kept = [] if comments_go_along else comment_lines(document, start, stop, indent)
    newline = document.source.newline
    empty = "{}" if isinstance(parent, Mapping) else "[]"
    if "-" in prefix:
        if count == 1:
            return _emptied_item(document, parent, start, stop, kept, empty)
        return _first_of_item(document, parent, start, stop, kept)

    begin = comment_block_start(text, start) if comments_go_along else line_start(text, start)
    if count == 1 and len(owners) == 1:
        return (Edit(begin, stop, newline.join([*kept, empty])),)
    if index > 0:
        above = child_value(parent, index - 1)
        if kept and _ends_in_text(above):
            kept = indented(kept, prefix)
        elif not kept:
            _check_text_above(document, above, begin, stop)
    lines = Edit(begin, stop, newline.join(kept)) if kept else _line_removal(text, begin, stop)
    if count > 1:
        return (lines,)
    slot = value_slot(text, *owners[-2])
    return (Edit(slot, slot, " " + empty), lines)


def _emptied_item(
    document: Document, parent: Collection, start: int, stop: int, kept: list[str], empty: str
) -> tuple[Edit, ...]:
    """Remove the only child of a collection that begins on the line of a dash."""
    text = document.text
    if kept and line_end(text, start) == stop:
        # A comment at the end of the line can stay there.
        return (Edit(start, child_end(text, parent, 0), empty),)
    return (Edit(start, stop, document.source.newline.join([empty, *kept])),)


def _first_of_item(
    document: Document, parent: Collection, start: int, stop: int, kept: list[str]
) -> tuple[Edit, ...]:
    """Remove the child on the line of a dash; the next one slides to its place."""
    text = document.text
    following = child_start(text, parent, 1)
    position = next_line(text, stop)
    while text[position] in " \r\n":
        position += 1
    if text[position] == "\t":
        raise Refusal("The next line starts with a tab.")
    block_prefix(text, following)
    removal = Edit(start, position, "")
    if not kept:
        return (removal,)
    line = line_start(text, start)
    prefix = text[line:start]
    indent = prefix[: len(prefix) - len(prefix.lstrip(" "))]
    newline = document.source.newline
    above = "".join(each + newline for each in indented(kept, indent))
    return (Edit(line, line, above), removal)


def _line_removal(text: str, begin: int, stop: int) -> Edit:
    """Remove the lines from `begin` (a line start) to `stop` (a line end)."""
    after = next_line(text, stop)
    if after > stop:
        return Edit(begin, after, "")
    # The last line has no line break: what is between it and the text above goes, so that the
    # file ends as before.
    while begin > 0:
        begin -= 2 if text.startswith("\r\n", begin - 2) else 1
        above = line_start(text, begin)
        if text[above:begin].strip(" "):
            break
        begin = above
    return Edit(begin, stop, "")


def _ends_in_text(node: Node) -> bool:
    """Whether a value ends in a block text, which would take in deeper lines below it."""
    leaf = last_leaf(node)
    return isinstance(leaf, Scalar) and leaf.style in ("|", ">")


def _check_text_above(document: Document, node: Node, begin: int, stop: int) -> None:
    """Refuse when the lines below the removed ones would become part of a block text above."""
    leaf = last_leaf(node)
    if not isinstance(leaf, Scalar) or leaf.style not in ("|", ">"):
        return
    text = document.text
    if text[leaf.end : begin].strip():
        # A comment between them ends the text.
        return
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


# ---------------------------------------------------------------------------- replacing


def replace(
    document: Document,
    parent: Collection,
    index: int,
    lines: list[str],
    *,
    inline: bool,
    width: int,
) -> tuple[Edit, ...]:
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
        return (_in_column(text, start, end, new),)

    stop = line_end(text, end)
    if isinstance(parent, Mapping) and same_line:
        indent = " " * (column(text, parent.entries[index].key.start) + width)
        below = "".join(newline + indent + line for line in lines)
        removal = Edit(slot, slot if is_empty(node) else end, tail)
        return (removal, Edit(stop, stop, below))
    if is_empty(node):
        first = Edit(slot, slot, " " + lines[0])
        indent = " " * (column(text, slot) + 1)
    else:
        first = Edit(start, end, lines[0] + tail)
        indent = " " * column(text, start)
    below = "".join(newline + indent + line for line in lines[1:])
    return (first, Edit(stop, stop, below))


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
) -> tuple[Edit, ...]:
    """Replace a nested block; comments inside it follow the new value."""
    text = document.text
    node = child_value(parent, index)
    slot = value_slot(text, parent, index)
    newline = document.source.newline
    stop = line_end(text, child_end_of(text, node))
    key_line = line_end(text, slot)
    beside = line_start(text, node.start) <= slot
    own_column = column(text, child_start(text, parent, index))
    comments = comment_lines(document, node.start if beside else key_line, stop, own_column)
    kept = "".join(newline + line for line in comments)
    if beside:
        indent = " " * column(text, node.start)
        new = (newline + indent).join(lines)
        return (Edit(node.start, stop, new + kept),)
    if inline:
        return (Edit(slot, slot, " " + lines[0]), Edit(key_line, stop, kept))
    if isinstance(parent, Mapping):
        indent = " " * (column(text, parent.entries[index].key.start) + width)
    else:
        indent = " " * column(text, node.start)
    below = "".join(newline + indent + line for line in lines)
    return (Edit(key_line, stop, below + kept),)


def child_end_of(text: str, node: Node) -> int:
    """Offset just after the last character of a nested block."""
    if isinstance(node, (Mapping, Sequence)) and not node.flow and child_count(node):
        last = child_count(node) - 1
        value = child_value(node, last)
        if isinstance(value, (Mapping, Sequence)):
            return child_end_of(text, value)
        return child_end(text, node, last)
    return node.end
