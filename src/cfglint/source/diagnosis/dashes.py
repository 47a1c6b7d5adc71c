"""List items without a dash, or with one too many."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.source.diagnosis.lines import Line, Lines
from cfglint.source.diagnosis.model import Cause, Change, Slip, shown
from cfglint.source.text import Span

_DOUBLE = lazy_pattern(r"-[- \t]*(?=[^\s-])")
_GLUED = lazy_pattern(r"-(?=[^\s\d.-])")


def dashes(lines: Lines, line: Line) -> Iterator[Slip]:
    """What may be wrong with the dash of a line."""
    if line.kind != "code":
        return
    text = lines.text
    code = text[line.lead : line.last]
    if line.dashes > 1 or code.startswith("--"):
        match = _DOUBLE.match(text, line.lead, line.last)
        if match is not None and match.group().count("-") > 1:
            yield Slip(
                Cause.DOUBLE_DASH,
                Span(line.lead, line.last),
                f"The item has more than one dash: write `- {shown(text[match.end() : line.last])}`.",
                (Change(line.lead, match.end(), "- "),),
                title="Write one dash",
                cost=0,
            )
    elif not line.dashes:
        if _GLUED.match(code):
            yield Slip(
                Cause.DASH_WITHOUT_SPACE,
                Span(line.lead, line.last),
                f"`{shown(code)}` has no space after its dash: write `- {shown(code[1:])}`.",
                (Change(line.lead + 1, line.lead + 1, " "),),
                title="Add the space",
                cost=0,
            )
        yield from _missing(lines, line)
        yield from _all_missing(lines, line)


def _all_missing(lines: Lines, line: Line) -> Iterator[Slip]:
    """Lines of one value each below a key, none of which has a dash."""
    rows = [line]
    for near in (lines.before(line, 50), lines.after(line, 50)):
        for other in near:
            if other.indent != line.indent or other.dashes or other.colons or other.kind != "code":
                break
            rows.append(other)
    first = min(rows, key=lambda row: row.start)
    above = lines.before(first, 1)
    if line.colons or len(rows) < 2 or not above or not above[0].colons:
        return
    if above[0].colons[-1] + 1 != above[0].last or above[0].indent >= line.indent:
        return
    key = lines.text[above[0].content : above[0].colons[0]]
    yield Slip(
        Cause.MISSING_DASH,
        Span(first.lead, first.last),
        f"The {len(rows)} values of `{shown(key)}` have no dashes: write "
        f"`- {shown(lines.text[first.lead : first.last])}` and so on.",
        tuple(Change(row.lead, row.lead, "- ") for row in sorted(rows, key=lambda row: row.start)),
        title="Add the dashes",
        cost=1,
    )


def _missing(lines: Lines, line: Line) -> Iterator[Slip]:
    """A dash in a column where the neighbours have one, or below the key of a list."""
    text = lines.text
    above, below = lines.before(line, 1), lines.after(line, 1)
    # A bare word between items is one of them; a key may as well belong to the item above.
    next_to = [other.indent for other in (*above, *below) if other.dashes and not line.colons]
    columns: dict[int, None] = {}
    for other in (*lines.before(line, 12), *lines.after(line, 12)):
        if other.dashes:
            columns[other.indent] = None
    if above and above[0].colons and above[0].colons[-1] + 1 == above[0].last:
        # The first item: two columns before its other keys, or the dash stood here.
        if below:
            columns[below[0].indent - 2] = None
        columns[line.indent] = None
        columns[line.indent - 2] = None
    # What is left of `- item` is where its dash stood, or up to three columns further right.
    columns = {column: None for column in columns if 0 <= line.indent - max(0, column) <= 3}
    code = text[line.lead : line.last]
    for number, column in enumerate([each for each in columns if each >= 0][:6]):
        yield Slip(
            Cause.MISSING_DASH,
            Span(line.lead, line.last),
            f"`{shown(code)}` has no dash, unlike the other items of the list: write "
            f"`- {shown(code)}`.",
            (Change(line.start, line.lead, " " * column + "- "),),
            title="Add the dash",
            cost=2 - next_to.count(column) + min(number, 1),
        )
