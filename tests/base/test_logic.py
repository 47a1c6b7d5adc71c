"""Numbers of which only the least is known."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cfglint.base.logic import AtLeast, Truth
from cfglint.knowledge.rules.predicates.comparison import PREDICATES
from tests.draws import each


@each(
    ("predicate", "operand", "truth"),
    [
        ("gt", 1, True),
        ("ge", 2, True),
        ("ne", 1, True),
        ("eq", 1, False),
        ("lt", 2, False),
        ("le", 1, False),
        ("gt", 2, None),
        ("eq", 2, None),
        ("le", 2, None),
        ("eq", 8, None),
        ("in", [1, 2], None),
        ("eq", True, None),
        ("eq", "1", None),
    ],
)
def test_at_least_two(predicate: str, operand: Any, truth: Truth) -> None:
    assert AtLeast(2).truth(predicate, operand) is truth


@given(
    st.integers(0, 5),
    st.sampled_from(["eq", "ne", "gt", "ge", "lt", "le"]),
    st.integers(-1, 8),
    st.integers(0, 20),
)
def test_no_number_contradicts_it(least: int, predicate: str, operand: int, more: int) -> None:
    truth = AtLeast(least).truth(predicate, operand)
    if truth is not None:
        assert PREDICATES[predicate](least + more, operand) is truth
