"""A text that cannot be read because some of its lines are half typed, as it can be read without them.

Where an earlier version of the text could be read, the lines that were changed since count as they
were, as few of them as possible; otherwise they are left empty. The rest of the text has the same
meaning as before, at places that have moved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from itertools import pairwise

from cfglint.base.record import NamedTuple, Record
from cfglint.source.text import SourceText, Span

#: The offset at which a text cannot be read; None when it can be.
BrokenAt = Callable[[str], "int | None"]
#: Lines around an error that are tried without.
_AROUND = (0, -1, 1, -2)
#: Half-typed lines that are looked for without an earlier version.
_MOST_EMPTIED = 4
#: A line that certainly has nothing but the beginning of a key or of an item.
_BEGUN = re.compile(r"""[ ]*(?:-[ ]*)*["']?[\w.-]*["']?[ ]*""")
#: Lines of one change that are tried without, one by one.
_MOST_IN_CHANGE = 8
#: A change of more lines than this is taken as a whole.
_MOST_COMPARED = 2_000
_EMPTY_ITEM = re.compile(r"[ ]*-[ ]*")


class Retyped(NamedTuple):
    """Lines that count as something else: where they are, and where that is in the other text."""

    start: int
    end: int
    other_start: int
    other_end: int


class Readable(Record):
    """A text that can be read, and where it differs from the one that an editor shows."""

    text: str
    #: In the order of the text; none when the text that is shown can be read itself.
    changes: tuple[Retyped, ...] = ()

    def there(self, offset: int) -> int:
        """The place in this text of a place in the shown one; the beginning of a change for one in it."""
        moved = 0
        for change in self.changes:
            if offset < change.start:
                break
            if offset < change.end:
                return change.other_start
            moved = change.other_end - change.end
        return offset + moved

    def here(self, span: Span) -> Span | None:
        """The place in the shown text of a span of this one; None when it begins or ends in a change."""
        start, end = self._place(span.start), self._place(span.end, ends=span.end > span.start)
        return None if start is None or end is None else Span(start, end)

    def _place(self, offset: int, *, ends: bool = False) -> int | None:
        """The place of a character, or of the end of one."""
        moved = 0
        for change in self.changes:
            before = change.other_start
            if offset < before or (ends and offset == before):
                break
            if offset < change.other_end or (ends and offset == change.other_end):
                return None
            moved = change.end - change.other_end
        return offset + moved


def readable(text: str, earlier: str | None, broken_at: BrokenAt) -> Readable | None:
    """A text as it can be read; None where too little of it would be left.

    Args:
        earlier: the last version that could be read.
    """
    at = broken_at(text)
    if at is None:
        return _without_empty_item(text, earlier, broken_at)
    if earlier is not None:
        return _as_before(text, earlier, at, broken_at)
    lines = _lines(text)
    emptied = emptied_lines(text, broken_at)
    # What a line with more on it was to mean is not known, and so not what the file lacks without.
    if not emptied or not all(_BEGUN.fullmatch(lines[n].rstrip("\r\n")) for n in emptied):
        return None
    return _with(text, lines, [(n, n + 1, _break_of(lines[n])) for n in emptied])


# ------------------------------------------------------------------ with an earlier version


def _without_empty_item(text: str, earlier: str | None, broken_at: BrokenAt) -> Readable:
    """The text without an item that is only begun; below an empty key, that would make a list of it."""
    if earlier is not None and "-" in text:
        lines = _lines(text)
        for first, end, _ in _changes(_lines(earlier), lines):
            for number in range(first, end):
                if _EMPTY_ITEM.fullmatch(lines[number].rstrip("\r\n")):
                    made = _with(text, lines, [(number, number + 1, [])])
                    if broken_at(made.text) is None:
                        return made
    return Readable(text)


def _as_before(text: str, earlier: str, at: int, broken_at: BrokenAt) -> Readable | None:
    """The text with some of its changes undone."""
    new, old = _lines(text), _lines(earlier)
    changes = _changes(old, new)
    if 2 * sum(len(was) for _, _, was in changes) > len(old):
        return None  # another text, of which nothing is known
    starts = _starts(new)
    changes.sort(key=lambda one: _distance(at, starts[one[0]], starts[one[1]]))
    for chosen in _selections(changes, new):
        made = _with(text, new, chosen)
        if broken_at(made.text) is None:
            return made
    return None


#: Lines from one to another (from 0, half open), and the lines in their place.
_Undone = tuple[int, int, list[str]]


def _changes(old: list[str], new: list[str]) -> list[_Undone]:
    """The lines that differ from an earlier version, and what was in their place."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    before, after = old[head : len(old) - tail], new[head : len(new) - tail]
    if max(len(before), len(after)) > _MOST_COMPARED:
        return [(head, head + len(after), before)]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return [
        (head + to, head + to_end, before[start:end])
        for tag, start, end, to, to_end in matcher.get_opcodes()
        if tag != "equal"
    ]


def _selections(changes: list[_Undone], lines: list[str]) -> Iterator[list[_Undone]]:
    """What may be undone, the least first: a line that was added, a change, several of them."""
    for first, end, was in changes:
        if not was and end - first > 1:
            for number in range(first, min(end, first + _MOST_IN_CHANGE)):
                yield [(number, number + 1, _break_of(lines[number]))]
    for change in changes:
        yield [change]
    for count in range(2, len(changes) + 1):
        yield changes[:count]


# ------------------------------------------------------------------ without one


def emptied_lines(
    text: str, broken_at: BrokenAt, keep: int | None = None
) -> tuple[int, ...] | None:
    """The lines (from 0) without whose content a text can be read; None when that is not found.

    Args:
        keep: an offset whose line has to stay.
    """
    lines = _lines(text)
    starts = _starts(lines)
    kept = _line_at(starts, keep) if keep is not None else None
    emptied: list[int] = []
    at = broken_at(text)
    while at is not None:
        if len(emptied) == _MOST_EMPTIED:
            return None
        found: list[tuple[int, int]] = []
        for step in _AROUND:
            number = _line_at(_starts(lines), at) + step
            if not 0 <= number < len(lines) or number == kept or not lines[number].strip():
                continue
            without = "".join([*lines[:number], *_break_of(lines[number]), *lines[number + 1 :]])
            then = broken_at(without)
            if then is None:
                return tuple(sorted([*emptied, number]))
            # Counted from the end, which does not move.
            found.append((len(without) - then, number))
        if not found or min(found)[0] >= sum(map(len, lines)) - at:
            return None
        best = min(found)[1]
        emptied.append(best)
        lines[best : best + 1] = _break_of(lines[best]) or [""]
        at = broken_at("".join(lines))
    return tuple(sorted(emptied))


def without_lines(text: str, numbers: tuple[int, ...]) -> str:
    """A text with some lines (from 0) left empty."""
    lines = _lines(text)
    for number in numbers:
        lines[number] = "".join(_break_of(lines[number]))
    return "".join(lines)


# ------------------------------------------------------------------ lines


def _lines(text: str) -> list[str]:
    """The lines, each with its break."""
    starts = [*SourceText(text).line_starts, len(text)]
    return [text[start:end] for start, end in pairwise(starts)]


def _starts(lines: list[str]) -> list[int]:
    """Where each line begins, and where the last one ends."""
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    return starts


def _line_at(starts: list[int], offset: int) -> int:
    return next((n for n in range(len(starts) - 2, 0, -1) if starts[n] <= offset), 0)


def _break_of(line: str) -> list[str]:
    """What is left of a line that is emptied."""
    left = line[len(line.rstrip("\r\n")) :]
    return [left] if left else []


def _distance(offset: int, start: int, end: int) -> int:
    return max(start - offset, offset - end, 0)


def _with(text: str, lines: list[str], undone: list[_Undone]) -> Readable:
    """A text with other lines in the place of some."""
    starts = _starts(lines)
    parts: list[str] = []
    changes: list[Retyped] = []
    done = size = 0
    for first, end, was in sorted(undone):
        kept, other = text[done : starts[first]], "".join(was)
        size += len(kept)
        changes.append(Retyped(starts[first], starts[end], size, size + len(other)))
        size += len(other)
        done = starts[end]
        parts += kept, other
    return Readable("".join([*parts, text[done:]]), tuple(changes))
