"""Slips that leave a file readable, with another meaning: a line that became part of its neighbour.

Here the file itself is not a witness, so only what can hardly have been meant is reported: the text has
to read more like a config with the slip mended, and by a clear margin.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.source.diagnosis import Diagnosis
from cfglint.source.diagnosis.dashes import dashes
from cfglint.source.diagnosis.indentation import indentation
from cfglint.source.diagnosis.lines import Line, Lines
from cfglint.source.diagnosis.model import Cause, Slip
from cfglint.source.diagnosis.trials import try_text
from cfglint.source.text import Span

#: Larger files are taken as they are.
_MAX_CHARS = 40_000
_MAX_LINES = 12
#: By how much the mended text has to be less odd.
_CLEARLY = 4


class LoadedFile:
    """A readable text whose suspicious places are examined."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = Lines(text) if len(text) <= _MAX_CHARS else None
        self.oddity = try_text(text).oddity if self.lines is not None else 0

    def joined(self, span: Span) -> Diagnosis | None:
        """The slip behind a plain value that runs over several lines; None when it may be meant."""
        if self.lines is None:
            return None
        first, last = self.lines.at(span.start), self.lines.at(span.end)
        if last.number - first.number > _MAX_LINES:
            return None
        part = self.lines.all[first.number : last.number + 1]
        return self._best(slip for line in part for slip in self._of_line(line))

    def nested(self, at: int) -> Diagnosis | None:
        """The slip behind a list that is an item of a list."""
        if self.lines is None:
            return None
        line = self.lines.at(at)
        if line.dashes < 2:
            return None
        return self._best(dashes(self.lines, line))

    def _of_line(self, line: Line) -> Iterator[Slip]:
        assert self.lines is not None
        code = self.lines.code(line)
        for slip in dashes(self.lines, line):
            if slip.cause is not Cause.MISSING_DASH or (" " not in code and ":" not in code):
                yield slip
        if line.dashes:
            yield from indentation(self.lines, line)

    def _best(self, slips: Iterator[Slip]) -> Diagnosis | None:
        found: list[tuple[int, Slip, str]] = []
        for slip in slips:
            text = slip.applied(self.text)
            outcome = try_text(text)
            score = outcome.oddity + slip.cost
            if outcome.reached is None and score <= self.oddity - _CLEARLY:
                found.append((score, slip, text))
        if not found:
            return None
        found.sort(key=lambda each: each[0])
        score, best, text = found[0]
        only = all(other == text for rival, _, other in found[1:] if rival <= score + 2)
        return Diagnosis(best, True, only)
