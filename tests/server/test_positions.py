"""Columns in code units: what the protocol counts is not what Python counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position, Range

from cfglint.server.positions import Positions
from cfglint.source.text import SourceText, Span

TEXT = "name: 模型🚀é\r\nä: 1\rlast: 🇩🇪"
ENCODINGS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
WIDTHS = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
PIECES = st.sampled_from(["a", ": ", "é", "模", "🚀", "\U0001f1e9", "\n", "\r\n", "\r", "\u2028", "\x85", "\x0c"])  # fmt: skip


@pytest.mark.parametrize(
    ("encoding", "column"), [("utf-8", 6 + 3 + 3 + 4), ("utf-16", 6 + 1 + 1 + 2), ("utf-32", 9)]
)
def test_columns_count_code_units(encoding: str, column: int) -> None:
    positions = Positions(SourceText(TEXT), encoding)
    offset = TEXT.index("é")
    assert positions.position(offset) == Position(0, column)
    assert positions.offset(Position(0, column)) == offset


def lines_of(text: str) -> list[str]:
    """The lines as the protocol has them, found in another way than the project finds them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


@given(st.lists(PIECES).map("".join), st.sampled_from(sorted(ENCODINGS)), st.data())
def test_every_place_goes_there_and_back(text: str, encoding: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    if text[offset - 1 : offset + 1] == "\r\n":
        offset -= 1  # between the two there is no place
    before = lines_of(text[:offset])
    units = len(before[-1].encode(ENCODINGS[encoding])) // WIDTHS[encoding]
    positions = Positions(SourceText(text), encoding)
    assert positions.position(offset) == Position(len(before) - 1, units)
    assert positions.offset(Position(len(before) - 1, units)) == offset


def test_line_ends_are_those_of_the_protocol() -> None:
    positions = Positions(SourceText("a\u2028b\x85c\x0cd\ne"), "utf-16")
    assert positions.position(8) == Position(1, 0)


def test_a_byte_order_mark_is_in_the_editors_text_only() -> None:
    positions = Positions(SourceText.from_str("\ufeffa: 1\nb: 2"), "utf-8")
    assert positions.position(0) == Position(0, 3)
    assert positions.position(5) == Position(1, 0)
    assert (positions.offset(Position(0, 4)), positions.offset(Position(0, 0))) == (1, 0)


def test_what_lies_behind_an_end_is_the_end() -> None:
    positions = Positions(SourceText("ab\n模c\n"), "utf-16")
    assert positions.offset(Position(0, 9)) == 2
    assert positions.offset(Position(1, 9)) == 5
    assert positions.offset(Position(7, 0)) == 6
    assert positions.position(99) == Position(2, 0)


def test_a_place_inside_a_character_is_its_beginning() -> None:
    assert Positions(SourceText("a🚀b"), "utf-16").offset(Position(0, 2)) == 1
    assert Positions(SourceText("a🚀b"), "utf-8").offset(Position(0, 3)) == 1


def test_half_a_pair_of_surrogates_is_counted() -> None:
    assert Positions(SourceText("a\ud800b"), "utf-16").position(2) == Position(0, 2)


def test_spans_are_ranges() -> None:
    positions = Positions(SourceText(TEXT), "utf-16")
    where = Range(Position(0, 6), Position(0, 11))
    assert positions.range(Span(6, 10)) == where
    assert positions.span(where) == Span(6, 10)
