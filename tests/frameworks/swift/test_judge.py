"""What ms-swift takes in a file: each value becomes a word."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.swift.judge import FILE_WORDS, JOINED_WORDS
from tests.draws import each

JUDGES = {"file": FILE_WORDS, "joined": JOINED_WORDS}
VALUES: list[Any] = [
    *(None, True, 0, 2, 2.5, "2", "2.5", "x", "", "true", "none", "--", "9" * 4301),
    *([], ["a"], ["2"], [2], ["2", "3"], {}, {"a": 1}, "{}", '{"a": 1}'),
]


def taken(judge: str, kinds: str, choices: tuple[Any, ...]) -> str:
    """The values that are taken, and those with which it goes on all the same."""
    found = JUDGES[judge]
    split = tuple(kinds.split("|"))
    return ", ".join(
        f"{value!r:.12}{'' if takes else ' goes on'}"
        for value in VALUES
        if (takes := found.takes(split, choices, {}, value))
        or not found.refuses(split, choices, {}, value)
    )


@each(
    ("judge", "kinds", "choices", "expected"),
    [
        ("file", "int", ("x", "2"), "0, 2, '2', ['2'], [2]"),
        ("file", "int|null", ("x", "2"), "0, 2, '2', ['2'], [2]"),
        ("file", "float", ("x", "2"), "0, 2, 2.5, '2', '2.5', '99999999999, ['2'], [2]"),
        ("file", "bool", ("x", "2"), "True, 0, 'true'"),
        (
            "file",
            "str",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2', '2.5', 'x', '', 'true', 'none', '--', '99999999999, ['a'], ['2'], [2], {}, {'a': 1}, '{}', '{\"a\": 1}'",
        ),
        (
            "file",
            "list<str>",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2', '2.5', 'x', '', 'true', 'none', '--', '99999999999, ['a'], ['2'], [2], ['2', '3'], {}, {'a': 1}, '{}', '{\"a\": 1}'",
        ),
        ("file", "list<int>", ("x", "2"), "0, 2, '2', ['2'], [2], ['2', '3']"),
        ("file", "dict<str,any>", ("x", "2"), "''"),
        ("file", "dict<str,any>|null", ("x", "2"), "''"),
        ("file", "literal", ("x", "2"), "2, '2', 'x', ['2'], [2]"),
        ("joined", "int", ("x", "2"), "0, 2, '2', ['2']"),
        ("joined", "int|null", ("x", "2"), "0, 2, '2', ['2']"),
        ("joined", "float", ("x", "2"), "0, 2, 2.5, '2', '2.5', '99999999999, ['2']"),
        ("joined", "bool", ("x", "2"), "True, 0, 'true'"),
        (
            "joined",
            "str",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2', '2.5', 'x', '', 'true', 'none', '--', '99999999999, ['a'], ['2'], {}, {'a': 1}, '{}', '{\"a\": 1}'",
        ),
        (
            "joined",
            "list<str>",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2', '2.5', 'x', '', 'true', 'none', '--', '99999999999, ['a'], ['2'], ['2', '3'], {}, {'a': 1}, '{}', '{\"a\": 1}'",
        ),
        ("joined", "list<int>", ("x", "2"), "0, 2, '2', ['2'], ['2', '3']"),
        ("joined", "dict<str,any>", ("x", "2"), "''"),
        ("joined", "dict<str,any>|null", ("x", "2"), "''"),
        ("joined", "literal", ("x", "2"), "2, '2', 'x', ['2']"),
    ],
)
def test_values(judge: str, kinds: str, choices: tuple[Any, ...], expected: str) -> None:
    assert taken(judge, kinds, choices) == expected
