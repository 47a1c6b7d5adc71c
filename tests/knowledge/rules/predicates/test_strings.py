"""Predicates about parts of texts, and how much of a text they look at."""

from __future__ import annotations

from typing import Any

from cfglint.knowledge.rules.predicates import bound
from cfglint.knowledge.rules.predicates.strings import (
    MAX_MATCHED,
    contains,
    covers,
    ends_with,
    matches,
    starts_with,
    valid_regex,
)
from tests.draws import each

LONG = "x" * MAX_MATCHED


@each(
    ("value", "operand", "holds"),
    [
        ("q_proj", ["q_proj"], True),
        ("model.layers.0.q_proj", ["q_proj", "v_proj"], True),
        ("q_proj.x", ["q_proj"], False),
        ("*_proj", ["q_proj"], True),
        ("model.[qk]_proj", ["k_proj"], True),
        ("?_proj", ["qk_proj"], False),
        ("*", ["q_proj"], True),
        ("*", [], False),
        # The case of letters counts.
        ("Q_PROJ", ["q_proj"], False),
        ("Q*", ["q_proj"], False),
        # A longer pattern names no module.
        ("q" + "*" * 63, ["q_proj"], True),
        ("q" + "*" * 64, ["q_proj"], False),
        # Only the beginning of a long text is looked at.
        (LONG[:-7] + ".q_proj", ["q_proj"], True),
        (LONG[:-6] + ".q_proj", ["q_proj"], False),
        (1, ["q_proj"], False),
        (["q_proj"], ["q_proj"], False),
    ],
)
def test_names_that_a_dotted_name_covers(value: Any, operand: list[str], holds: bool) -> None:
    assert covers(value, operand) is holds


@each(
    ("value", "pattern", "holds"),
    [
        ("abc", "B", True),
        ("abc", "^b", False),
        (LONG[:-1] + "y", "y", True),
        (LONG + "y", "y", False),
        (1, "1", False),
        (None, "none", False),
    ],
)
def test_patterns(value: Any, pattern: str, holds: bool) -> None:
    assert matches(value, pattern) is holds


@each(
    ("value", "valid"),
    [
        ("q_proj", True),
        (".*proj", True),
        ("(", False),
        ("*", False),
        ("(?<=a+)b", False),
        ("", True),
        # Of one that is very long it is not shown that it is wrong.
        ("(" * 10_001, True),
        ("(" * 10_000, False),
    ],
)
def test_regular_expressions(value: str, valid: bool) -> None:
    assert valid_regex(value, True) is valid
    assert valid_regex(value, False) is not valid


def test_what_is_no_text_is_no_regular_expression_either() -> None:
    for value in (1, None, ["a"]):
        assert not valid_regex(value, True)
        assert not valid_regex(value, False)


@each(
    ("value", "operand", "start", "end", "part"),
    [
        ("model.jinja", "model", True, False, True),
        ("model.jinja", ".jinja", False, True, True),
        ("model.jinja", ["x", "mod"], True, False, False),
        ("model.jinja", ["x", ".jinja"], False, True, False),
        ("model.jinja", "MODEL", False, False, True),
        ("a1", 1, False, True, True),
        (["a"], "a", False, False, True),
        (["a"], "A", False, False, False),
        ({"a": 1}, "a", False, False, False),
        (None, "", False, False, False),
    ],
)
def test_parts(value: Any, operand: Any, start: bool, end: bool, part: bool) -> None:
    assert starts_with(value, operand) is start
    assert ends_with(value, operand) is end
    assert contains(value, operand) is part


@each(
    ("name", "operand", "value", "holds"),
    [
        ("truthy", True, [], False),
        ("truthy", False, [], True),
        ("truthy", True, "no", True),
        ("eq", "a", "a", True),
        ("eq", "a", ["a"], False),
        ("eq", 1, "1.0", True),
        ("eq", 1, True, False),
        ("in", ["a", "b"], "b", True),
        ("in", ["a", "b"], ["a"], False),
        ("in", ["a", 1], "1", True),
        ("in", ["a", "1"], 1, False),
        ("contains", "B", "abc", True),
        ("contains", "b", ["b"], True),
        ("contains", "b", 1, False),
        ("contains", 1, "a1", True),
    ],
)
def test_predicates_with_their_operand(name: str, operand: Any, value: Any, holds: bool) -> None:
    """The commonest are written out, and answer as the others do."""
    assert bound(name, operand)(value) is holds
