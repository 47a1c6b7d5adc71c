"""Every action on JSON."""

from __future__ import annotations

import pytest

from cfglint.fixes.actions import Action, DeleteKey, MoveKey, SetValue
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.planning import plan
from cfglint.source.languages.json import JSON
from cfglint.source.text import SourceText
from tests.draws import each
from tests.fixes.recording import TEXTS, check, recorded


@each(("text", "expected"), recorded("json"))
def test_every_action(text: str, expected: dict[str, str]) -> None:
    check("json", text, expected)


def test_every_text_is_recorded() -> None:
    assert [text for text, _ in recorded("json")] == TEXTS["json"]


@each(
    ("before", "after"),
    [
        (
            '{\n  "a": 1, // x\n  /* y */ "b": 2, // z\n  "c": 3\n}',
            '{\n  "a": 1, // x\n  /* y */\n  // z\n  "c": 3\n}',
        ),
        (
            '{\n  "a": 1, // x\n  /* y */ "b": 2 // z\n}',
            '{\n  "a": 1 // x\n  /* y */\n  // z\n}',
        ),
        # Another key shares the line, or a comment of several lines ends on it.
        ('{\n  "a": 1, // x\n  "b": 2, "c": 3\n}', '{\n  "a": 1, // x\n  "c": 3\n}'),
        ('{\n  "a": 1, // x\n  "b": 2}', '{\n  "a": 1 // x\n  }'),
        (
            '{\n  "a": 1, // x\n  /* y\n  */ "b": 2, // z\n  "c": 3\n}',
            '{\n  "a": 1, // x\n  /* y\n  */ // z\n  "c": 3\n}',
        ),
        ('{"a": 1, /* x */ "b": 2, "c": 3}', '{"a": 1, /* x */ "c": 3}'),
        ('{"a": 1\n  // x\n  , "b": 2\n  , "c": 3}', '{"a": 1\n  // x\n  , "c": 3}'),
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


@each(
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


@each(
    ("before", "key", "after"),
    [
        ('{\n  "a": 1, // x\n  "b": 2\n}', "a", '{\n  // x\n  "b": 2\n}'),
        ('{\n  "a": 1,\n  "b": 2 // x\n}', "b", '{\n  "a": 1\n  // x\n}'),
        ('{\n  "a": 1 // x\n}', "a", "{\n  // x\n}"),
        (
            '{\n  /* w */ "a": /* x */ 1, /* y */\n  "b": 2\n}',
            "a",
            '{\n  /* w */\n  /* x */\n  /* y */\n  "b": 2\n}',
        ),
        (
            '{\r\n  "a": { // x\r\n    // y\r\n    "c": 1\r\n  },\r\n  "b": 2\r\n}',
            "a",
            '{\r\n  // x\r\n  // y\r\n  "b": 2\r\n}',
        ),
        ('{"a": 1, // x\n "b": 2}', "a", '{// x\n "b": 2}'),
        ('{"a": 1, "b": 2 // x\n}', "b", '{"a": 1 // x\n}'),
    ],
)
def test_comments_of_a_removed_key_stay(before: str, key: str, after: str) -> None:
    made = plan(JSON.read(SourceText(before)), [DeleteKey((key,))])
    assert apply_edits(before, made.edits) == after


@each(
    ("text", "action"),
    [
        ('{"a": /* x */ 1, "b": 2}', DeleteKey(("a",))),
        ('{"a": 1\n  , "b": 2 // y\n  , "c": 3}', DeleteKey(("b",))),
        ('{"a": {/* x */ "c": 1}}', DeleteKey(("a",))),
        ('{\n  "a": [\n    1 // x\n  ]\n}', SetValue(("a",), 2)),
    ],
)
def test_a_change_around_a_comment_is_refused_where_it_has_no_place(
    text: str, action: Action
) -> None:
    assert "comments inside" in str(plan(JSON.read(SourceText(text)), [action]).refused)


def test_a_new_key_of_a_section_after_the_section_itself() -> None:
    before = '{"a": {"b": 1}, "c": 2}'
    made = plan(JSON.read(SourceText(before)), [SetValue(("a", "n"), 3)], after=("a",))
    assert apply_edits(before, made.edits) == '{"a": {"b": 1, "n": 3}, "c": 2}'
