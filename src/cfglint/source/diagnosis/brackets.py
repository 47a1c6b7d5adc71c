"""Brackets that are not closed, or closed once too often."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.source.diagnosis.lines import Line, Lines
from cfglint.source.diagnosis.model import Cause, Change, Slip
from cfglint.source.text import Span

_CLOSING = {"[": "]", "{": "}"}


def brackets(lines: Lines, line: Line) -> Iterator[Slip]:
    """What may be wrong with the brackets of a line."""
    text = lines.text
    if line.open_bracket >= 0:
        yield from _open(lines, line)
    if line.surplus >= 0:
        char = text[line.surplus]
        yield Slip(
            Cause.SURPLUS_BRACKET,
            Span(line.surplus, line.surplus + 1),
            f"This {char} closes no bracket: delete it, or open one before it.",
            (Change(line.surplus, line.surplus + 1, ""),),
            title=f"Delete the {char}",
            cost=1,
        )


def _open(lines: Lines, line: Line) -> Iterator[Slip]:
    text, start = lines.text, line.open_bracket
    bracket, closing = text[start], _CLOSING[text[start]]
    places = list(dict.fromkeys(_places(lines, line)))
    for number, at in enumerate(places):
        yield Slip(
            Cause.OPEN_BRACKET,
            Span(start, line.last),
            f"The {bracket} that opens here is never closed: write the {closing} after its last item.",
            (Change(at, at, closing),),
            # With nothing in it, it may be its items that are missing.
            title=f"Close the bracket with {closing}" if text[start + 1 : at].strip() else "",
            cost=min(number, 2),
        )


def _places(lines: Lines, line: Line) -> Iterator[int]:
    """Where the closing bracket may have been."""
    text, start = lines.text, line.open_bracket
    # Before a bracket of the other kind that closes on the line, and at the end of the line.
    closed = text[start : line.last]
    tail = start + len(closed.rstrip("]}"))
    last = line
    for other in lines.all[line.number + 1 : line.number + 60]:
        if other.kind == "flow":
            last = other
        elif other.kind == "code":
            break
    if last is not line:
        yield last.last
        if last.last == last.end and text[last.last - 1] == ",":
            yield last.last - 1
    yield line.last
    if tail < line.last:
        yield tail
    for found in re.finditer(r"[,}\]]", text[start + 1 : line.last]):
        yield start + 1 + found.start()
        if found.start() > 200:
            break
