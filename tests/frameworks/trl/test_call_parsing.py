"""What a class makes of its arguments."""

from __future__ import annotations

from typing import Any

from cfglint.base.logic import UNKNOWN
from cfglint.frameworks.trl.call_parsing import CALLS
from tests.draws import each


@each(
    ("kinds", "choices", "value", "takes"),
    [
        ("int", (), 2, True),
        # Nothing converts a text.
        ("int", (), "2", False),
        ("float|null", (), "2.5", False),
        ("int|str", (), "2", True),
        ("bool", (), "yes", True),
        ("list<str>", (), "a", True),
        ("any", (), "a", True),
        ("literal", ("a", "b"), "a", True),
        ("literal", ("a", "b"), "c", False),
        ("int|literal", ("a", "b"), "a", True),
        ("int", ("a", "b"), "a", False),
        ("int", (), UNKNOWN, True),
        ("literal", ("a", "b"), UNKNOWN, True),
    ],
)
def test_what_can_be_meant(kinds: str, choices: tuple[Any, ...], value: Any, takes: bool) -> None:
    assert CALLS.takes(tuple(kinds.split("|")), choices, {}, value) is takes


@each(
    ("examined", "value", "refuses"),
    [
        (("text",), "a", True),
        (("text",), 2, False),
        (("list",), ["a"], True),
        # A text cannot be compared with a number either.
        (("list",), "a", True),
        (("list",), 2, False),
        ((), "a", False),
    ],
)
def test_what_is_looked_at(examined: tuple[str, ...], value: Any, refuses: bool) -> None:
    assert CALLS.refuses(("int",), (), {"examined": examined}, value) is refuses
    assert not CALLS.refuses(("int",), (), {}, value)
