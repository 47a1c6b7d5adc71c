"""Which lines a report in text shows of a fix."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.diagnostic import Diagnostic, Edit, Fix
from cfglint.report.formats.text import findings, render
from cfglint.report.run import RunReport
from cfglint.report.snippet import changed_lines
from cfglint.report.style import Style
from cfglint.source.text import SourceText, Span
from tests.draws import each
from tests.report.building import finding, report

LINES = "".join(f"key{number}: value\n" for number in range(9))


def of_line(number: int, message: str = "It cannot be meant.", **fields: Any) -> Diagnostic:
    start = number * len("key0: value\n")
    return finding("KEY001", Span(start, start + 4), message=message, **{"cost": "", **fields})


def lines(*found: Diagnostic, width: int = 100, **options: bool) -> list[str]:
    run = RunReport([report("a.yml", LINES, *found)], [])
    return findings(run.files, Style(color=False), width, **options).splitlines()


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


@each(
    ("count", "verbose", "shown", "more"),
    [
        (1, False, 0, ""),
        (6, False, 5, ""),
        (7, False, 5, "    and in 1 more place, see --verbose"),
        (9, False, 5, "    and in 3 more places, see --verbose"),
        (9, True, 8, ""),
    ],
)
def test_places_of_one_kind(count: int, verbose: bool, shown: int, more: str) -> None:
    found = lines(*map(of_line, range(count)), verbose=verbose)
    also = [line for line in found if "also line" in line]
    assert also == [
        f"    also line {number + 2}: key{number + 1}: value" for number in range(shown)
    ]
    assert [line for line in found if "--verbose" in line] == ([more] if more else [])


@each(
    ("width", "expected"),
    [(40, "key1: value"), (28, "key1: value"), (27, "key1: val…"), (24, "key1: …")],
)
def test_the_line_of_another_place_is_cut(width: int, expected: str) -> None:
    (also,) = [line for line in lines(of_line(0), of_line(1), width=width) if "also" in line]
    assert also == f"    also line 2: {expected}"
    assert len(also) <= width


def test_another_place_with_words_of_its_own() -> None:
    second = of_line(1, "It is another thing.", fixes=(Fix("Go", "safe", (Edit(0, 1, "x"),), ()),))
    found = lines(of_line(0), second)
    assert "    also line 2: It is another thing. (fix: Go)" in found


@each(
    ("count", "expected"),
    [
        (1, ["  1  note  KEY001  It cannot be meant."]),
        (4, ["  1, 2, 3, 4  note  KEY001  It cannot be meant."]),
        (5, ["  1, 2, 3, 4, …  note  KEY001  It cannot be meant."]),
    ],
)
def test_notes_are_one_line(count: int, expected: list[str]) -> None:
    found = [of_line(number, severity="note") for number in range(count)]
    assert lines(*found)[1:] == [*expected, ""]
    assert lines(*found, verbose=True)[0].startswith("a.yml:1:1  note  KEY001")


@each(
    ("message", "width", "expected"),
    [
        ("One. Two.", 40, "  1  note  KEY001  One. Two."),
        ("One more. Two.", 28, "  1  note  KEY001  One more."),
        ("One and two and three. Four.", 30, "  1  note  KEY001  One and … "),
    ],
)
def test_a_note_that_does_not_fit_is_cut(message: str, width: int, expected: str) -> None:
    found = lines(of_line(0, message, severity="note"), width=width)
    assert found[1:] == [expected.rstrip(), ""]


def test_notes_about_other_releases_are_told_in_full() -> None:
    one = of_line(0, "One two three four five six.", severity="note", other_releases=True)
    assert lines(one, width=60)[1:-1] == [
        "  on other releases: line 1  KEY001  One two three four",
        "    five six.",
    ]
    assert lines(one, width=60, other_releases=False) == []


def test_which_findings_of_other_releases_a_report_lists() -> None:
    run = RunReport([report("a.yml", LINES, of_line(0, other_releases=True))], [])
    shown = [
        render(run, verbose=verbose, other_releases=other).startswith("a.yml:1")
        for verbose, other in ((False, False), (True, False), (False, True))
    ]
    assert shown == [False, True, True]
