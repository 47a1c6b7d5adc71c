"""What a family of slips proposes for a text, in a form that can be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cfglint.source.diagnosis.lines import Line, Lines
from cfglint.source.diagnosis.model import Slip

Proposed = tuple[str, int, str, str]


def proposed(
    family: Callable[[Lines, Line], Iterable[Slip]], text: str, line: int = 1
) -> list[Proposed]:
    """(cause, cost, the place that is pointed at, the text with the change made) of each slip.

    The title of the fix follows the cause, if there is one.
    """
    lines = Lines(text)
    return told(family(lines, lines.all[line - 1]), text)


def told(slips: Iterable[Slip], text: str) -> list[Proposed]:
    return [
        (
            f"{slip.cause.value}: {slip.title}" if slip.title else slip.cause.value,
            slip.cost,
            text[slip.span.start : slip.span.end],
            slip.applied(text),
        )
        for slip in slips
    ]
