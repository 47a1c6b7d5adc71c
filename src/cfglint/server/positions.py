"""Places in a text, as the engine counts them and as the protocol does.

The engine counts code points from the beginning. The protocol counts lines from 0, and within a
line the code units of an encoding that client and server have agreed on. A byte-order mark is no
part of the engine's text; in an editor's, it is in the first line.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from lsprotocol.types import Position, PositionEncodingKind, Range

from cfglint.source.text import BOM, SourceText, Span

#: How many code units a text has.
Units = Callable[[str], int]


def _utf16(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _utf8(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


#: The protocol's default is UTF-16.
UNITS: dict[str, Units] = {
    PositionEncodingKind.Utf8.value: _utf8,
    PositionEncodingKind.Utf16.value: _utf16,
    PositionEncodingKind.Utf32.value: len,
}


class Positions:
    """Translates places of one text.

    Args:
        encoding: the protocol's name of the unit of columns: `utf-8`, `utf-16` or `utf-32`.
    """

    def __init__(self, source: SourceText, encoding: str) -> None:
        self._source = source
        self._units = UNITS[encoding]
        self._mark = self._units(BOM) if source.bom else 0

    def position(self, offset: int) -> Position:
        """The protocol's name for an offset; the end of the text for one behind it."""
        starts = self._source.line_starts
        offset = min(offset, len(self._source.text))
        line = bisect_right(starts, offset) - 1
        character = self._units(self._source.text[starts[line] : offset])
        return Position(line, character + self._mark if line == 0 else character)

    def range(self, span: Span) -> Range:
        """The protocol's name for a span."""
        return Range(self.position(span.start), self.position(span.end))

    def offset(self, position: Position) -> int:
        """The offset of a place; the end of its line for one behind it.

        A place inside a character becomes the beginning of the character.
        """
        source = self._source
        if position.line >= len(source.line_starts):
            return len(source.text)
        start, end = source.line_span(position.line + 1)
        units = position.character - (self._mark if position.line == 0 else 0)
        line = source.text[start:end]
        if line.isascii():
            return start + max(0, min(units, len(line)))
        for index, char in enumerate(line):
            units -= self._units(char)
            if units < 0:
                return start + index
        return end

    def span(self, range_: Range) -> Span:
        """The offsets of a range."""
        return Span(self.offset(range_.start), self.offset(range_.end))
