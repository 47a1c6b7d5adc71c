"""Every action on JSON."""

from __future__ import annotations

import pytest

from cfglint.fixes.actions import DeleteKey, MoveKey, SetValue
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.planning import plan
from cfglint.source.languages.json import JSON
from cfglint.source.text import SourceText
from tests.fixes.recording import TEXTS, check, recorded


@pytest.mark.parametrize(("text", "expected"), recorded("json"))
def test_every_action(text: str, expected: dict[str, str]) -> None:
    check("json", text, expected)


def test_every_text_is_recorded() -> None:
    assert [text for text, _ in recorded("json")] == TEXTS["json"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # A comment before the key goes with it, as the one behind it does.
        (
            '{\n  "a": 1, // x\n  /* y */ "b": 2, // z\n  "c": 3\n}',
            '{\n  "a": 1, // x\n  "c": 3\n}',
        ),
        ('{\n  "a": 1, // x\n  /* y */ "b": 2 // z\n}', '{\n  "a": 1 // x\n}'),
        # Another key shares the line, or a comment of several lines ends on it.
        ('{\n  "a": 1, // x\n  "b": 2, "c": 3\n}', '{\n  "a": 1, // x\n  "c": 3\n}'),
        ('{\n  "a": 1, // x\n  "b": 2}', '{\n  "a": 1 // x\n  }'),
        (
            '{\n  "a": 1, // x\n  /* y\n  */ "b": 2, // z\n  "c": 3\n}',
            '{\n  "a": 1, // x\n  /* y\n  */ "c": 3\n}',
        ),
        ('{"a": 1, /* x */ "b": 2, "c": 3}', '{"a": 1, /* x */ "c": 3}'),
        ('{"a": 1\n  // x\n  , "b": 2 // y\n  , "c": 3}', '{"a": 1\n  // x\n  , "c": 3}'),
    ],
)
def test_a_deleted_key_leaves_the_comments_of_the_line_above(before: str, after: str) -> None:
    made = plan(JSON.read(SourceText(before)), [DeleteKey(("b",))])
    assert apply_edits(before, made.edits) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # Lines are as far in as their new neighbours; on one line there are none.
        (
            '{\n  "b": [\n    1\n  ],\n  "o": {\n      "k": 1\n  }\n}',
            '{\n  "o": {\n      "k": 1,\n      "b": [\n        1\n      ]\n  }\n}',
        ),
        ('{\n  "o": {"k": 1},\n  "b": [\n    1\n  ]\n}', '{\n  "o": {"k": 1, "b": [1]}\n}'),
        # Those that were not in at all are written anew.
        (
            '{\n  "b": [\n1\n  ],\n  "o": {\n    "k": 1\n  }\n}',
            '{\n  "o": {\n    "k": 1,\n    "b": [\n      1\n    ]\n  }\n}',
        ),
    ],
)
def test_the_lines_of_a_value_that_moves(before: str, after: str) -> None:
    made = plan(JSON.read(SourceText(before)), [MoveKey(("b",), ("o", "b"))])
    assert apply_edits(before, made.edits) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"a": 1}', '{"a": 1, "n": 2}'),
        ('{"a": 1,}', '{"a": 1, "n": 2}'),
        ('{\n  "a": 1\n}', '{\n  "a": 1,\n  "n": 2\n}'),
        ('{\n  "a": 1,\n}', '{\n  "a": 1,\n  "n": 2\n}'),
        ('{\n  "a": 1 // x\n}', '{\n  "a": 1, // x\n  "n": 2\n}'),
        ('{\n  "a": 1, // x\n}', '{\n  "a": 1, // x\n  "n": 2\n}'),
        ("{}", '{"n": 2}'),
        ("{\n}", '{\n  "n": 2\n}'),
        ("{ // x\n}", '{ // x\n  "n": 2\n}'),
        ("{ /* x */ }", '{"n": 2 /* x */ }'),
    ],
)
def test_a_new_key_takes_no_comment_away(before: str, after: str) -> None:
    made = plan(JSON.read(SourceText(before)), [SetValue(("n",), 2)])
    assert apply_edits(before, made.edits) == after
    assert not made.drops_comments


def test_comments_elsewhere_are_none_that_go() -> None:
    text = '{\n  "a": 1, // x\n  "b": 2,\n  "c": 3 // z\n}'
    document = JSON.read(SourceText(text))
    assert not plan(document, [DeleteKey(("b",))]).drops_comments
    assert plan(document, [DeleteKey(("a",))]).drops_comments
    assert plan(document, [DeleteKey(("c",))]).drops_comments
