"""How a JSON file is laid out: its indentation, its lines, the space around its marks.

All offsets are code points of the document's text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import lru_cache

from cfglint.base.record import Record
from cfglint.fixes.layout import Collection, child_count, line_end, line_start
from cfglint.source.document import Document, Mapping, Node, Scalar, Sequence
from cfglint.source.json_problems import JsonProblemKind

_BLANK = " \t"


class JsonStyle(Record):
    """What a file does when it has the choice.

    `indent`: the white space of one level; `compact`: no space follows a colon;
    `lists_on_one_line`: lists of single values are written as `[1, 2]`.
    """

    indent: str
    compact: bool
    lists_on_one_line: bool


@lru_cache(maxsize=4)
def style_of(document: Document) -> JsonStyle:
    """The style of a file, derived from its text."""
    text = document.text
    indent: str | None = None
    compact: bool | None = None
    one_line = several = 0
    waiting: list[Node] = [document.root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Mapping):
            if node.entries and compact is None:
                entry = node.entries[0]
                compact = text[entry.value.start - 1] == ":"
            if node.entries and indent is None:
                indent = _step(text, node, node.entries[0].key.start)
            waiting.extend(entry.value for entry in reversed(node.entries))
        elif isinstance(node, Sequence) and node.items:
            if indent is None:
                indent = _step(text, node, node.items[0].start)
            if all(isinstance(item, Scalar) for item in node.items):
                if line_end(text, node.start) >= node.end:
                    one_line += 1
                else:
                    several += 1
            waiting.extend(reversed(node.items))
    return JsonStyle(indent or "  ", bool(compact), one_line >= several)


def _step(text: str, parent: Node, child: int) -> str | None:
    """By how much a child on a line of its own is indented more than the line of its parent."""
    inner, outer = indent_at(text, child), indent_at(text, parent.start)
    begin = line_start(text, child)
    if begin <= parent.start or begin + len(inner) != child:
        return None
    return inner[len(outer) :] if inner.startswith(outer) and inner != outer else None


def indent_at(text: str, offset: int) -> str:
    """The white space that the line of an offset begins with."""
    begin = end = line_start(text, offset)
    while end < len(text) and text[end] in _BLANK:
        end += 1
    return text[begin:end]


def begins_line(text: str, offset: int) -> bool:
    """Whether nothing but white space is before an offset on its line."""
    return not text[line_start(text, offset) : offset].strip(_BLANK)


class Comments:
    """Where the comments of a document are."""

    def __init__(self, document: Document) -> None:
        self._ends = {
            problem.span.start: problem.span.end
            for problem in document.problems
            if problem.kind is JsonProblemKind.COMMENT
        }
        # Comments do not overlap: both lists ascend.
        self._starts = sorted(self._ends)
        self._stops = [self._ends[start] for start in self._starts]

    def skip(self, text: str, at: int, *, lines: bool) -> int:
        """Where the next token is, behind white space and comments; `lines`: also on later ones."""
        blank = " \t\r\n" if lines else _BLANK
        while at < len(text):
            if at in self._ends:
                end = self._ends[at]
                if not lines and line_end(text, at) < end:
                    return at
                at = end
            elif text[at] in blank or (not text[at].isascii() and not text[at].isprintable()):
                at += 1
            else:
                break
        return at

    def within(self, text: str, start: int, end: int) -> list[str]:
        """The comments that begin between two offsets, in file order."""
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        return [
            text[self._starts[number] : self._stops[number]].rstrip()
            for number in range(first, last)
        ]

    def inside(self, start: int, end: int) -> bool:
        """Whether a comment begins or ends between two offsets."""
        first = bisect_right(self._stops, start)
        return first < len(self._starts) and self._starts[first] < end


@lru_cache(maxsize=4)
def comments_of(document: Document) -> Comments:
    """The comments of a document, which every fix of it asks for."""
    return Comments(document)


def start_of(parent: Collection, index: int) -> int:
    """Offset of the first character of a member or item."""
    if isinstance(parent, Mapping):
        return parent.entries[index].key.start
    return parent.items[index].start


def end_of(parent: Collection, index: int) -> int:
    """Offset just after a member or item, before its comma."""
    if isinstance(parent, Mapping):
        return parent.entries[index].value.end
    return parent.items[index].end


def comma_after(text: str, comments: Comments, parent: Collection, index: int) -> tuple[int, int]:
    """The comma that follows a child: its start and end, both the child's end if there is none."""
    end = end_of(parent, index)
    at = comments.skip(text, end, lines=True)
    return (at, at + 1) if text[at : at + 1] == "," else (end, end)


def is_last(parent: Collection, index: int) -> bool:
    """Whether a child is the last one that is written."""
    return index == child_count(parent) - 1
