"""Conditions: parsing, three-valued evaluation, and the keys that one cannot do without."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet

from cfglint.base.logic import MISSING, UNKNOWN, AtLeast, Truth
from cfglint.knowledge.rules.conditions import (
    ConditionError,
    parse_condition,
    parse_path,
    parse_subject,
)
from cfglint.knowledge.rules.evaluate import evaluate
from tests.draws import each


class DataScope:
    """A scope over plain data; facts that are not given are unknown."""

    plugins_key = "extensions"

    def __init__(self, data: dict[str, Any], facts: dict[str, Any] | None = None) -> None:
        self.data = data
        self.facts = facts or {}

    @property
    def at(self) -> DataScope:
        return self

    def __getitem__(self, path: tuple[str | int, ...]) -> Any:
        node: Any = self.data
        for part in path:
            if not isinstance(node, dict) or part not in node:
                return MISSING
            node = node[part]
        return node

    def values(self, path: tuple[str, ...]) -> list[Any]:
        nodes: list[Any] = [self.data]
        for part in path:
            if part == "[]":
                nodes = [item for node in nodes if isinstance(node, list) for item in node]
            else:
                nodes = [
                    node[part] if isinstance(node, dict) and part in node else MISSING
                    for node in nodes
                ]
        return nodes

    def item_value(self, path: tuple[str, ...]) -> Any:
        inner = ("item", *path)
        return self[inner]

    def undetermined(self) -> None:
        self.asked_in_vain = True

    def fact(self, name: str) -> Any:
        return self.facts.get(name, UNKNOWN)

    def derived(self, name: str) -> Any:
        return self.facts.get(name, UNKNOWN)

    def applies(self, versions: tuple[tuple[Any, ...], ...]) -> Truth:
        return (
            all(SpecifierSet(row[1]).contains(self.facts[row[0]]) for row in versions)
            if all(row[0] in self.facts for row in versions)
            else None
        )


def holds(condition: Any, data: dict[str, Any], **facts: Any) -> Truth:
    return evaluate(parse_condition(condition), DataScope(data, facts))


# --- three-valued logic: a fact of each truth

TRUTHS: dict[str, Truth] = {"yes": True, "no": False, "open": None}
LEAVES: dict[str, Any] = {
    "yes": {"a": {"eq": 1}},
    "no": {"a": {"eq": 2}},
    "open": {"fact gpus": {"gt": 1}},
}


def _all(truths: list[Truth]) -> Truth:
    return False if False in truths else None if None in truths else True


def _any(truths: list[Truth]) -> Truth:
    return True if True in truths else None if None in truths else False


@each("names", list(itertools.product(TRUTHS, repeat=3)))
def test_kleene_tables(names: tuple[str, ...]) -> None:
    truths = [TRUTHS[name] for name in names]
    leaves = [LEAVES[name] for name in names]
    assert holds({"all": leaves}, {"a": 1}) is _all(truths)
    assert holds({"any": leaves}, {"a": 1}) is _any(truths)
    assert holds({"not": leaves[0]}, {"a": 1}) is (None if truths[0] is None else not truths[0])


def test_unknown_is_no_boolean() -> None:
    with pytest.raises(TypeError):
        bool(UNKNOWN)
    assert not MISSING


@each(
    ("condition", "data", "truth"),
    [
        ({"a": {"gt": 0, "lt": 5}}, {"a": 3}, True),
        ({"a": {"gt": 0, "lt": 5}}, {"a": 7}, False),
        ({"a.b": {"eq": 1}}, {"a": {"b": 1}}, True),
        ({"a.b": {"eq": 1}}, {"a": 1}, False),
        ({"a": {"gt": {"key": "b"}}}, {"a": 2, "b": 1}, True),
        ({"a": {"gt": {"key": "b"}}}, {"a": 2}, False),
        ({"a": {"eq": {"key": "b"}}}, {}, True),
        ({"a": {"gt": {"key": "fact gpus"}}}, {"a": 2}, None),
        ({"l[].t": {"eq": 1}}, {"l": [{"t": 0}, {"t": 1}]}, True),
        ({"l[].t": {"eq": 1}}, {"l": []}, False),
        ({"l[].t": {"set": False}}, {"l": [{"t": 0}, {}]}, True),
        ({"every l[].t": {"eq": 1}}, {"l": [{"t": 1}, {"t": 1}]}, True),
        ({"every l[].t": {"eq": 1}}, {"l": [{"t": 1}, {}]}, False),
        ({"every l[].t": {"eq": 1}}, {"l": []}, False),
        ({"(a % b)": {"ne": 0}}, {"a": 7, "b": 4}, True),
        ({"(a % b)": {"ne": 0}}, {"a": 8, "b": 4}, False),
        ({"(a % b)": {"gt": 0}}, {"a": 8, "b": 0}, False),
        ({"(a * fact gpus)": {"gt": 0}}, {"a": 8}, None),
        ({"(a * fact gpus)": {"gt": 0}}, {}, False),
        ({"(a + b)": {"eq": 3}}, {"a": "1", "b": 2}, True),
        ({"count": {"truthy": ["a", "b", "c"], "ge": 2}}, {"a": 1, "b": 0, "c": True}, True),
        ({"count": {"set": ["a", "b", "c"], "eq": 3}}, {"a": 1, "b": 0}, False),
        ({"count": {"truthy": ["a", "fact gpus"], "ge": 1}}, {"a": 1}, None),
        ({"plugin": "P"}, {"extensions": ["x.y.P"]}, True),
        ({"plugin": "P"}, {"extensions": ["x.y:P"]}, True),
        ({"plugin": "P"}, {"extensions": ["x.y.PQ", 1, None]}, False),
        ({"plugin": "P"}, {"extensions": "x.P"}, False),
        ({"item.t": {"eq": 1}}, {"item": {"t": 1}}, True),
        ({"(default(a, 1) + 1)": {"eq": 2}}, {}, True),
        ({"(default(a, 1) + 1)": {"eq": 4}}, {"a": 3}, True),
        ({"(default(a, fact gpus))": {"gt": 0}}, {}, None),
        ({"(max(a, b))": {"eq": 4}}, {"a": 3, "b": 4}, True),
        ({"(len(a))": {"eq": 2}}, {"a": [1, 2]}, True),
        ({"(len(a))": {"ge": 0}}, {"a": 2}, False),
        ({"target": {"trl": ">=0.9"}}, {}, None),
    ],
)
def test_evaluate(condition: Any, data: dict[str, Any], truth: Truth) -> None:
    assert holds(condition, data) is truth


@pytest.mark.parametrize(("version", "truth"), [("0.9.1", True), ("0.8", False)])
def test_target(version: str, truth: bool) -> None:
    assert holds({"target": {"trl": ">=0.9"}}, {}, trl=version) is truth


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


@each(
    ("tests", "truth"),
    [
        ({"gt": 1}, True),
        ({"gt": 1, "ge": 2}, True),
        ({"gt": 2}, None),
        ({"gt": 1, "lt": 8}, None),
        ({"lt": 2}, False),
        # One that fails is enough, whatever the others come to.
        ({"gt": 2, "lt": 2}, False),
        ({"gt": 1, "lt": 2}, False),
    ],
)
def test_a_number_of_which_the_least_is_known(tests: dict[str, int], truth: Truth) -> None:
    condition = parse_condition({"fact gpus": tests})
    assert evaluate(condition, DataScope({}, {"gpus": AtLeast(2)})) is truth


@each(
    "condition",
    [
        {"a": {"eq": 1}},
        {"a": {"set": True}},
        {"a": {"gt": 1, "lt": 3}},
        {"(a % 2)": {"ne": 0}},
        {"(len(a) - 1)": {"ne": 0}},
        {"not": {"a": {"truthy": True}}},
        {"any": [{"a": {"is": True}}, {"b": {"eq": 1}}]},
        {"all": [{"a": {"is": True}}, {"b": {"eq": 2}}]},
    ],
)
def test_a_value_that_only_a_run_decides(condition: dict[str, Any]) -> None:
    scope = DataScope({"a": UNKNOWN, "b": 2})
    assert evaluate(parse_condition(condition), scope) is None
    assert scope.asked_in_vain


def test_what_else_decides_needs_no_such_value() -> None:
    scope = DataScope({"a": UNKNOWN, "b": 2})
    assert evaluate(parse_condition({"any": [{"a": {"eq": 1}}, {"b": {"eq": 2}}]}), scope) is True
    assert evaluate(parse_condition({"all": [{"b": {"eq": 1}}, {"a": {"eq": 1}}]}), scope) is False
