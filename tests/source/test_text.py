"""Bytes to text and back, lines and positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.source.problems import ProblemKind, SourceError
from cfglint.source.text import MAX_BYTES, SourceText
from tests.draws import each

broken_lines = st.text(st.sampled_from("ab\r\n\u2028é"), max_size=20)


@given(broken_lines, st.booleans())
def test_bytes_round_trip(text: str, bom: bool) -> None:
    data = (b"\xef\xbb\xbf" if bom else b"") + text.encode()
    source = SourceText.from_bytes(data)
    assert (source.text, source.bom) == (text, bom)
    assert source.to_bytes() == data
    assert source.replaced("x").to_bytes() == data[:3] * bom + b"x"


@given(broken_lines)
def test_positions(text: str) -> None:
    """Line and column agree with a split at LF, CRLF and CR."""
    source = SourceText(text)
    line = column = 1
    for offset, char in enumerate(text):
        assert source.position(offset) == (line, column)
        if char == "\n" or (char == "\r" and text[offset + 1 : offset + 2] != "\n"):
            line, column = line + 1, 1
        else:
            column += 1
    assert source.position(len(text)) == (line, column)


@given(broken_lines)
def test_lines(text: str) -> None:
    source = SourceText(text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert [source.line(number + 1) for number in range(len(lines))] == lines
    assert source.line_count() == max(1, len(lines) - (lines[-1] == ""))


@each(
    ("text", "newline"),
    [
        ("", "\n"),
        ("a", "\n"),
        ("a\nb\r\n", "\n"),
        ("a\r\nb\n", "\r\n"),
        ("a\rb", "\r"),
        ("\n", "\n"),
    ],
)
def test_newline(text: str, newline: str) -> None:
    assert SourceText(text).newline == newline


@each(
    ("data", "offset", "readable", "encoding"),
    [
        (b"a: \xe9\n", 3, "a: ", "Latin-1 or Windows-1252"),
        ("é: ".encode() + b"\xff", 3, "é: ", "Latin-1 or Windows-1252"),
        ("a: 1".encode("utf-16"), 0, "", "UTF-16"),
        (b"\xef\xbb\xbfa: \xff", 3, "a: ", "Latin-1 or Windows-1252"),
        (b"\x1f\x8b\x08\x00", 1, "\x1f", "a binary file"),
        (b"a\x00\xff", 2, "a\x00", "a binary file"),
        (b"a: \xc3", 3, "a: ", "Latin-1 or Windows-1252"),
        (b"\xed\xa0\x80", 0, "", "Latin-1 or Windows-1252"),
    ],
)
def test_not_utf8(data: bytes, offset: int, readable: str, encoding: str) -> None:
    with pytest.raises(SourceError) as caught:
        SourceText.from_bytes(data)
    error = caught.value
    assert error.kind is ProblemKind.NOT_UTF8
    assert error.span == (offset, offset)
    assert error.text == readable
    assert error.details["encoding"] == encoding


def test_size_limit_is_exact() -> None:
    assert len(SourceText.from_bytes(b"a" * MAX_BYTES).text) == MAX_BYTES
    with pytest.raises(SourceError) as caught:
        SourceText.from_bytes(b"a" * (MAX_BYTES + 1))
    assert caught.value.kind is ProblemKind.TOO_LARGE
    assert caught.value.details["size"] == MAX_BYTES + 1
