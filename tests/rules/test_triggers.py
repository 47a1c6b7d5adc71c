"""What a file must have for a rule to be tried: never more than the rule itself asks for."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cfglint.rules.conditions import parse_condition
from cfglint.rules.evaluate import evaluate
from cfglint.rules.triggers import file_tokens, index, matching, necessary, split_token
from cfglint.source.compose import compose
from cfglint.source.text import SourceText
from tests.rules.test_conditions import DataScope, conditions, configs


def tokens_of(data: dict[str, Any]) -> set[str]:
    text = yaml.safe_dump(data) if data else "x:\n"
    return file_tokens(compose(SourceText(text))) - ({"x?"} if not data else set())


@pytest.mark.parametrize(
    ("data", "tokens"),
    [
        ({"a": None}, {"a?"}),
        ({"a": False}, {"a?", "a"}),
        ({"a": 2}, {"a?", "a", "a!"}),
        ({"a": "dpo"}, {"a?", "a", "a!", "a=dpo"}),
        ({"a": []}, {"a?", "a"}),
        ({"a": {}}, {"a?", "a"}),
        ({"a": [1]}, {"a?", "a", "a!"}),
        ({"a": {"b": 0, "c": None}}, {"a?", "a", "a!", "a.b"}),
        ({"a": [{"b": 0}, {"c": {}}]}, {"a?", "a", "a!", "a[].b", "a[].c"}),
        ({1: 2}, set()),
    ],
    ids=str,
)
def test_tokens(data: dict[str, Any], tokens: set[str]) -> None:
    assert tokens_of(data) == tokens
    assert {split_token(token)[0].partition(".")[0] for token in tokens} <= {"a", "a[]"}


def test_tokens_follow_aliases_and_merges() -> None:
    text = "x: &x {b: 1}\na: *x\n<<: {c: 2}\nd: {<<: *x}\n"
    assert {"a.b", "c!", "d.b"} <= file_tokens(compose(SourceText(text)))


@pytest.mark.parametrize(
    ("condition", "sets"),
    [
        ({"a": {"truthy": True}}, [{"a!"}]),
        ({"a": {"truthy": False}}, []),
        ({"a": {"is_not": False}}, []),
        ({"a": {"set": True}}, [{"a"}]),
        ({"a": {"written": True}}, [{"a?"}]),
        ({"a": {"gt": 0}}, [{"a!"}]),
        ({"a": {"lt": 0}}, [{"a"}]),
        ({"a": {"eq": "dpo"}}, [{"a=dpo"}]),
        ({"a": {"in": ["dpo", "kto"]}}, [{"a=dpo", "a=kto"}]),
        ({"a": {"in": ["dpo", None]}}, []),
        ({"a": {"in": [1, True]}}, [{"a!"}]),
        ({"a": {"in": [1, False]}}, [{"a"}]),
        ({"a": {"eq": {"key": "b"}}}, []),
        ({"a": {"gt": {"key": "b"}}}, [{"a"}]),
        ({"a.b": {"eq": 1}}, [{"a.b"}]),
        ({"a.b.c": {"eq": 1}}, [{"a.b"}]),
        ({"a.b": {"written": True}}, [{"a!"}]),
        ({"a[].b": {"eq": 1}}, [{"a[].b"}]),
        ({"a[].b": {"set": False}}, [{"a!"}]),
        ({"every a[].b": {"eq": 1}}, [{"a[].b"}]),
        ({"item.b": {"eq": 1}}, [{"l[].b"}]),
        ({"(a % b)": {"gt": 0}}, [{"a"}, {"b"}]),
        ({"(a % b)": {"ne": 0}}, []),
        ({"(default(a, 1) + b)": {"gt": 0}}, [{"b"}]),
        ({"derived zero_stage": {"eq": 3}}, [{"deepspeed!"}]),
        ({"derived zero_stage": {"ne": 3}}, []),
        ({"fact gpus": {"gt": 1}}, []),
        ({"not": {"a": {"eq": 1}}}, []),
        ({"all": [{"a": {"set": True}}, {"b": {"eq": "x"}}]}, [{"a"}, {"b=x"}]),
        ({"any": [{"a": {"set": True}}, {"b": {"eq": "x"}}]}, [{"a", "b=x"}]),
        ({"any": [{"a": {"set": True}}, {"fact gpus": {"gt": 1}}]}, []),
        ({"plugin": "P"}, [{"plugins!"}]),
        ({"count": {"truthy": ["a", "b"], "ge": 2}}, [{"a!", "b!"}]),
        ({"count": {"truthy": ["a", "b"], "lt": 2}}, []),
        ({"count": {"set": ["a", "fact gpus"], "ge": 1}}, []),
    ],
    ids=str,
)
def test_necessary(condition: Any, sets: list[set[str]]) -> None:
    assert necessary(parse_condition(condition), "l") == sets


def test_index() -> None:
    common, rare = frozenset({"datasets!"}), frozenset({"trl.beta"})
    table, others = index({3: [common, rare], 5: [], 7: [common]})
    assert table == {"": (5,), "trl.beta": (3,), "datasets!": (7,)}
    assert others == {3: (("datasets!",),)}
    assert matching(table, others, {"trl.beta"}) == [5]
    assert matching(table, others, {"trl.beta", "datasets!"}) == [3, 5, 7]


@pytest.mark.parametrize(
    ("token", "parts"),
    [
        ("a", ("a", "")),
        ("a?", ("a", "?")),
        ("a.b", ("a.b", "")),
        ("a=b!?", ("a", "=b!?")),
        ("a[].b", ("a[].b", "")),
    ],
)
def test_split_token(token: str, parts: tuple[str, str]) -> None:
    assert split_token(token) == parts


@settings(max_examples=600, deadline=None)
@given(conditions, configs, st.sampled_from([{}, {"gpus": 8}]))
def test_necessary_tokens_are_necessary(
    condition: Any, data: dict[str, Any], facts: dict[str, Any]
) -> None:
    """Otherwise the index would keep a rule away from a file on which it holds."""
    compiled = parse_condition(condition)
    if evaluate(compiled, DataScope(data, facts)) is not False:
        tokens = tokens_of(data)
        assert all(not tokens.isdisjoint(needed) for needed in necessary(compiled))
