"""The text of one file: how it was encoded, where its lines begin."""

from __future__ import annotations

from bisect import bisect_right

from cfglint.base.record import NamedTuple
from cfglint.base.type_names import Any
from cfglint.source.problems import ProblemKind, SourceError

#: Files larger than this (bytes) are refused: the largest real training config seen is 60 kB.
MAX_BYTES = 1024 * 1024

BOM = "\ufeff"
_set = object.__setattr__


class Span(NamedTuple):
    """A half-open range of code-point offsets into a text (the BOM is not part of the text)."""

    start: int
    end: int


class Position(NamedTuple):
    """A place in a text, both counted from 1; the column counts code points."""

    line: int
    column: int


class Comment(NamedTuple):
    """A comment from its first mark to its last character, without the line break."""

    span: Span
    text: str
    #: Whether nothing but white space is before it on its line.
    own_line: bool


class SourceText:
    """Decoded text with what is needed to write it back byte for byte. It is immutable."""

    __slots__ = ("_line_starts", "bom", "text")
    text: str
    #: Whether a byte-order mark is before the text, which is not part of it.
    bom: bool
    _line_starts: list[int] | None

    def __init__(self, text: str, *, bom: bool = False) -> None:
        _set(self, "text", text)
        _set(self, "bom", bom)
        _set(self, "_line_starts", None)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a SourceText is immutable: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a SourceText is immutable: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SourceText):
            return NotImplemented
        return self.text == other.text and self.bom == other.bom

    def __hash__(self) -> int:
        return hash((self.text, self.bom))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.text, self.bom)

    @classmethod
    def from_bytes(cls, data: bytes) -> SourceText:
        """Decode a file as frameworks open it (UTF-8, a byte-order mark allowed).

        Raises:
            SourceError: the file is larger than `MAX_BYTES` or is not UTF-8.
        """
        if len(data) > MAX_BYTES:
            raise SourceError(
                ProblemKind.TOO_LARGE, Span(0, 0), size=len(data), limit=MAX_BYTES, unit="bytes"
            )
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            prefix = data[: error.start].decode("utf-8").removeprefix(BOM)
            raise SourceError(
                ProblemKind.NOT_UTF8,
                Span(len(prefix), len(prefix)),
                text=prefix,
                byte=f"0x{data[error.start]:02x}",
                encoding=_guess_encoding(data),
            ) from None
        return cls.from_str(text)

    @classmethod
    def from_str(cls, text: str) -> SourceText:
        """Take text that is already decoded; a leading byte-order mark is set aside."""
        if text.startswith(BOM):
            return cls(text[1:], bom=True)
        return cls(text)

    def to_bytes(self) -> bytes:
        """The bytes that `from_bytes` would read back as this text."""
        return ((BOM if self.bom else "") + self.text).encode("utf-8")

    def replaced(self, text: str) -> SourceText:
        """The same file with another text (encoding and byte-order mark kept)."""
        return SourceText(text, bom=self.bom)

    @property
    def line_starts(self) -> list[int]:
        """Offset of the first character of each line; lines end with LF, CRLF or CR."""
        if self._line_starts is None:
            starts = [0]
            text = self.text
            if "\r" in text:
                size = len(text)
                for index, char in enumerate(text):
                    if char == "\n" or (
                        char == "\r" and (index + 1 == size or text[index + 1] != "\n")
                    ):
                        starts.append(index + 1)
            else:
                index = text.find("\n")
                while index >= 0:
                    starts.append(index + 1)
                    index = text.find("\n", index + 1)
            _set(self, "_line_starts", starts)
            return starts
        return self._line_starts

    def position(self, offset: int) -> Position:
        """Line and column (from 1) of a code-point offset."""
        starts = self.line_starts
        line = bisect_right(starts, offset)
        return Position(line, offset - starts[line - 1] + 1)

    def line_count(self) -> int:
        """How many lines there are; a final line break does not open another."""
        starts = self.line_starts
        return len(starts) - 1 if starts[-1] == len(self.text) and len(starts) > 1 else len(starts)

    def line_span(self, line: int) -> Span:
        """Span of a line (from 1) without its line break."""
        starts = self.line_starts
        start = starts[line - 1]
        end = starts[line] if line < len(starts) else len(self.text)
        while end > start and self.text[end - 1] in "\r\n":
            end -= 1
        return Span(start, end)

    def line(self, line: int) -> str:
        """Text of a line (from 1) without its line break."""
        start, end = self.line_span(line)
        return self.text[start:end]

    def joined_to(self, line: int) -> int:
        """The first of the lines (from 1) that a backslash at the end joins to a line."""
        while line > 1 and self.line(line - 1).endswith("\\"):
            line -= 1
        return line

    @property
    def newline(self) -> str:
        """The line break this file uses (the first one in it; LF when it has none)."""
        index = self.text.find("\n")
        if index > 0 and self.text[index - 1] == "\r":
            return "\r\n"
        if index < 0 and "\r" in self.text:
            return "\r"
        return "\n"


def _rebuilt(text: str, bom: bool) -> SourceText:
    return SourceText(text, bom=bom)


def _guess_encoding(data: bytes) -> str:
    """A word for what the bytes probably are, for the message only."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "UTF-16"
    if data[:2] == b"\x1f\x8b" or data[:4] == b"PK\x03\x04" or b"\x00" in data[:1024]:
        return "a binary file"
    return "Latin-1 or Windows-1252"
