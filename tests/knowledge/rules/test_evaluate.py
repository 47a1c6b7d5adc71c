"""Conditions, tested on values: true, false, or unknown where a fact or a value is."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from packaging.specifiers import SpecifierSet

from cfglint.base.logic import MISSING, UNKNOWN, AtLeast, Truth
from cfglint.knowledge.rules.conditions import parse_condition
from cfglint.knowledge.rules.evaluate import evaluate
from cfglint.source.values import Interpolation, Unexpanded
from tests.draws import each


class DataScope:
    """A scope over plain data; facts that are not given are unknown."""

    plugins_key = "extensions"

    def __init__(self, data: dict[str, Any], facts: dict[str, Any] | None = None) -> None:
        self.data = data
        self.facts = facts or {}
        self.asked_in_vain = False

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
        # Of several values, the first is compared with another key's.
        ({"a": {"eq": {"key": "l[].t"}}}, {"a": 1, "l": [{"t": 1}, {"t": 2}]}, True),
        ({"a": {"eq": {"key": "l[].t"}}}, {"a": 2, "l": [{"t": 1}, {"t": 2}]}, False),
        ({"a": {"eq": {"key": "l[].t"}}}, {"a": 1, "l": []}, False),
        ({"a": {"eq": {"key": "l[].t"}}}, {"l": []}, True),
        ({"target": {"trl": ">=0.9"}}, {}, None),
    ],
)
def test_evaluate(condition: Any, data: dict[str, Any], truth: Truth) -> None:
    assert holds(condition, data) is truth


@pytest.mark.parametrize(("version", "truth"), [("0.9.1", True), ("0.8", False)])
def test_target(version: str, truth: bool) -> None:
    assert holds({"target": {"trl": ">=0.9"}}, {}, trl=version) is truth


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


def test_derived_values() -> None:
    condition = {"derived steps": {"gt": 1}}
    assert holds(condition, {}, steps=2) is True
    assert holds(condition, {}, steps=1) is False
    assert holds(condition, {"steps": 2}) is None


@each(
    ("tests", "truth"),
    [
        ({"set": True}, True),
        ({"written": True}, True),
        ({"set": True, "written": True}, True),
        ({"set": False}, False),
        ({"written": False}, False),
        ({"set": True, "written": False}, False),
        ({"eq": 1}, None),
        ({"truthy": True}, None),
        ({"set": True, "eq": 1}, None),
        # What there is, is not missing, whatever it turns out to be.
        ({"set": False, "eq": 1}, False),
        ({"eq": {"key": "b"}, "set": False}, False),
        ({"eq": {"key": "b"}}, None),
    ],
)
def test_a_text_of_which_a_part_is_not_known(tests: dict[str, Any], truth: Truth) -> None:
    for value in (Unexpanded("$X"), Interpolation("${x}")):
        scope = DataScope({"a": value, "b": 1})
        assert evaluate(parse_condition({"a": tests}), scope) is truth
        # The run is not asked for it: the text is all that the file has.
        assert not scope.asked_in_vain


@each(
    ("condition", "truth"),
    [
        ({"b": {"eq": {"key": "a"}}}, None),
        ({"count": {"truthy": ["a", "b"], "ge": 1}}, None),
        ({"(a + b)": {"gt": 0}}, None),
        ({"(len(a))": {"gt": 0}}, None),
        ({"(a + c)": {"gt": 0}}, False),
    ],
)
def test_a_text_among_other_values(condition: dict[str, Any], truth: Truth) -> None:
    assert holds(condition, {"a": Unexpanded("$X"), "b": 1}) is truth


def test_a_value_that_is_written_asks_for_nothing() -> None:
    for condition in ({"(a + b)": {"gt": 1}}, {"a": {"lt": {"key": "b"}}}, {"c": {"eq": 1}}):
        scope = DataScope({"a": 1, "b": 2})
        evaluate(parse_condition(condition), scope)
        assert not scope.asked_in_vain


def test_what_else_decides_needs_no_such_value() -> None:
    scope = DataScope({"a": UNKNOWN, "b": 2})
    assert evaluate(parse_condition({"any": [{"a": {"eq": 1}}, {"b": {"eq": 2}}]}), scope) is True
    assert evaluate(parse_condition({"all": [{"b": {"eq": 1}}, {"a": {"eq": 1}}]}), scope) is False
