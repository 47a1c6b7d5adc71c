"""Several source texts on one scale of offsets, so that a span alone says which text it is in.

Compilers keep positions in this way. Each text has a range of the scale to itself: that of the first
one begins at 0, so that its offsets are the same on the scale and in the text.
"""

from __future__ import annotations

from bisect import bisect_right

from cfglint.base.record import Record
from cfglint.diagnostic import OtherFile
from cfglint.source.document import Alias, Entry, Mapping, Node, Scalar, Sequence
from cfglint.source.text import SourceText, Span


class SourcePlace(Record):
    """A place in one of the texts, as that text counts."""

    #: The file of the text; None for the first one.
    file: OtherFile | None
    span: Span


class SourceMap:
    """Which text has which range of the scale. It is immutable."""

    __slots__ = ("_begins", "_files", "_first")

    def __init__(self, first: SourceText) -> None:
        self._first = first
        self._files: tuple[OtherFile | None, ...] = (None,)
        self._begins: tuple[int, ...] = (0,)

    def with_file(self, file: OtherFile) -> tuple[SourceMap, int]:
        """The map with one more text, and where that begins on the scale."""
        other = SourceMap(self._first)
        last = self._begins[-1]
        # One more than the text has, so that its end is not the next one's beginning.
        begin = last + len(self.text_at(last)[0].text) + 1
        other._files = (*self._files, file)
        other._begins = (*self._begins, begin)
        return other, begin

    def text_at(self, offset: int) -> tuple[SourceText, int]:
        """The text that an offset of the scale is in, and where it begins on the scale."""
        index = bisect_right(self._begins, offset) - 1
        file = self._files[index]
        return (self._first if file is None else file.source), self._begins[index]

    def place(self, span: Span) -> SourcePlace:
        """A span of the scale in its own text; one that begins in a text ends there at the latest."""
        index = bisect_right(self._begins, span.start) - 1
        begin = self._begins[index]
        end = span.end
        if index + 1 < len(self._begins):
            end = min(end, self._begins[index + 1] - 1)
        return SourcePlace(
            self._files[index], Span(span.start - begin, max(end, span.start) - begin)
        )

    def clipped(self, span: Span) -> Span:
        """A span of the scale without what is beyond the text that it begins in."""
        place = self.place(span)
        return Span(span.start, span.start + place.span.end - place.span.start)

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts, in the order of the scale."""
        return tuple(self.text_at(begin)[0].text for begin in self._begins)


def moved(root: Mapping, by: int) -> Mapping:
    """A copy of a tree in which every position is that many characters further on."""
    copies: dict[int, Node] = {}
    copy = _moved(root, by, copies)
    assert isinstance(copy, Mapping)
    return copy


def _moved(node: Node, by: int, copies: dict[int, Node]) -> Node:
    """The copy of a node; what several aliases refer to is copied once."""
    known = copies.get(id(node))
    if known is not None:
        return known
    start, end = node.start + by, node.end + by
    copy: Node
    if isinstance(node, Scalar):
        copy = Scalar(
            start, end, node.anchor, node.tag, node.text, node.style, node.resolved, node.value
        )
        copies[id(node)] = copy
    elif isinstance(node, Sequence):
        copy = copies[id(node)] = Sequence(start, end, node.anchor, node.tag, flow=node.flow)
        copy.items = [_moved(item, by, copies) for item in node.items]
        copy.depth, copy.size = node.depth, node.size
    elif isinstance(node, Mapping):
        copy = copies[id(node)] = Mapping(start, end, node.anchor, node.tag, flow=node.flow)
        copy.entries = [
            Entry(_moved(entry.key, by, copies), _moved(entry.value, by, copies))
            for entry in node.entries
        ]
        copy.depth, copy.size, copy.about = node.depth, node.size, node.about
    else:
        assert isinstance(node, Alias)
        copy = copies[id(node)] = Alias(start, end, _moved(node.node, by, copies))
    return copy
