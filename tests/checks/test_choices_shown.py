"""Which of many words a message about an unknown one lists."""

from __future__ import annotations

from cfglint.checks.value_types import _choices

_MANY = (*(f"name_{number}" for number in range(12)), "adamw_torch", "adamw_8bit")


def test_few_are_all_listed() -> None:
    assert _choices(("a", "b", "c"), "d") == "a, b, c"


def test_of_many_those_that_begin_alike_come_first() -> None:
    shown = _choices(_MANY, "adamw_hf")
    assert shown.startswith("adamw_torch, adamw_8bit, name_0, ")
    assert shown.endswith(" and 6 others")


def test_nothing_alike_leaves_the_order() -> None:
    assert _choices(_MANY, "xx").startswith("name_0, name_1, ")
