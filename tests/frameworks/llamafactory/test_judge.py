"""What LLaMA-Factory takes as it is written."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.llamafactory.judge import AS_WRITTEN, COMPARED, SECTIONS_AS_TEXT
from tests.draws import each

JUDGES = {"written": AS_WRITTEN, "compared": COMPARED, "sections": SECTIONS_AS_TEXT}
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
        ("written", "int", ("x", "2"), "None, True, 0, 2, 2.5 goes on"),
        ("written", "int|null", ("x", "2"), "None, True, 0, 2, 2.5 goes on"),
        ("written", "float", ("x", "2"), "None, True, 0, 2, 2.5"),
        (
            "written",
            "bool",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2', '2.5', 'x', '', 'true', 'none', '--', '99999999999, '{}', '{\"a\": 1}'",
        ),
        (
            "written",
            "str",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2', '2.5', 'x', '', 'true', 'none', '--', '99999999999, '{}', '{\"a\": 1}'",
        ),
        ("written", "null", ("x", "2"), "None"),
        ("written", "list<str>", ("x", "2"), "None, [], ['a'], ['2'], [2], ['2', '3']"),
        ("written", "dict<str,any>", ("x", "2"), "None, {}, {'a': 1}"),
        ("written", "model:A", ("x", "2"), "None, {}, {'a': 1}"),
        ("written", "enum:E", ("x", "2"), "'2', 'x'"),
        ("written", "literal", ("x", "2"), "None, '2', 'x'"),
        (
            "written",
            "any",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2', '2.5', 'x', '', 'true', 'none', '--', '99999999999, [], ['a'], ['2'], [2], ['2', '3'], {}, {'a': 1}, '{}', '{\"a\": 1}'",
        ),
        (
            "compared",
            "int",
            ("x", "2"),
            "None, True, 0, 2, 2.5 goes on, '2' goes on, '2.5' goes on, 'x' goes on, '' goes on, 'true' goes on, 'none' goes on, '--' goes on, '99999999999 goes on, [] goes on, ['a'] goes on, ['2'] goes on, [2] goes on, ['2', '3'] goes on, {} goes on, {'a': 1} goes on, '{}' goes on, '{\"a\": 1}' goes on",
        ),
        (
            "compared",
            "int|null",
            ("x", "2"),
            "None, True, 0, 2, 2.5 goes on, '2' goes on, '2.5' goes on, 'x' goes on, '' goes on, 'true' goes on, 'none' goes on, '--' goes on, '99999999999 goes on, [] goes on, ['a'] goes on, ['2'] goes on, [2] goes on, ['2', '3'] goes on, {} goes on, {'a': 1} goes on, '{}' goes on, '{\"a\": 1}' goes on",
        ),
        (
            "compared",
            "float",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2' goes on, '2.5' goes on, 'x' goes on, '' goes on, 'true' goes on, 'none' goes on, '--' goes on, '99999999999 goes on, [] goes on, ['a'] goes on, ['2'] goes on, [2] goes on, ['2', '3'] goes on, {} goes on, {'a': 1} goes on, '{}' goes on, '{\"a\": 1}' goes on",
        ),
        (
            "compared",
            "bool",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2', '2.5', 'x', '', 'true', 'none', '--', '99999999999, [] goes on, ['a'] goes on, ['2'] goes on, [2] goes on, ['2', '3'] goes on, {} goes on, {'a': 1} goes on, '{}', '{\"a\": 1}'",
        ),
        (
            "compared",
            "str",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2', '2.5', 'x', '', 'true', 'none', '--', '99999999999, [] goes on, ['a'] goes on, ['2'] goes on, [2] goes on, ['2', '3'] goes on, {} goes on, {'a': 1} goes on, '{}', '{\"a\": 1}'",
        ),
        (
            "compared",
            "null",
            ("x", "2"),
            "None, True goes on, 0 goes on, 2 goes on, 2.5 goes on, '2' goes on, '2.5' goes on, 'x' goes on, '' goes on, 'true' goes on, 'none' goes on, '--' goes on, '99999999999 goes on, [] goes on, ['a'] goes on, ['2'] goes on, [2] goes on, ['2', '3'] goes on, {} goes on, {'a': 1} goes on, '{}' goes on, '{\"a\": 1}' goes on",
        ),
        (
            "compared",
            "list<str>",
            ("x", "2"),
            "None, True goes on, 0 goes on, 2 goes on, 2.5 goes on, '2' goes on, '2.5' goes on, 'x' goes on, '' goes on, 'true' goes on, 'none' goes on, '--' goes on, '99999999999 goes on, [], ['a'], ['2'], [2], ['2', '3'], {} goes on, {'a': 1} goes on, '{}' goes on, '{\"a\": 1}' goes on",
        ),
        (
            "compared",
            "dict<str,any>",
            ("x", "2"),
            "None, True goes on, 0 goes on, 2 goes on, 2.5 goes on, '2' goes on, '2.5' goes on, 'x' goes on, '' goes on, 'true' goes on, 'none' goes on, '--' goes on, '99999999999 goes on, [] goes on, ['a'] goes on, ['2'] goes on, [2] goes on, ['2', '3'] goes on, {}, {'a': 1}, '{}' goes on, '{\"a\": 1}' goes on",
        ),
        (
            "compared",
            "model:A",
            ("x", "2"),
            "None, True goes on, 0 goes on, 2 goes on, 2.5 goes on, '2' goes on, '2.5' goes on, 'x' goes on, '' goes on, 'true' goes on, 'none' goes on, '--' goes on, '99999999999 goes on, [] goes on, ['a'] goes on, ['2'] goes on, [2] goes on, ['2', '3'] goes on, {}, {'a': 1}, '{}' goes on, '{\"a\": 1}' goes on",
        ),
        (
            "compared",
            "enum:E",
            ("x", "2"),
            "None goes on, True goes on, 0 goes on, 2 goes on, 2.5 goes on, '2', '2.5' goes on, 'x', '' goes on, 'true' goes on, 'none' goes on, '--' goes on, '99999999999 goes on, [] goes on, ['a'] goes on, ['2'] goes on, [2] goes on, ['2', '3'] goes on, {} goes on, {'a': 1} goes on, '{}' goes on, '{\"a\": 1}' goes on",
        ),
        (
            "compared",
            "literal",
            ("x", "2"),
            "None, True goes on, 0 goes on, 2 goes on, 2.5 goes on, '2', '2.5' goes on, 'x', '' goes on, 'true' goes on, 'none' goes on, '--' goes on, '99999999999 goes on, [] goes on, ['a'] goes on, ['2'] goes on, [2] goes on, ['2', '3'] goes on, {} goes on, {'a': 1} goes on, '{}' goes on, '{\"a\": 1}' goes on",
        ),
        (
            "compared",
            "any",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2', '2.5', 'x', '', 'true', 'none', '--', '99999999999, [], ['a'], ['2'], [2], ['2', '3'], {}, {'a': 1}, '{}', '{\"a\": 1}'",
        ),
        ("sections", "int", ("x", "2"), "None, True, 0, 2, 2.5 goes on"),
        ("sections", "int|null", ("x", "2"), "None, True, 0, 2, 2.5 goes on"),
        ("sections", "float", ("x", "2"), "None, True, 0, 2, 2.5"),
        (
            "sections",
            "bool",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2', '2.5', 'x', '', 'true', 'none', '--', '99999999999, '{}', '{\"a\": 1}'",
        ),
        (
            "sections",
            "str",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2', '2.5', 'x', '', 'true', 'none', '--', '99999999999, '{}', '{\"a\": 1}'",
        ),
        ("sections", "null", ("x", "2"), "None"),
        ("sections", "list<str>", ("x", "2"), "None, [], ['a'], ['2'], [2], ['2', '3']"),
        ("sections", "dict<str,any>", ("x", "2"), "None, {}, {'a': 1}, '{}', '{\"a\": 1}'"),
        ("sections", "model:A", ("x", "2"), "None, {}, {'a': 1}, '{}', '{\"a\": 1}'"),
        ("sections", "enum:E", ("x", "2"), "'2', 'x'"),
        ("sections", "literal", ("x", "2"), "None, '2', 'x'"),
        (
            "sections",
            "any",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2', '2.5', 'x', '', 'true', 'none', '--', '99999999999, [], ['a'], ['2'], [2], ['2', '3'], {}, {'a': 1}, '{}', '{\"a\": 1}'",
        ),
    ],
)
def test_values(judge: str, kinds: str, choices: tuple[Any, ...], expected: str) -> None:
    assert taken(judge, kinds, choices) == expected
