"""Lines that begin in the wrong column, and tabs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from cfglint.base.lazy import lazy_pattern
from cfglint.source.diagnosis.lines import Line, Lines
from cfglint.source.diagnosis.model import Cause, Change, Slip, shown
from cfglint.source.text import Span

#: Behind the colon of a key or behind a dash.
_TABS = lazy_pattern(r"(?<=[:\-])\t+(?=\S)")

#: How many spaces a tab may stand for, the likeliest first.
_WIDTHS = (2, 4, 8, 1)


def indentation(lines: Lines, line: Line) -> Iterator[Slip]:
    """The columns that a line may have been meant for."""
    if line.kind != "code" or "\t" in lines.text[line.start : line.lead]:
        return
    around = [*lines.before(line, 6), *lines.after(line, 4)]
    # Text that is neither a key nor an item does not begin anywhere by a slip of the space bar.
    unlikely = 0 if line.colons or line.dashes or line.quoted else 3
    # Where a line begins as the one above does, both would have slipped.
    above = lines.before(line, 1)
    is_like_above = bool(above) and above[0].indent == line.indent and not above[0].dashes
    unlikely += 2 if line.indent and is_like_above else 0
    columns: Counter[int] = Counter()
    for other in around:
        columns[other.indent] += 1
        if other.dashes and not line.dashes:
            columns[other.column] += 1
    for step in (-1, 1):
        columns[line.indent + step] += 0
    del columns[line.indent]
    item = _item_above(lines, line)
    for column, count in columns.items():
        if column < 0 or abs(column - line.indent) > 4:
            continue
        far = abs(column - line.indent)
        message = _message(line.indent, column, count)
        cost = 1 + (far > 1) * 2 + (far > 2) + unlikely
        if column == item:
            key = shown(lines.text[line.lead : line.last])
            message, cost = (
                f"`{key}` is a key of the item above: indent it by {_spaces(column)}.",
                1,
            )
        yield Slip(
            Cause.INDENTATION,
            Span(line.start, line.last),
            message,
            (Change(line.start, line.lead, " " * column),),
            title=f"Indent it by {_spaces(column)}" if column else "Do not indent it",
            cost=cost,
        )


def _item_above(lines: Lines, line: Line) -> int | None:
    """The column of the keys of the item above, if this key is below its dash and has another name."""
    above = lines.before(line, 1)
    if not above or not above[0].dashes or not above[0].colons or not line.colons or line.dashes:
        return None
    item = above[0]
    first = lines.text[item.content : item.colons[0]]
    if item.indent != line.indent or first == lines.text[line.lead : line.colons[0]]:
        return None
    return item.column


def _spaces(count: int) -> str:
    return f"{count} space{'' if count == 1 else 's'}"


def _message(is_at: int, column: int, neighbours: int) -> str:
    now = f"indented by {_spaces(is_at)}" if is_at else "not indented"
    if neighbours:
        others = f"by {column}" if column else "not at all"
        if not is_at:
            return f"The line is not indented, but its neighbours are by {_spaces(column)}."
        return f"The line is {now}, but its neighbours {others}."
    return f"The line is {now}; {_spaces(column)} would fit the lines around it."


def tabs(lines: Lines, at: int) -> Iterator[Slip]:
    """A tab where only spaces are allowed; `at` is where PyYAML met it.

    All tabs that indent a line are replaced at once: who wrote one wrote the others.
    """
    text = lines.text
    line = lines.at(at)
    others = [change for change in _separators(lines) if not change.start <= at < change.end]
    if at >= line.lead:
        stop = at
        while stop < line.end and text[stop] == "\t":
            stop += 1
        yield _tab(
            line, at, stop, (Change(at, stop, " "), *others, *_leading(lines, _WIDTHS[0])), 0
        )
        return
    for number, width in enumerate(_WIDTHS):
        changes = _leading(lines, width)
        yield _tab(line, line.start, line.lead, (*changes, *others), number)
    for number, column in enumerate(_columns(lines, line)):
        changes = (Change(line.start, line.lead, " " * column), *others)
        yield _tab(line, line.start, line.lead, changes, number + 1)


def _tab(line: Line, start: int, stop: int, changes: Sequence[Change], cost: int) -> Slip:
    return Slip(
        Cause.TAB,
        Span(start, stop),
        "A tab is used for indentation, where YAML expects spaces. Replace it with spaces.",
        tuple(changes),
        title="Replace tabs with spaces",
        cost=cost,
    )


def _separators(lines: Lines) -> list[Change]:
    """Tabs behind the colon of a key, or behind a dash."""
    found = []
    text = lines.text
    for line in lines.all:
        if line.kind != "code" or text.find("\t", line.lead, line.end) < 0:
            continue
        for match in _TABS.finditer(text, line.lead, line.last):
            if match.start() - 1 in line.colons or match.start() < line.content:
                found.append(Change(match.start(), match.end(), " "))
    return found


def _leading(lines: Lines, width: int) -> tuple[Change, ...]:
    """Spaces for every tab that indents a line of code."""
    found = []
    for line in lines.all:
        lead = lines.text[line.start : line.lead]
        if "\t" in lead and line.kind in ("code", "flow"):
            found.append(Change(line.start, line.lead, lead.replace("\t", " " * width)))
    return tuple(found)


def _columns(lines: Lines, line: Line) -> list[int]:
    """The columns of the lines around, the nearest line first."""
    found: dict[int, None] = {}
    for other in (*lines.before(line, 4), *lines.after(line, 4)):
        if "\t" in lines.text[other.start : other.lead]:
            continue
        found[other.indent] = None
        if other.dashes:
            found[other.column] = None
        if other.colons and other.colons[-1] + 1 == other.last:
            found[other.column + 2] = None
    return list(found)
