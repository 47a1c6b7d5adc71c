"""What a condition needs of a file, and what its opposite needs."""

from __future__ import annotations

from cfglint.knowledge.compiling.necessary import KeysBehind, necessary
from cfglint.knowledge.rules.conditions import parse_condition
from cfglint.knowledge.rules.index.triggers import Token, has_value
from tests.draws import each

Sets = list[list[str]]

BEHIND = KeysBehind({"fsdp_version": frozenset({has_value("fsdp")})}, "extensions")
#: A condition, the sets of which one token each holds if it does, and the same for its opposite.
CASES: list[tuple[dict[str, object], Sets, Sets]] = [
    ({"a": {"truthy": True}}, [["a truthy True"]], []),
    ({"a": {"eq": 1, "gt": 0}}, [["a eq 1 gt 0"]], []),
    ({"not": {"a": {"truthy": True}}}, [], [["a truthy True"]]),
    ({"not": {"a": {"set": False}}}, [["a written True"]], []),
    ({"all": [{"a": {"eq": 1}}, {"b": {"eq": 2}}]}, [["a eq 1"], ["b eq 2"]], []),
    (
        {"any": [{"a": {"eq": 1}}, {"b": {"eq": 2}}]},
        [["a eq 1", "b eq 2"]],
        [],
    ),
    ({"any": [{"a": {"eq": 1}}, {"b": {"set": False}}]}, [], [["b written True"]]),
    ({"any": [{"a": {"eq": 1}}, {"fact gpus": {"gt": 1}}]}, [], []),
    (
        {"any": [{"all": [{"a": {"eq": 1}}, {"b": {"eq": 1}}]}, {"c": {"eq": 1}}]},
        [["a eq 1", "c eq 1"], ["b eq 1", "c eq 1"]],
        [],
    ),
    (
        {"not": {"any": [{"a": {"eq": 1}}, {"b": {"eq": 2}}]}},
        [],
        [["a eq 1", "b eq 2"]],
    ),
    ({"not": {"all": [{"a": {"eq": 1}}, {"b": {"eq": 2}}]}}, [], [["a eq 1"], ["b eq 2"]]),
    ({"a.b": {"eq": 1}}, [["a.b eq 1"]], []),
    ({"a.b.c": {"eq": 1}}, [["a.b set True"]], []),
    ({"a.b": {"set": False}}, [], [["a.b written True"]]),
    ({"a.b": {"truthy": False}}, [], [["a.b written True"]]),
    ({"a": {"set": False}}, [], [["a written True"]]),
    ({"a": {"truthy": False}}, [], [["a written True"]]),
    ({"not": {"a.b": {"eq": 1}}}, [], [["a.b eq 1"]]),
    ({"a[]": {"eq": 1}}, [["a truthy True"]], []),
    ({"a[].b": {"eq": 1}}, [["a[].b eq 1"]], []),
    ({"a[].b.c": {"eq": 1}}, [["a[].b set True"]], []),
    ({"a[].b": {"set": False}}, [["a truthy True"]], []),
    ({"a[].b.c": {"set": False}}, [["a truthy True"]], []),
    ({"a.b[]": {"eq": 1}}, [["a truthy True"]], []),
    ({"not": {"a[]": {"eq": 1}}}, [], [["a truthy True"]]),
    ({"every a[].b": {"eq": 1}}, [["a[].b eq 1"]], []),
    ({"derived fsdp_version": {"eq": 2}}, [["fsdp set True"]], []),
    ({"derived fsdp_version": {"set": False}}, [], []),
    ({"derived other": {"eq": 2}}, [], []),
    ({"not": {"derived fsdp_version": {"eq": 2}}}, [], [["fsdp set True"]]),
    ({"(a % b)": {"ne": 0}}, [], []),
    ({"(a % default(b, 1))": {"ne": 0}}, [], []),
    ({"(max(a.c, b) * 2)": {"gt": 0}}, [["a set True"], ["b set True"]], []),
    ({"(len(a))": {"gt": 0}}, [["a set True"]], []),
    ({"not": {"(a % b)": {"eq": 0}}}, [], [["a set True"], ["b set True"]]),
    ({"a": {"matches": "^x"}}, [["a contains 'x'"]], []),
    (
        {"a": {"matches": "x|y", "type": "str", "set": True}},
        [["a contains 'x' set True", "a contains 'y' set True"]],
        [],
    ),
    ({"a": {"matches": "[0-9]"}}, [["a type 'str'"]], []),
    ({"not": {"a": {"matches": "^x"}}}, [], [["a contains 'x'"]]),
    (
        {"a.b": {"matches": "x|y"}},
        [["a.b contains 'x'", "a.b contains 'y'"]],
        [],
    ),
    ({"a": {"gt": {"key": "b"}}}, [["a set True"]], []),
    ({"a": {"ne": {"key": "b"}}}, [], []),
    ({"not": {"a": {"gt": {"key": "b"}}}}, [], [["a set True"]]),
    ({"count": {"truthy": ["a", "b"], "ge": 1}}, [["a truthy True", "b truthy True"]], []),
    ({"count": {"truthy": ["a", "b"], "ge": 0}}, [], []),
    ({"count": {"truthy": ["a", "b"], "gt": 0}}, [["a truthy True", "b truthy True"]], []),
    ({"count": {"truthy": ["a", "b"], "eq": 2}}, [["a truthy True", "b truthy True"]], []),
    ({"count": {"truthy": ["a", "b"], "le": 2}}, [], []),
    ({"not": {"count": {"truthy": ["a", "b"], "ge": 1}}}, [], [["a truthy True", "b truthy True"]]),
    ({"count": {"set": ["a", "b.c"], "gt": 1}}, [["a set True", "b.c set True"]], []),
    ({"plugin": "LigerPlugin"}, [["extensions truthy True"]], []),
    ({"not": {"plugin": "LigerPlugin"}}, [], [["extensions truthy True"]]),
    ({"target": {"trl": "<0.12"}}, [], []),
    (
        {"a": {"any_item": {"eq": 1}}},
        [["a any_item (('eq', 1),)"]],
        [],
    ),
    ({"a": {"in": ["x", "y"]}}, [["a in ('x', 'y')"]], []),
    ({"a": {"not_in": ["x", "y"]}}, [], [["a written True"]]),
    (
        {"any": [{"a": {"set": False}}, {"a": {"eq": 1}}]},
        [],
        [["a written True"]],
    ),
]
#: The same for conditions about each item of the list `ds`.
ITEMS: list[tuple[dict[str, object], Sets]] = [
    ({"item.b": {"eq": 1}}, [["ds[].b eq 1"]]),
    ({"item.b.c": {"eq": 1}}, [["ds[].b set True"]]),
    ({"item.b": {"set": False}}, [["ds truthy True"]]),
    ({"not": {"item.b": {"eq": 1}}}, [["ds truthy True"]]),
    ({"item.b": {"matches": "^x"}}, [["ds[].b contains 'x'"]]),
    ({"all": [{"item.b": {"eq": 1}}, {"a": {"eq": 1}}]}, [["ds[].b eq 1"], ["a eq 1"]]),
]


def told(condition: dict[str, object], *, each: str | None = None, wanted: bool = True) -> Sets:
    sets = necessary(parse_condition(condition), BEHIND, each, wanted=wanted)
    return [sorted(map(shown, tokens)) for tokens in sets]


def shown(token: Token) -> str:
    tests = " ".join(f"{name} {operand!r}" for name, operand in token.tests)
    return f"{token.place} {tests}"


@each(("condition", "holds", "fails"), CASES)
def test_what_is_necessary(condition: dict[str, object], holds: Sets, fails: Sets) -> None:
    assert told(condition) == holds
    assert told(condition, wanted=False) == fails


@each(("condition", "holds"), ITEMS)
def test_what_is_necessary_of_an_item(condition: dict[str, object], holds: Sets) -> None:
    assert told(condition, each="ds") == holds
    assert [tokens for tokens in told(condition) if any("ds" in token for token in tokens)] == []
