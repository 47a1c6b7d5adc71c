"""Arithmetic in conditions, against Python's own."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.knowledge.rules.arithmetic import compute, parse
from tests.draws import each

NAMES = {"save_steps": 7, "eval_steps": 4, "a": 1}

expressions = st.recursive(
    st.sampled_from(["1", "2.5", "10", *NAMES]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from([" + ", "-", " * ", "/", " % "]), inner).map("".join),
        inner.map(lambda text: f"({text})"),
        st.tuples(st.sampled_from(["max", "min"]), inner, inner).map(
            lambda call: f"{call[0]}({call[1]}, {call[2]})"
        ),
    ),
    max_leaves=8,
)


def value(tree: tuple[Any, ...]) -> float | None:
    if tree[0] in ("number", "subject"):
        return tree[1]  # type: ignore[no-any-return]
    left, right = value(tree[1]), value(tree[2])
    return None if left is None or right is None else compute(tree[0], left, right)


@given(expressions)
def test_same_as_python(text: str) -> None:
    """Precedence and associativity are Python's."""
    try:
        expected: float | None = eval(text, {"__builtins__": {"max": max, "min": min}}, dict(NAMES))
    except ZeroDivisionError:
        expected = None
    assert value(parse(text, NAMES.__getitem__)) == expected


@each(
    "text",
    [
        *["", "1 +", "(1", "1)", "+ 1", "1 2", "a b c", "1 ! 2", "1 ** 2", "()"],
        *["max(1)", "max(1, 2, 3)", "max(1", "len(1)", "len(a, b)", "default(a)", "1, 2"],
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expression"):
        parse(text, str)


def test_names_may_be_two_words() -> None:
    assert parse("(fact gpus * a.b[].c)", str) == (
        "*",
        ("subject", "fact gpus"),
        ("subject", "a.b[].c"),
    )


@pytest.mark.parametrize(
    ("operator", "left", "right"), [("/", 1, 0), ("%", 1, 0), ("*", 1e308, 1e308)]
)
def test_results_that_do_not_exist(operator: str, left: float, right: float) -> None:
    assert compute(operator, left, right) in (None, float("inf"))


def test_the_length_of_a_list() -> None:
    assert parse("len(a.b) * 2", str) == ("*", ("len", ("subject", "a.b")), ("number", 2))


@each(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("2 * 3 + 1", 7),
        ("8 - 6 / 3", 6),
        ("1 + 7 % 4", 4),
        ("7 % 4 + 1", 4),
        ("8 - 2 - 3", 3),
        ("8 - 2 + 3", 9),
        ("8 / 2 / 2", 2),
        ("8 / 2 * 2", 8),
        ("7 % 4 * 2", 6),
        ("8 - (2 - 3)", 9),
        ("max(1, 2) * 3 + min(4, 5)", 10),
    ],
)
def test_what_comes_first(text: str, expected: float) -> None:
    assert value(parse(text, NAMES.__getitem__)) == expected
