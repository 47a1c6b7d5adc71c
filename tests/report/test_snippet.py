"""Lines with their marks, the lines that a fix changes, and what is clipped."""

from __future__ import annotations

import os
from typing import Any

from cfglint.diagnostic import Edit, Fix, OtherFile, Related
from cfglint.report.snippet import (
    Mark,
    changed_lines,
    changes,
    clipped,
    display_width,
    elsewhere,
    first_sentence,
    fitting,
    snippet,
    wrapped,
)
from cfglint.source.text import SourceText, Span
from tests.draws import each

TEXT = "".join(f"line_{number}: {number}\n" for number in range(1, 8))


def marked(*places: tuple[str, str, bool], text: str = TEXT, width: int = 80) -> list[str]:
    """The rows of a snippet: the number, a bar, and the text."""
    marks = [
        Mark(Span(text.index(word), text.index(word) + len(word)), note, primary)
        for word, note, primary in places
    ]
    rows = snippet(SourceText(text), marks, width)
    return [f"{'' if row.number is None else row.number}|{row.text}" for row in rows]


@each(
    ("places", "expected"),
    [
        ([("line_2", "", True)], ["2|line_2: 2", "|^^^^^^"]),
        ([("2", "here", True)], ["2|line_2: 2", "|     ^ here"]),
        # A gap of one line is shown, a larger one is left out.
        (
            [("line_1", "", True), ("line_2", "b", False)],
            ["1|line_1: 1", "|^^^^^^", "2|line_2: 2", "|------ b"],
        ),
        (
            [("line_1", "", True), ("line_3", "b", False)],
            ["1|line_1: 1", "|^^^^^^", "2|line_2: 2", "3|line_3: 3", "|------ b"],
        ),
        (
            [("line_4", "b", False), ("line_1", "a", True)],
            ["1|line_1: 1", "|^^^^^^ a", "|…", "4|line_4: 4", "|------ b"],
        ),
        # A mark without a note has it elsewhere.
        ([("line_1", "a", True), (": 1", "", False)], ["1|line_1: 1", "|^^^^^^ a"]),
        (
            [(": 1", "a", True), ("line_1", "b", False)],
            ["1|line_1: 1", "|------ b", "|      ^^^ a"],
        ),
    ],
)
def test_marks(places: list[tuple[str, str, bool]], expected: list[str]) -> None:
    assert marked(*places) == expected


def test_a_note_without_room_goes_below() -> None:
    text = f"{'x' * 30}END\n"
    assert marked(("END", "a note", True), text=text, width=40) == [
        f"1|{text.strip()}",
        f"|{' ' * 30}^^^ a note",
    ]
    assert marked(("END", "a note", True), text=text, width=39) == [
        f"1|{text.strip()}",
        f"|{' ' * 30}^^^",
        f"|{' ' * 30}a note",
    ]
    assert marked(("END", "a longer note", True), text=text, width=39) == [
        f"1|{text.strip()}",
        f"|{' ' * 30}^^^",
        f"|{' ' * 26}a longer note",
    ]


def test_which_rows_are_of_the_finding_itself() -> None:
    marks = [Mark(Span(0, 4), "", True), Mark(Span(6, 7), "b", False)]
    rows = list(snippet(SourceText(TEXT), marks, 80))
    assert [(row.primary, row.marks) for row in rows] == [(False, 0), (True, 4), (False, 7)]


@each(
    ("text", "width", "expected"),
    [
        ("", 5, ("",)),
        ("a b c", 5, ("a b c",)),
        ("a b cd", 5, ("a b", "cd")),
        ("abcdefgh", 4, ("abcd", "efgh")),
        ("to/folder/file", 8, ("to/folde", "r/file")),
        ("to/folder/file", 11, ("to/folder/", "file")),
        ("a/bcdefghij", 6, ("a/bcde", "fghij")),
        ("ab cdefgh", 4, ("ab", "cdef", "gh")),
        ("字字字 字", 6, ("字字字", "字")),
        ("字字字字", 5, ("字字", "字字")),
        ("abc", 1, ("abc",)),
        ("ab  ", 3, ("ab",)),
    ],
)
def test_wrapped(text: str, width: int, expected: tuple[str, ...]) -> None:
    assert wrapped(text, width) == expected


@each(
    ("text", "width", "expected"),
    [("abc", 3, 3), ("abc", 2, 2), ("字字", 3, 1), ("字", 1, 1), ("e\u0301x", 1, 2), ("", 1, 0)],
)
def test_fitting(text: str, width: int, expected: int) -> None:
    assert fitting(text, width) == expected


@each(
    ("text", "expected"),
    [
        ("One. Two. Three.", "One."),
        ("One", "One"),
        ("Use e.g. this. Two.", "Use e.g. this."),
        ("That is, i.e. this. Two.", "That is, i.e. this."),
        ("Write `a. B` here. Two.", "Write `a. B` here."),
        ("See v1. or later. Two.", "See v1. or later."),
        ("One. ", "One."),
    ],
)
def test_the_first_sentence(text: str, expected: str) -> None:
    assert first_sentence(text) == expected


@each(
    ("text", "width", "around", "expected"),
    [
        ("abcdef", 6, 0, "abcdef"),
        ("abcdefgh", 6, 0, "abcde…"),
        ("abcdefghijkl", 6, 11, "…ijkl"),
        ("abcdefghijkl", 6, 7, "…efgh…"),
        ("a\tb", 6, 0, "a\\tb"),
        ("字字字字", 6, 0, "字字…"),
        ("x字字字字字", 6, 5, "… 字字"),
    ],
)
def test_clipped(text: str, width: int, around: int, expected: str) -> None:
    shown = clipped(text, width, around)
    assert display_width(shown) <= width
    assert shown == expected


def test_widths() -> None:
    assert [display_width(one) for one in ("ab", "é", "字", "e\u0301", "\uff41")] == [2, 1, 2, 1, 2]


def fix(*edits: tuple[int, int, str], **fields: Any) -> Fix:
    words = {"title": "Do it", "safety": "safe", "paths": ()}
    return Fix(edits=tuple(Edit(*edit) for edit in edits), **{**words, **fields})


AB = "a: 1\nb: 2\nc: 3\nd: 4\n"


@each(
    ("edits", "removed", "added"),
    [
        ([(3, 4, "9")], ["a: 1"], ["a: 9"]),
        ([(5, 10, "")], ["b: 2"], []),
        ([(5, 5, "x: 0\n")], [], ["x: 0"]),
        ([(3, 4, "1")], [], []),
        ([(3, 4, "9"), (18, 19, "8")], ["a: 1", "d: 4"], ["a: 9", "d: 8"]),
        # Two lines that change places.
        ([(0, 10, "b: 2\na: 1\n")], ["a: 1", "b: 2"], ["b: 2", "a: 1"]),
        ([(19, 20, "\ne: 5")], [], ["e: 5"]),
        ([], [], []),
    ],
)
def test_changed_lines(
    edits: list[tuple[int, int, str]], removed: list[str], added: list[str]
) -> None:
    assert changed_lines(SourceText(AB), fix(*edits)) == (removed, added)


@each(
    ("change", "at", "expected"),
    [
        (fix((3, 4, "9")), (5, 6), [("-", "a: 1"), ("+", "a: 9")]),
        # The finding's own line is shown anyway.
        (fix((3, 4, "9")), (0, 1), [("+", "a: 9")]),
        (fix((5, 10, "")), (5, 6), [("-", "b: 2")]),
        (fix((5, 10, ""), title="Delete it"), (5, 6), []),
        (fix((3, 4, "9"), title="Write 9"), (0, 1), []),
        (fix((3, 4, "'9'"), title="Write 9"), (0, 1), []),
        (fix((3, 4, "9"), refused="why"), (0, 1), []),
        (fix((0, 0, "x\n" * 8)), (0, 1), [("+", "x")] * 8),
        (fix((0, 0, "x\n" * 9)), (0, 1), []),
        (fix((3, 4, "x" * 30)), (5, 6), [("-", "a: 1"), ("+", "a: " + "x" * 16 + "…")]),
        (fix((4, 4, " # " + "y" * 30)), (5, 6), [("-", "a: 1"), ("+", "a: 1 # " + "y" * 12 + "…")]),
    ],
)
def test_changes(change: Fix, at: tuple[int, int], expected: list[tuple[str, str]]) -> None:
    assert list(changes(SourceText(AB), Span(*at), change, 20)) == expected


def test_a_long_line_is_clipped_to_what_changes() -> None:
    text = f"key: {'x' * 60} END\n"
    at = text.index("END")
    rows = list(changes(SourceText(text), Span(0, 0), fix((at, at + 3, "END2")), 30))
    assert [sign for sign, _ in rows] == ["+"]
    assert rows[0][1].startswith("…xx")
    assert rows[0][1].endswith(" END2")


def test_places_in_other_files() -> None:
    source = SourceText("a: 1\n  b: 2 \n" + "x" * 201 + "\n")
    path = os.path.abspath("to/other.yml")

    def place(start: int, end: int) -> Related:
        return Related(Span(start, end), "why\n", OtherFile(path, source))

    assert elsewhere(place(7, 8), "a.yml") == "to/other.yml:2: b: 2 (why\\n)"
    start = source.text.index("xxx")
    assert elsewhere(place(start, start + 3), "a.yml") == "to/other.yml:3: xxx… (why\\n)"
