"""What an argument parser makes of a word."""

from __future__ import annotations

from typing import Any

from cfglint.knowledge.keys.argument_types import converted, converts, nullable_number, of_text
from tests.draws import each


@each(
    ("kinds", "text", "expected"),
    [
        (("int",), "3", 3),
        (("int",), " -1_000 ", -1000),
        (("int",), "3.0", "3.0"),
        (("int",), "9" * 4000, "9" * 4000),
        (("float",), "1e-4", 0.0001),
        (("float",), "x", "x"),
        (("bool",), "Yes", True),
        (("bool",), "0", False),
        (("bool",), "on", "on"),
        (("str",), "3", "3"),
        # What may stay a text does; of two kinds the other one counts.
        (("int", "str"), "3", 3),
        (("int", "str", "null"), "3", "3"),
        (("int", "null"), "None", None),
        (("int", "null"), "3", 3),
        (("float", "null"), "null", None),
        (("str", "null"), "null", "null"),
        (("bool", "null"), "none", "none"),
        (("dict<str,any>", "null"), "null", None),
        (("int",), "null", "null"),
    ],
)
def test_converted(kinds: tuple[str, ...], text: str, expected: Any) -> None:
    found = converted(kinds, text)
    assert (found, type(found)) == (expected, type(expected))


@each(
    ("base", "inner", "text", "expected"),
    [
        ("list", "int>", "3", True),
        ("list", "int>", "x", False),
        ("int", "", "3", True),
        ("int", "", "3e2", False),
        ("int", "", "9" * 3999, True),
        ("int", "", "9" * 4000, False),
        ("float", "", "nan", True),
        ("float", "", "", False),
        ("bool", "", "T", True),
        ("bool", "", "2", False),
        ("dict", "str,any>", "", True),
        ("dict", "str,any>", "{}", False),
        ("str", "", "x", True),
        ("any", "", "x", True),
        ("null", "", "x", False),
        ("model", "", "x", False),
    ],
)
def test_converts(base: str, inner: str, text: str, expected: bool) -> None:
    assert converts(base, inner, text) is expected


def test_kinds() -> None:
    assert nullable_number(("int", "null"))
    assert nullable_number(("null", "dict<str,any>"))
    assert not nullable_number(("int",))
    assert not nullable_number(("str", "null"))
    assert not nullable_number(("int", "float", "null"))
    assert of_text(("int", "str")) == ("int",)
    assert of_text(("str", "null")) == ("str", "null")
    assert of_text(("str", "int", "bool")) == ("str", "int", "bool")
