"""What an option of LLaMA2-Accessory takes."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.accessory.judge import WORDS
from tests.draws import each

JUDGES = {"words": WORDS}
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
        (
            "words",
            "int",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2', '--', [], ['a'], ['2'], [2], ['2', '3'], {}, {'a': 1}",
        ),
        (
            "words",
            "float",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2', '2.5', '--', '99999999999, [], ['a'], ['2'], [2], ['2', '3'], {}, {'a': 1}",
        ),
        (
            "words",
            "str",
            ("x", "2"),
            "None, True, 0, 2, 2.5, '2', '2.5', 'x', '', 'true', 'none', '--', '99999999999, [], ['a'], ['2'], [2], ['2', '3'], {}, {'a': 1}, '{}', '{\"a\": 1}'",
        ),
        (
            "words",
            "literal",
            ("x", "2"),
            "None, True, '2', 'x', '--', [], ['a'], ['2'], [2], ['2', '3']",
        ),
    ],
)
def test_values(judge: str, kinds: str, choices: tuple[Any, ...], expected: str) -> None:
    assert taken(judge, kinds, choices) == expected
