"""Where things are on the lines of a file: indentation, dashes, colons, comments.

All offsets are code points of the document's text.
"""

from __future__ import annotations

from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.fixes.refusal import Refusal
from cfglint.source.document import Document, Entry, Mapping, Node, Scalar, Sequence

Collection = Mapping | Sequence

# Before a block child stand only spaces and the dashes of the lists it opens.
_DASHES = lazy_pattern(r" *(?:- +)*")
_COLON = lazy_pattern(r" *:")
_DASH_LINE = lazy_pattern(r" *-(?=[ \r\n]|\Z)")
_HEADER = lazy_pattern(r"[|>][-+0-9]*")
# Line breaks for PyYAML, but not for people and editors.
_ODD_BREAKS = lazy_pattern("[\x85\u2028\u2029]")
# Comments that are about the file and not about the key that happens to follow.
_FILE_COMMENT = lazy_pattern(r"#!|#\s*(?:yaml-language-server:|cfglint:\s*ignore-file|vim?:|-\*-)")
# A setting that was commented out: it belongs to no key below it.
_SETTING = lazy_pattern(r"#[ \t]*(?:-[ \t]+)?[a-z][a-z0-9_]*:(?:[ \t\r\n]|$)")
# A line that is drawn heads a section.
_BANNER = lazy_pattern(r"#{3,}|#+[ \t]*[-=*~_+\u2500\u2501\u2550]{3,}")


class Indentation(Record):
    """How a file indents, in columns.

    `mapping`: from a key to the keys below it; `dash`: from a key to the dashes of its list.
    """

    mapping: int = 2
    dash: int = 2


def line_start(text: str, offset: int) -> int:
    """Offset of the first character of the line an offset is on."""
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def line_end(text: str, offset: int) -> int:
    """Offset just after the last character of the line an offset is on, before its break."""
    end = text.find("\n", offset)
    if end < 0:
        end = len(text)
    carriage_return = text.find("\r", offset, end)
    return end if carriage_return < 0 else carriage_return


def line_above(text: str, begin: int) -> int:
    """Start of the line above a line start; the same place on the first line."""
    back = 2 if text.startswith("\r\n", max(begin - 2, 0)) else 1
    return line_start(text, begin - back) if begin else 0


def next_line(text: str, offset: int) -> int:
    """Offset of the first character of the next line; the end of the text on the last one."""
    end = line_end(text, offset)
    if text.startswith("\r\n", end):
        return end + 2
    return min(end + 1, len(text))


def column(text: str, offset: int) -> int:
    """How many characters are before an offset on its line."""
    return offset - line_start(text, offset)


def check_text(text: str) -> None:
    """Refuse files whose line breaks are ambiguous.

    Raises:
        Refusal: the text has line breaks that only YAML recognizes.
    """
    if not text.isascii() and _has_odd_breaks(text):
        raise Refusal("The file has line breaks that editors do not show (NEL, LS or PS).")


@lru_cache(maxsize=2)
def _has_odd_breaks(text: str) -> bool:
    # Each finding of a file asks.
    return _ODD_BREAKS.search(text) is not None


def block_prefix(text: str, start: int) -> str:
    """What is before a block child on its line: spaces, perhaps with dashes.

    Raises:
        Refusal: something else is there.
    """
    begin = line_start(text, start)
    if _DASHES.fullmatch(text, begin, start) is None:
        prefix = text[begin:start]
        if "\t" in prefix:
            raise Refusal("The line is indented with a tab.")
        raise Refusal("The key is written in the `? key` form.")
    return text[begin:start]


def after_colon(text: str, entry: Entry) -> int:
    """Offset just after the `:` of an entry.

    Raises:
        Refusal: the key has an anchor or a tag, or no `:` follows it.
    """
    key = entry.key
    if key.anchor is not None or key.tag is not None or not isinstance(key, Scalar):
        raise Refusal(f"The key `{entry.label}` has an anchor or a tag, or is an alias.")
    match = _COLON.match(text, key.end)
    if match is None:
        raise Refusal("The key is written in the `? key` form.")
    return match.end()


def dash_offset(text: str, sequence: Sequence, index: int) -> int:
    """Offset of the `-` of an item of a block list.

    Raises:
        Refusal: it was not found.
    """
    if index == 0:
        if text[sequence.start : sequence.start + 1] == "-":
            return sequence.start
        raise Refusal("The list has an anchor or a tag.")
    item = sequence.items[index]
    position = next_line(text, sequence.items[index - 1].end)
    while position <= item.start and position < len(text):
        match = _DASH_LINE.match(text, position)
        if match is not None:
            return match.end() - 1
        position = next_line(text, position)
    raise Refusal("The `-` of the list item was not found.")


def child_start(text: str, collection: Collection, index: int) -> int:
    """Offset of the first character of an entry or item (of the dash in a block list)."""
    if isinstance(collection, Mapping):
        return collection.entries[index].key.start
    if collection.flow:
        return collection.items[index].start
    return dash_offset(text, collection, index)


def child_end(text: str, collection: Collection, index: int) -> int:
    """Offset just after an entry or item, without what follows on its line."""
    if isinstance(collection, Mapping):
        entry = collection.entries[index]
        return max(entry.value.end, entry.key.end)
    item = collection.items[index]
    if is_empty(item) and not collection.flow:
        return dash_offset(text, collection, index) + 1
    return item.end


def child_count(collection: Collection) -> int:
    """How many entries or items are written."""
    return len(collection.entries if isinstance(collection, Mapping) else collection.items)


def child_value(collection: Collection, index: int) -> Node:
    """The value of an entry, or an item, as written (an alias stays one)."""
    if isinstance(collection, Mapping):
        return collection.entries[index].value
    return collection.items[index]


def value_slot(text: str, collection: Collection, index: int) -> int:
    """Offset just after the `:` of a block entry or the `-` of a block item."""
    if isinstance(collection, Mapping):
        entry = collection.entries[index]
        block_prefix(text, entry.key.start)
        return after_colon(text, entry)
    return dash_offset(text, collection, index) + 1


def is_empty(node: Node) -> bool:
    """Whether a value is written with no characters at all (`key:`)."""
    return isinstance(node, Scalar) and node.start == node.end and node.style == ""


def last_leaf(node: Node) -> Node:
    """The node at the end of a value, whose text the following lines border on."""
    while True:
        if isinstance(node, Mapping) and not node.flow and node.entries:
            node = node.entries[-1].value
        elif isinstance(node, Sequence) and not node.flow and node.items:
            node = node.items[-1]
        else:
            return node


def block_header(text: str, node: Scalar) -> tuple[int, str]:
    """Of a block scalar: the end of `|` with its indicators, and the indicators."""
    match = _HEADER.search(text, node.start, line_end(text, node.start))
    if match is None:
        raise Refusal("The header of the block text was not found.")
    return match.end(), match.group()


def comment_block_start(text: str, start: int) -> int:
    """Start of the comment lines directly above a line, at the column of the key that begins it.

    They end at a comment that is about something else: the file, a section, or another setting.

    Args:
        start: offset of the key (or dash), which must be the first on its line.
    """
    begin = line_start(text, start)
    indent = text[begin:start]
    while begin > 0:
        above = line_above(text, begin)
        comment = above + len(indent)
        if not text.startswith(indent + "#", above):
            break
        if any(kind.match(text, comment) for kind in (_FILE_COMMENT, _SETTING, _BANNER)):
            break
        begin = above
    return begin


@lru_cache(maxsize=4)
def indentation_of(document: Document) -> Indentation:
    """How the file indents, read off its first nested mapping and its first list below a key."""
    text = document.text
    mapping = dash = -1
    waiting: list[tuple[Node | None, Node]] = [(None, document.root)]
    while waiting and (mapping < 0 or dash < 0):
        key, node = waiting.pop()
        if not isinstance(node, (Mapping, Sequence)):
            continue
        if key is not None and not node.flow:
            width = column(text, node.start) - column(text, key.start)
            if isinstance(node, Sequence):
                dash = width if dash < 0 else dash
            elif width > 0 and mapping < 0:
                mapping = width
        children: list[tuple[Node | None, Node]]
        if isinstance(node, Mapping):
            children = [(e.key, e.value) for e in node.entries if type(e.value) is not Scalar]
        else:
            children = [(None, item) for item in node.items if type(item) is not Scalar]
        waiting.extend(reversed(children))
    if mapping < 0:
        # Files that indent lists by four columns indent mappings alike.
        mapping = dash if dash > 0 else 2
    return Indentation(mapping, dash if dash >= 0 else 2)


@lru_cache(maxsize=4)
def lists_in_brackets(document: Document) -> bool:
    """Whether the file writes all its lists of single values as `[a, b]`."""
    styles = {
        node.flow
        for _, _, node in document.walk()
        if isinstance(node, Sequence)
        and node.items
        and all(isinstance(item, Scalar) for item in node.items)
    }
    return styles == {True}
