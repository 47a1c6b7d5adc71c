"""Lines of a file with carets under what they are about."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from cfglint.record import Record
from cfglint.report.escaping import visible
from cfglint.source.text import SourceText, Span

#: Lines of a gap that are shown rather than left out between two marked lines.
_JOINED = 1


class Mark(Record):
    """A place to mark in a snippet; `primary` ones get carets, others dashes."""

    span: Span
    note: str
    primary: bool


class SnippetLine(Record):
    """One printed line: `number` is None for the lines of marks below the text."""

    number: int | None
    text: str
    primary: bool = False


def snippet(source: SourceText, marks: list[Mark], width: int) -> Iterator[SnippetLine]:
    """The marked lines in file order, each followed by its marks.

    Args:
        width: columns that the text of a line may take.
    """
    by_line: dict[int, list[Mark]] = {}
    for mark in marks:
        by_line.setdefault(source.position(mark.span.start).line, []).append(mark)
    numbers = sorted(by_line)
    previous: int | None = None
    for number in numbers:
        if previous is not None and 1 < number - previous <= _JOINED + 1:
            for between in range(previous + 1, number):
                yield SnippetLine(between, _cut(visible(source.line(between)), 0, width)[0])
        elif previous is not None and number - previous > 1:
            yield SnippetLine(None, "…")
        yield from _marked_line(source, number, by_line[number], width)
        previous = number


def _marked_line(
    source: SourceText, number: int, marks: list[Mark], width: int
) -> Iterator[SnippetLine]:
    start, end = source.line_span(number)
    line = source.text[start:end]
    marks = sorted(marks, key=lambda mark: mark.span.start)
    chosen = next((mark for mark in marks if mark.primary), marks[0])
    first = _columns(line[: chosen.span.start - start])
    shown, offset = _cut(visible(line), max(0, first - width * 2 // 3), width)
    yield SnippetLine(number, shown)
    for mark in marks:
        left = _columns(line[: mark.span.start - start]) - offset
        right = _columns(line[: min(mark.span.end, end) - start]) - offset
        left = max(0, min(left, width - 1))
        length = max(1, min(right, width) - left)
        note = f" {visible(mark.note)}" if mark.note else ""
        yield SnippetLine(
            None, " " * left + ("^" if mark.primary else "-") * length + note, mark.primary
        )


def _cut(text: str, offset: int, width: int) -> tuple[str, int]:
    """The part of a line that fits, and the column at which it begins."""
    if _width(text) <= width:
        return text, 0
    out, column, begin = "", 0, offset
    for char in text:
        size = _char_width(char)
        if column >= offset:
            if not out:
                begin = column
            if column - begin + size >= width:
                break
            out += char
        column += size
    return out + "…", begin


def _columns(text: str) -> int:
    """Terminal columns of a piece of a line once it is made visible."""
    return _width(visible(text))


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
