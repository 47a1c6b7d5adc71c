"""Lines of a file with carets under the place of a finding, the lines a fix changes, and clipping."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from cfglint.base.record import Record
from cfglint.diagnostic import Edit, Fix, Related
from cfglint.engine.paths import shown_path
from cfglint.report.escaping import visible, visible_path
from cfglint.source.text import SourceText, Span

#: Lines of a gap that are shown rather than left out between two marked lines.
_JOINED = 1
#: A fix that changes more lines is named, not shown.
_MAX_CHANGED = 8
#: A longer line of another file is clipped to the place itself.
_LONGEST_LINE = 200


class Mark(Record):
    """A place to mark in a snippet; `primary` ones get carets, others dashes and a note."""

    span: Span
    note: str
    primary: bool


class SnippetLine(Record):
    """One printed line: `number` is None for the lines of marks below the text.

    Of a line of marks `marks` tells how many characters come before its note.
    """

    number: int | None
    text: str
    primary: bool = False
    marks: int = 0


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
    # In a line of printable ASCII each character takes one column.
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
        if not note and not mark.primary:
            continue  # its note is at another mark
        if not note or display_width(carets) + 1 + display_width(note) <= width:
            yield SnippetLine(None, f"{carets} {note}".rstrip(), mark.primary, len(carets))
            continue
        # No room to the right of the carets: the note goes below them, as far to the right as it fits.
        yield SnippetLine(None, carets, mark.primary, len(carets))
        rows = wrapped(note, width)
        indent = " " * max(0, min(left, width - max(map(display_width, rows))))
        for row in rows:
            yield SnippetLine(None, indent + row, mark.primary)


def changes(source: SourceText, at: Span, fix: Fix, width: int) -> Iterator[tuple[str, str]]:
    """The lines that a fix takes away (`-`) and adds (`+`).

    Nothing for a fix whose title already states the new text; the finding's own line is shown anyway.

    Args:
        at: the place of the finding.
        width: columns that the text of a line may take.
    """
    if fix.refused is not None or all(_is_in_title(edit.text, fix.title) for edit in fix.edits):
        return
    removed, added = changed_lines(source, fix)
    if not 0 < len(removed) + len(added) <= _MAX_CHANGED:
        return
    begins = [0] * max(len(removed), len(added))
    # A long line is clipped to the part that changes.
    fits = all(text.isascii() and len(text) <= width for text in (*removed, *added))
    if len(removed) == len(added) and not fits:
        begins = [_alike(*pair) for pair in zip(removed, added, strict=True)]
    if added and removed == [source.line(source.position(at.start).line)]:
        removed = []
    for sign, texts in (("-", removed), ("+", added)):
        for text, begin in zip(texts, begins, strict=False):
            yield sign, clipped(text, width, begin)


def _is_in_title(written: str, title: str) -> bool:
    """Whether the title of a fix contains the text that one of its edits writes."""
    words = written.strip(" \n\"':")
    return words in title if words else title.startswith("Delete")


def _alike(before: str, after: str) -> int:
    """The length of the common prefix of two lines."""
    both = min(len(before), len(after))
    return next((at for at in range(both) if before[at] != after[at]), both)


def changed_lines(source: SourceText, fix: Fix) -> tuple[list[str], list[str]]:
    """The lines that a fix takes away and those that it adds."""
    from cfglint.fixes.applying import apply_edits

    text = source.text
    # The lines that the edits touch are enough, and one more where an edit ends at a break.
    begin = text.rfind("\n", 0, fix.edits[0].start) + 1 if fix.edits else 0
    stop = text.find("\n", fix.edits[-1].end) if fix.edits else 0
    stop = len(text) if stop < 0 else stop
    moved = [Edit(edit.start - begin, edit.end - begin, edit.text) for edit in fix.edits]
    before = text[begin:stop].splitlines()
    after = apply_edits(text[begin:stop], moved).splitlines()
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    removed = before[start : len(before) - end]
    added = after[start : len(after) - end]
    # Two separate places: the lines between them are not part of the fix.
    if not set(added).isdisjoint(removed) and sorted(removed) != sorted(added):
        kept = Counter(removed) & Counter(added)
        removed = [line for line in removed if not kept[line]]
        added = [line for line in added if not kept[line]]
    return removed, added


@lru_cache(maxsize=4096)
def wrapped(text: str, width: int) -> tuple[str, ...]:
    """A text in lines of at most so many columns, broken at blanks where there are any."""
    columns = len if text.isascii() else display_width
    if columns(text) <= width:
        return (text,)
    lines, line = [], ""
    for word in text.rstrip().split(" "):
        if line and columns(line) + 1 + columns(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
        while columns(line) > width > 1:
            # A word that fills more than a line: a path is broken behind a folder.
            end = fitting(line, width)
            end = line.rfind("/", end // 2, end) + 1 or end
            lines.append(line[:end])
            line = line[end:]
    return (*lines, line)


def fitting(text: str, width: int) -> int:
    """How many characters of a visible text so many columns take, at least one."""
    used = 0
    for number, char in enumerate(text):
        used += _char_width(char)
        if used > width:
            return max(number, 1)
    return len(text)


def first_sentence(text: str) -> str:
    """The first sentence of a message."""
    at = text.find(". ")
    while at >= 0:
        # Not a full stop in code, nor one of an abbreviation.
        ends = text[at - 3 : at] not in ("e.g", "i.e") and not text[at + 2 : at + 3].islower()
        if ends and text.count("`", 0, at) % 2 == 0:
            return text[: at + 1]
        at = text.find(". ", at + 2)
    return text


def clipped(text: str, width: int, around: int = 0) -> str:
    """A line that is made visible, or as much of it as so many columns take.

    Args:
        around: how many characters in the text is what is to be seen.
    """
    offset = max(0, _columns(text[:around]) - width * 2 // 3)
    return _cut(visible(text), offset, width)[0]


def _cut(text: str, offset: int, width: int) -> tuple[str, int]:
    """The part of a line that fits, and the column at which it begins."""
    whole = display_width(text)
    if whole <= width:
        return text, 0
    offset = min(offset, whole - width + 1)
    out, column, begin = "", 0, offset
    for char in text:
        size = _char_width(char)
        if column >= offset:
            if not out:
                begin = column
            # The last column is reserved for the mark of omission.
            after = column - begin + size
            if after > width or (after == width and column + size < whole):
                return out + "…", begin
            # So is the first one.
            out += char if out or not offset or not size else "…" + " " * (size - 1)
        column += size
    return out, begin


def _columns(text: str) -> int:
    """Terminal columns of a piece of a line once it is made visible."""
    return display_width(visible(text))


def display_width(text: str) -> int:
    """Terminal columns of a visible text."""
    if text.isascii():
        return len(text)
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if char.isascii():
        return 1
    import unicodedata

    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def elsewhere(related: Related, config: str) -> str:
    """A place in another file that has part in a finding.

    Args:
        config: the file of the finding, as it was named.
    """
    assert related.file is not None
    source = related.file.source
    line = source.position(related.span.start).line
    path = visible_path(shown_path(related.file.path, config))
    text = source.line(line).strip()
    if len(text) > _LONGEST_LINE:
        # Some programs write all of a JSON file on one line.
        text = source.text[related.span.start : related.span.end][:_LONGEST_LINE] + "…"
    return f"{path}:{line}: {visible(text)} ({visible(related.note)})"
