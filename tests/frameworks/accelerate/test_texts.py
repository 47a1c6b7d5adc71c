"""What the readers of accelerate's environment variables take."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.accelerate.texts import TEXTS, accepts_text
from tests.draws import each


@each(
    ("kind", "taken", "refused"),
    [
        ("truth", [True, False, 1, 0, "Yes", "off", "t", "N"], [None, 2, 1.0, "", "none", []]),
        ("whole", [3, -1, "8", " 8 ", "1_000", "+2"], [None, True, 8.0, "8.0", "1e8", "", [1]]),
        ("decimal", [1, 0.5, "1e-3", "nan", " 2 "], [None, True, "auto", "", [1.0]]),
        ("word", ["Full", "FULL", "none", None], ["other", 1, ""]),
        ("exact", ["FULL"], ["full", None, 1]),
        ("choice", ["FULL", None, False, 3, []], ["full", ""]),
        ("str", ["0", ""], [0, None, ["0"]]),
        ("any", [None, [], "x"], []),
    ],
)
def test_each_kind(kind: str, taken: list[Any], refused: list[Any]) -> None:
    for value in taken:
        assert accepts_text((kind,), ("FULL", "NONE"), value), value
    for value in refused:
        assert not accepts_text((kind,), ("FULL", "NONE"), value), value


def test_alternatives_and_null() -> None:
    kinds = ("word", "whole", "null")
    assert all(accepts_text(kinds, ("A",), value) for value in ("a", 1, "5", None))
    assert not any(accepts_text(kinds, ("A",), value) for value in ("b", 1.5, True))


@each(
    ("kinds", "value", "broken"),
    [
        (("whole",), "0", ("ge", 1)),
        (("whole",), 1, None),
        (("whole",), "5", None),
        (("whole", "null"), 6, ("le", 5)),
        (("word",), 6, None),
        (("whole",), "six", None),
        (("whole",), True, None),
    ],
)
def test_bounds(kinds: tuple[str, ...], value: Any, broken: tuple[str, int] | None) -> None:
    assert TEXTS.broken_bound(kinds, {"ge": 1, "le": 5}, value) == broken
    assert TEXTS.broken_bound(kinds, {}, value) is None


def test_a_number_of_any_length_is_judged_at_once() -> None:
    assert not accepts_text(("whole",), (), "9" * 5_000)
