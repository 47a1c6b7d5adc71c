"""Where things are on the lines of a file."""

from __future__ import annotations

import pytest

from cfglint.fixes.layout import (
    Indentation,
    after_colon,
    block_header,
    block_prefix,
    check_text,
    child_count,
    child_end,
    child_start,
    child_value,
    column,
    comment_block_start,
    dash_offset,
    indentation_of,
    is_empty,
    last_leaf,
    line_above,
    line_end,
    line_start,
    lists_in_brackets,
    next_line,
    value_slot,
)
from cfglint.fixes.refusal import Refusal
from cfglint.source.document import Document, Mapping, Path, Scalar, Sequence
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each


def read(text: str) -> Document:
    return language("yaml").read(SourceText(text))


def node(text: str, *path: str | int) -> object:
    found = read(text).node(path)
    assert found is not None
    return found


@each("newline", ["\n", "\r\n", "\r"])
def test_lines(newline: str) -> None:
    width = len(newline)
    text = f"ab{newline}{newline}cd"
    last = 2 + 2 * width
    assert [line_start(text, at) for at in (0, 2, 2 + width, last, last + 2)] == [
        0,
        0,
        2 + width,
        last,
        last,
    ]
    assert [line_end(text, at) for at in (0, 2, 2 + width, last)] == [2, 2, 2 + width, last + 2]
    assert [next_line(text, at) for at in (0, 2, 2 + width, last)] == [
        2 + width,
        2 + width,
        last,
        last + 2,
    ]
    assert [line_above(text, at) for at in (0, 2 + width, last)] == [0, 0, 2 + width]
    assert [column(text, at) for at in (0, 1, last + 1)] == [0, 1, 1]
    assert line_above(f"{newline}a", width) == 0
    assert line_end(f"{newline}a", 0) == 0
    assert line_start(f"{newline}a", width) == width


@each(
    ("text", "refused"),
    [("a: 1\n", False), ("é: 1\n", False), ("a: \u2028\n", True), ("a: \x85", True)],
)
def test_line_breaks_that_editors_do_not_show(text: str, refused: bool) -> None:
    if refused:
        with pytest.raises(Refusal, match="line breaks"):
            check_text(text)
    else:
        check_text(text)


@each(
    ("text", "start", "prefix"),
    [
        ("a: 1", 0, ""),
        ("x:\n  a: 1", 5, "  "),
        ("- a: 1", 2, "- "),
        ("x:\n  - -  a: 1", 10, "  - -  "),
        ("\ta: 1", 1, "tab"),
        ("? a", 2, "`? key` form"),
        ("x: a", 3, "`? key` form"),
    ],
)
def test_what_is_before_a_child(text: str, start: int, prefix: str) -> None:
    if prefix.strip(" -"):
        with pytest.raises(Refusal, match=prefix.replace("?", r"\?")):
            block_prefix(text, start)
    else:
        assert block_prefix(text, start) == prefix


@each(
    ("text", "end", "why"),
    [
        ("a: 1\n", 2, ""),
        ("a  : 1\n", 4, ""),
        ('"a": 1\n', 4, ""),
        ("&x a: 1\n", 0, "anchor or a tag"),
        ("!!str a: 1\n", 0, "anchor or a tag"),
        ("? a\n: 1\n", 0, "form"),
    ],
)
def test_the_colon_of_a_key(text: str, end: int, why: str) -> None:
    entry = read(text).root.entries[0]
    if why:
        with pytest.raises(Refusal, match=why):
            after_colon(text, entry)
    else:
        assert after_colon(text, entry) == end
        assert value_slot(text, read(text).root, 0) == end


LIST = "x:\n- a\n# - no\n-\n\n-  b: 1\n   c: 2\n- - d\n"


def test_the_items_of_a_list() -> None:
    items = node(LIST, "x")
    assert isinstance(items, Sequence)
    places = [LIST.index("- a"), LIST.index("-\n\n"), LIST.index("-  b"), LIST.index("- - d")]
    for index, place in enumerate(places):
        assert dash_offset(LIST, items, index) == place
        assert child_start(LIST, items, index) == place
        assert value_slot(LIST, items, index) == place + 1
    ends = [child_end(LIST, items, index) for index in range(2)]
    assert ends == [LIST.index("\n# -"), places[1] + 1]
    assert child_count(items) == 4
    assert child_value(items, 1) is items.items[1]


def test_a_list_with_an_anchor() -> None:
    text = "x: &a\n- 1\n- 2\n"
    items = node(text, "x")
    assert isinstance(items, Sequence)
    if items.start != text.index("- 1"):
        with pytest.raises(Refusal, match="anchor"):
            dash_offset(text, items, 0)
    assert dash_offset(text, items, 1) == text.index("- 2")


def test_the_entries_of_a_mapping_and_of_brackets() -> None:
    text = "a:\nb: [1,  2]\n"
    root = read(text).root
    assert [child_start(text, root, index) for index in (0, 1)] == [0, 3]
    assert [child_end(text, root, index) for index in (0, 1)] == [2, text.index("]") + 1]
    assert child_count(root) == 2
    assert child_value(root, 0) is root.entries[0].value
    inner = root.entries[1].value
    assert isinstance(inner, Sequence)
    assert [child_start(text, inner, index) for index in (0, 1)] == [
        text.index("1"),
        text.index("2"),
    ]
    assert child_end(text, inner, 1) == text.index("2") + 1


@each(
    ("text", "path", "leaf"),
    [
        ("a: 1\n", (), "1"),
        ("a: {b: 1}\n", (), "{b: 1}"),
        ("a:\n- b\n- c: d\n  e: f\n", (), "f"),
        ("a: [1]\n", ("a",), "[1]"),
    ],
)
def test_the_end_of_a_value(text: str, path: Path, leaf: str) -> None:
    found = node(text, *path)
    assert isinstance(found, (Mapping, Sequence))
    last = last_leaf(found)
    assert text[last.start : last.end] == leaf


@each(
    ("text", "empty"), [("a:\n", True), ("a: ''\n", False), ("a: ~\n", False), ("a: []\n", False)]
)
def test_a_value_without_characters(text: str, empty: bool) -> None:
    assert is_empty(read(text).root.entries[0].value) is empty


@each(("header", "end"), [("|", 4), (">-", 5), ("|2+", 6), ("!!str |", 10)])
def test_the_header_of_a_block_text(header: str, end: int) -> None:
    text = f"a: {header}\n    b\n"
    found = node(text, "a")
    assert isinstance(found, Scalar)
    assert block_header(text, found) == (end, header.removeprefix("!!str "))


@each(
    ("above", "taken"),
    [
        ("# one\n", True),
        ("# one\n# two\n", True),
        ("#\n", True),
        # What is about something else.
        ("  # indented\n", False),
        ("#! shebang\n", False),
        ("# yaml-language-server: $schema=x\n", False),
        ("# cfglint: ignore-file[X]\n", False),
        ("# vim: x\n", False),
        ("# lr: 1\n", False),
        ("# - path: x\n", False),
        ("# Note: lr is high\n", True),
        ("##### Section\n", False),
        ("# ---- Section\n", False),
        ("# -- no section\n", True),
        ("x: 1\n", False),
        ("\n", False),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_the_comments_above_a_key(above: str, taken: bool, newline: str) -> None:
    for before in ("", "x: 1\n", "x: 1\n\n"):
        text = f"{before}{above}a: 1\n".replace("\n", newline)
        start = text.rindex("a: 1")
        expected = len(before.replace("\n", newline)) if taken else start
        assert comment_block_start(text, start) == expected


def test_comments_are_at_the_column_of_their_key() -> None:
    text = "x:\n# other\n  # own\n  a: 1\n"
    assert comment_block_start(text, text.index("a: 1")) == text.index("  # own")


@each(
    ("text", "mapping", "dash", "brackets"),
    [
        ("a: 1\n", 2, 2, False),
        ("a:\n    b: 1\n", 4, 2, False),
        ("a:\n- b\n", 2, 0, False),
        ("a:\n    - b\n", 4, 4, False),
        ("a:\n   - b\nc:\n    d: 1\n", 4, 3, False),
        ("a: {b: 1}\nc:\n   d: 1\n", 3, 2, False),
        ("a: [1]\nb: [2, 3]\n", 2, 2, True),
        ("a: [1]\nb:\n- 2\n", 2, 0, False),
        ("a: []\n", 2, 2, False),
        ("a: [{b: 1}]\n", 2, 2, False),
        ("a:\n- b:\n      c: 1\n- d:\n    - e\n", 4, 0, False),
    ],
)
def test_how_a_file_is_laid_out(text: str, mapping: int, dash: int, brackets: bool) -> None:
    document = read(text)
    assert indentation_of(document) == Indentation(mapping, dash)
    assert lists_in_brackets(document) is brackets
