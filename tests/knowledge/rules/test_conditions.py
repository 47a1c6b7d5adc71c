"""Conditions as rule files write them: what is understood, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

from cfglint.knowledge.rules.conditions import (
    ConditionError,
    parse_condition,
    parse_path,
    parse_subject,
)
from tests.draws import each


@each(
    ("condition", "words"),
    [
        ("a", "mapping with one key"),
        ({"a": {"eq": 1}, "b": {"eq": 1}}, "mapping with one key"),
        ({"all": []}, "list of conditions"),
        ({"any": {"a": {"eq": 1}}}, "list of conditions"),
        ({"a": 1}, "expected a mapping of tests such as `{eq: 1}` but got"),
        ({"a": {}}, "expected a mapping of tests such as `{eq: 1}` but got"),
        ({"a": {"equals": 1}}, "unknown predicate 'equals'"),
        ({"a": {"truthy": 1}}, "true or false"),
        ({"a": {"is": 0}}, "true, false or null"),
        ({"a": {"in": "b"}}, "expects a list"),
        ({"a": {"gt": "1"}}, "expects a number"),
        ({"a": {"gt": True}}, "expects a number"),
        ({"a": {"matches": "("}}, "regular expression"),
        ({"a": {"matches": 1}}, "regular expression"),
        ({"a": {"type": "integer"}}, "unknown type 'integer'"),
        ({"a": {"eq": {"path": "b"}}}, "{key: path}"),
        ({"a b": {"eq": 1}}, "`fact …`"),
        ({"a..b": {"eq": 1}}, "is not a key path"),
        ({1: {"eq": 1}}, "is not a key path"),
        ({"(a +)": {"eq": 1}}, "expression"),
        ({"plugin": ["P"]}, "expects the name of a plugin class"),
        ({"target": "0.9"}, "`target` expects a mapping such as"),
        ({"target": {}}, "`target` expects a mapping such as"),
        ({"target": {"trl": "new"}}, "is not a version specifier for trl"),
        ({"target": {"trl": 0.9}}, "is not a version specifier for trl"),
        ({"a": {"valid_regex": "x"}}, "true or false"),
        ({"count": ["a"]}, "`count` expects a mapping"),
        ({"count": {"truthy": ["a"]}}, "`count` expects one predicate"),
        ({"count": {"eq": 1, "gt": 0}}, "`count` expects one predicate"),
        ({"count": {"contains": ["a"], "ge": 1}}, "cannot count"),
        ({"a": {"len": 2}}, "expected a mapping of tests such as `{eq: 1}` but got"),
    ],
)
def test_malformed(condition: Any, words: str) -> None:
    with pytest.raises(ConditionError) as caught:
        parse_condition(condition)
    assert words in str(caught.value)


def test_paths_and_subjects() -> None:
    assert parse_path("datasets[].type.field") == ("datasets", "[]", "type", "field")
    assert parse_subject("a.b") == ("key", ("a", "b"))
    assert parse_subject("a[].b") == ("some", ("a", "[]", "b"))
    assert parse_subject("every a[].b") == ("every", ("a", "[]", "b"))
    assert parse_subject("fact model.params_b") == ("fact", "model.params_b")
    assert parse_subject("item.type") == ("item", ("type",))


names = st.sampled_from(["a", "b", "c.d", "e[].f", "every e[].f"])
values = st.sampled_from([None, True, False, 0, 1, -1, "x", "1", [], [1], {"d": 1}])
tests = st.one_of(
    st.fixed_dictionaries({"truthy": st.booleans()}),
    st.fixed_dictionaries({"set": st.booleans()}),
    st.fixed_dictionaries({"written": st.booleans()}),
    st.fixed_dictionaries({"is": st.sampled_from([True, False, None])}),
    st.fixed_dictionaries({"is_not": st.sampled_from([True, False, None])}),
    st.fixed_dictionaries({"eq": values.filter(lambda value: not isinstance(value, dict))}),
    st.fixed_dictionaries({"ne": values.filter(lambda value: not isinstance(value, dict))}),
    st.fixed_dictionaries({"eq": st.fixed_dictionaries({"key": names})}),
    st.fixed_dictionaries({"ne": st.fixed_dictionaries({"key": names})}),
    st.fixed_dictionaries({"in": st.lists(values, max_size=3)}),
    st.fixed_dictionaries({"not_in": st.lists(values, max_size=3)}),
    st.fixed_dictionaries({"gt": st.sampled_from([-5, 0, 1])}),
    st.fixed_dictionaries({"le": st.sampled_from([-5, 0, 1])}),
    st.fixed_dictionaries({"type": st.sampled_from(["null", "int", ["null", "str"], "list"])}),
    st.fixed_dictionaries({"matches": st.sampled_from([".*", "x"])}),
    st.fixed_dictionaries({"contains": st.sampled_from(["x", ""])}),
    st.fixed_dictionaries({"len": st.sampled_from([{"ge": 0}, {"eq": 0}, {"lt": 2}])}),
    st.fixed_dictionaries({"any_item": st.sampled_from([{"eq": 1}])}),
    st.fixed_dictionaries({"every_item": st.sampled_from([{"eq": 1}])}),
    st.fixed_dictionaries({"subset_of": st.lists(st.sampled_from(["d", 1]), max_size=2)}),
    st.fixed_dictionaries({"has_key": st.sampled_from(["d"])}),
)
leaves = st.one_of(
    st.builds(lambda name, test: {name: test}, names, tests),
    st.sampled_from(
        [{"plugin": "P"}, {"fact gpus": {"gt": 1}}, {"(a - b)": {"le": 0}}, {"(a)": {"ne": 1}}]
    ),
    st.builds(
        lambda predicate, comparison, number: {
            "count": {predicate: ["a", "b", "c.d"], comparison: number}
        },
        st.sampled_from(["truthy", "set", "written"]),
        st.sampled_from(["eq", "ge", "gt", "le", "lt"]),
        st.sampled_from([-1, 0, 1, 2]),
    ),
)
conditions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"all": parts}),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"any": parts}),
        inner.map(lambda part: {"not": part}),
    ),
    max_leaves=6,
)
configs = st.fixed_dictionaries(
    {},
    optional={
        "a": values,
        "b": values,
        "c": values,
        "e": st.lists(st.sampled_from([{}, {"f": None}, {"f": 1}, 1]), max_size=2) | values,
        "extensions": st.sampled_from([None, [], ["x.P"]]),
    },
)
