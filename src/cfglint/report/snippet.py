"""Lines of a file with carets under what they are about."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

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
                yield SnippetLine(between, clipped(source.line(between), width))
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
    made_visible = visible(line)
    # Of a line of the usual characters each takes one column.
    columns = len if made_visible is line and line.isascii() else _columns
    first = columns(line[: chosen.span.start - start])
    shown, offset = _cut(made_visible, max(0, first - width * 2 // 3), width)
    yield SnippetLine(number, shown)
    for mark in marks:
        left = columns(line[: mark.span.start - start]) - offset
        right = columns(line[: min(mark.span.end, end) - start]) - offset
        left = max(0, min(left, width - 1))
        length = max(1, min(right, width) - left)
        carets = " " * left + ("^" if mark.primary else "-") * length
        note = visible(mark.note)
        if not note or text_width(carets) + 1 + text_width(note) <= width:
            yield SnippetLine(None, f"{carets} {note}".rstrip(), mark.primary)
            continue
        # Beside the carets there is no room: below them, as far to the right as it fits.
        yield SnippetLine(None, carets, mark.primary)
        rows = wrapped(note, width)
        indent = " " * max(0, min(left, width - max(map(text_width, rows))))
        for row in rows:
            yield SnippetLine(None, indent + row, mark.primary)


@lru_cache(maxsize=4096)
def wrapped(text: str, width: int) -> tuple[str, ...]:
    """A text in lines of at most so many columns, broken at blanks where there are any."""
    columns = len if text.isascii() else text_width
    if columns(text) <= width:
        return (text,)
    lines, line = [], ""
    for word in text.rstrip().split(" "):
        if line and columns(line) + 1 + columns(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return (*lines, line)


def clipped(text: str, width: int, around: int = 0) -> str:
    """A line that is made visible, or as much of it as so many columns take.

    Args:
        around: how many characters in the text is what is to be seen.
    """
    offset = max(0, _columns(text[:around]) - width * 2 // 3)
    return _cut(visible(text), offset, width)[0]


def _cut(text: str, offset: int, width: int) -> tuple[str, int]:
    """The part of a line that fits, and the column at which it begins."""
    whole = text_width(text)
    if whole <= width:
        return text, 0
    offset = min(offset, whole - width + 1)
    out, column, begin = "", 0, offset
    for char in text:
        size = _char_width(char)
        if column >= offset:
            if not out:
                begin = column
            # The last column is for the mark that something is left out.
            after = column - begin + size
            if after > width or (after == width and column + size < whole):
                return out + "…", begin
            # So is the first one, which gives way to it.
            out += char if out or not offset or not size else "…" + " " * (size - 1)
        column += size
    return out, begin


def _columns(text: str) -> int:
    """Terminal columns of a piece of a line once it is made visible."""
    return text_width(visible(text))


def text_width(text: str) -> int:
    """Terminal columns of a text without control characters."""
    if text.isascii():
        return len(text)
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
