"""Which lines a report in text shows of a fix."""

from __future__ import annotations

import pytest

from cfglint.diagnostic import Edit, Fix
from cfglint.report.snippet import changed_lines
from cfglint.source.text import SourceText


@pytest.mark.parametrize(
    ("source", "edits", "expected"),
    [
        # two places: the line between them is no part of it
        (
            "a: 1\nb: 2\nc: 3\n",
            [Edit(0, 4, "a: 9"), Edit(10, 14, "c: 9")],
            (["a: 1", "c: 3"], ["a: 9", "c: 9"]),
        ),
        # a line that changes its place is all that there is to show
        (
            "a: 1\nb: 2\n",
            [Edit(0, 5, ""), Edit(10, 10, "a: 1\n")],
            (["a: 1", "b: 2"], ["b: 2", "a: 1"]),
        ),
        ("a: 1\nb: 2\n", [Edit(0, 1, "x")], (["a: 1"], ["x: 1"])),
    ],
)
def test_lines_that_change(
    source: str, edits: list[Edit], expected: tuple[list[str], list[str]]
) -> None:
    fix = Fix("Change it", "safe", tuple(edits), ())
    assert changed_lines(SourceText(source), fix) == expected
