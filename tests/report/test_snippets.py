"""Carets stand under what they are about, whatever the line is made of."""

from __future__ import annotations

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from cfglint.report.escaping import visible
from cfglint.report.snippet import Mark, SnippetLine, clipped, snippet
from cfglint.source.text import SourceText, Span
from tests.draws import each

_CHARS = st.sampled_from("ab :#数据字🚀é\u0301\t\x1b\u202e|\u00e9")


def columns(text: str) -> int:
    """Terminal columns of visible text."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def cells(text: str) -> str:
    """A character for each terminal column: wide ones twice, combining ones not at all."""
    return "".join(c * columns(c) for c in text)


def rows(text: str, marks: list[Mark], width: int) -> list[SnippetLine]:
    return list(snippet(SourceText(text), marks, width))


@settings(deadline=None)
@given(st.text(_CHARS, min_size=1, max_size=30), st.data())
def test_carets_under_a_line_that_fits(line: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(line) - 1))
    end = data.draw(st.integers(start + 1, len(line)))
    shown, marks = rows(line + "\nnext", [Mark(Span(start, end), "", True)], 500)
    assert shown == SnippetLine(1, visible(line))
    before, under = columns(visible(line[:start])), columns(visible(line[start:end]))
    assert marks.text == " " * before + "^" * max(1, under)


@settings(deadline=None)
@given(
    st.text(_CHARS, min_size=1, max_size=120),
    st.integers(20, 60),
    st.data(),
)
def test_nothing_is_wider_than_the_room(line: str, width: int, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(line) - 1))
    end = data.draw(st.integers(start, len(line)))
    for row in rows(line, [Mark(Span(start, end), "", True)], width):
        assert columns(row.text) <= width


@settings(deadline=None)
@given(st.integers(0, 200), st.integers(0, 200), st.integers(20, 100))
def test_the_primary_place_is_in_the_window(before: int, after: int, width: int) -> None:
    line = "x" * before + "END" + "y" * after
    shown, marks = rows(line, [Mark(Span(before, before + 3), "", True)], width)
    left = marks.text.index("^")
    assert cells(shown.text)[left : left + marks.text.count("^")] == "END"


@each("width", [60, 61, 62, 63])
def test_wide_characters_before_the_window(width: int) -> None:
    line = "字" * 99 + "END"
    shown, marks = rows(line, [Mark(Span(99, 102), "", True)], width)
    left = marks.text.index("^")
    assert cells(shown.text)[left : left + 3] == "END"


def test_a_related_place_does_not_push_the_primary_one_out_of_view() -> None:
    line = "first: " + "x" * 130 + " END"
    start = line.index("END")
    marks = [Mark(Span(start, start + 3), "", True), Mark(Span(0, 5), "here", False)]
    shown, *others = rows(line, marks, 80)
    (primary,) = [row for row in others if row.primary]
    left = primary.text.index("^")
    assert cells(shown.text)[left : left + 3] == "END"


def test_a_place_at_the_end_of_the_file() -> None:
    shown, marks = rows("a: 1\n", [Mark(Span(5, 5), "", True)], 40)
    assert (shown.text, marks.text) == ("", "^")


def test_lines_between_are_shown_when_there_is_one_and_left_out_when_there_are_more() -> None:
    text = "a\nb\nc\nd\ne\nf\n"
    marks = [Mark(Span(0, 1), "", True), Mark(Span(4, 5), "two on", False)]
    assert [row.number for row in rows(text, marks, 40)] == [1, None, 2, 3, None]
    marks = [Mark(Span(0, 1), "", True), Mark(Span(8, 9), "far", False)]
    assert [row.text for row in rows(text, marks, 40)] == ["a", "^", "…", "e", "- far"]


def test_a_note_that_does_not_fit_is_below_its_dashes() -> None:
    text = "model: a-long-name-of-a-model\nrest: 1\n"
    note = "this one is too long for what is left"
    shown = rows(text, [Mark(Span(0, 29), note, False)], 40)
    assert [row.text for row in shown] == [text.partition("\n")[0], "-" * 29, note]
    shown = rows(text, [Mark(Span(0, 29), note, False)], 30)
    assert [row.text for row in shown[2:]] == ["this one is too long for what", "is left"]


def test_what_is_left_out_is_marked_where_it_is_left_out() -> None:
    line = "begin " + "x" * 40 + " middle " + "y" * 40 + " end"
    for start, shown in ((0, "begin x…"), (47, "…middle…"), (len(line) - 3, "…y end")):
        row = rows(line + "\n", [Mark(Span(start, start + 3), "", True)], 30)[0].text
        before, _, after = shown.partition("…")
        assert row.startswith(before or "…")
        assert row.endswith(after.removeprefix("middle") or "…")


@settings(deadline=None)
@given(st.text(_CHARS, max_size=60), st.integers(0, 60), st.integers(10, 60))
def test_a_clipped_line_fits(text: str, around: int, width: int) -> None:
    assert columns(clipped(text, width, min(around, len(text)))) <= width


def test_a_clipped_line_shows_the_place_of_the_finding() -> None:
    line = "x" * 50 + "here" + "y" * 50
    assert "here" in clipped(line, 20, 50)
    assert clipped(line, 20).startswith("xxx")
