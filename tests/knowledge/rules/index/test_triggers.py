"""What a file must have for a rule to be tried: never more than the rule itself asks for."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cfglint.frameworks.axolotl.derived import DERIVED
from cfglint.knowledge.compiling.necessary import KeysBehind, necessary
from cfglint.knowledge.rules.conditions import parse_condition
from cfglint.knowledge.rules.evaluate import evaluate
from cfglint.knowledge.rules.index.candidates import Lookup, plan
from cfglint.knowledge.rules.index.triggers import Token, has_value, is_true, written
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each, examples
from tests.knowledge.rules.test_conditions import conditions, configs
from tests.knowledge.rules.test_evaluate import DataScope

DERIVED_FROM = {name: derived.needs for name, derived in DERIVED.items()}
BEHIND = KeysBehind(DERIVED_FROM, DataScope.plugins_key)


def tokens(*texts: str) -> set[Token]:
    """`a!` its value is true, `a` it has one, `a?` it is written, `a=x` it is the text x."""
    found = set()
    for text in texts:
        place, equals, word = text.partition("=")
        name = place.rstrip("?!")
        mark = place[len(name) :]
        if equals:
            found.add(Token(name, (("eq", word),)))
        else:
            found.add({"!": is_true, "": has_value, "?": written}[mark](name))
    return found


@each(
    ("condition", "sets"),
    [
        ({"a": {"truthy": True}}, [tokens("a!")]),
        ({"a": {"truthy": False}}, []),
        ({"a": {"is_not": False}}, []),
        ({"a": {"set": True}}, [tokens("a")]),
        ({"a": {"written": True}}, [tokens("a?")]),
        ({"a": {"gt": 0, "lt": 5}}, [{Token("a", (("gt", 0), ("lt", 5)))}]),
        ({"a": {"eq": "dpo"}}, [tokens("a=dpo")]),
        ({"a": {"in": ["dpo", None]}}, []),
        ({"a": {"eq": [1]}}, []),
        ({"a": {"eq": {"key": "b"}}}, []),
        ({"a": {"gt": {"key": "b"}}}, [tokens("a")]),
        ({"a": {"gt": {"key": "b"}, "ne": 1}}, [{Token("a", (("set", True), ("ne", 1)))}]),
        ({"a.b": {"eq": 1}}, [{Token("a.b", (("eq", 1),))}]),
        ({"a.b.c": {"eq": 1}}, [tokens("a.b")]),
        ({"a.b": {"written": True}}, [tokens("a.b?")]),
        ({"a.b": {"ne": 1}}, []),
        ({"a[].b": {"eq": 1}}, [{Token("a[].b", (("eq", 1),))}]),
        ({"a[].b": {"set": False}}, [tokens("a!")]),
        ({"a[].b.c": {"set": False}}, [tokens("a!")]),
        ({"every a[].b": {"eq": 1}}, [{Token("a[].b", (("eq", 1),))}]),
        ({"item.b": {"eq": 1}}, [{Token("l[].b", (("eq", 1),))}]),
        ({"item.b": {"set": False}}, [tokens("l!")]),
        ({"(a % b)": {"gt": 0}}, [tokens("a"), tokens("b")]),
        ({"(a % b)": {"ne": 0}}, []),
        ({"(default(a, 1) + b)": {"gt": 0}}, [tokens("b")]),
        ({"derived zero_stage": {"eq": 3}}, [tokens("deepspeed!")]),
        ({"derived zero_stage": {"ne": 3}}, []),
        ({"fact gpus": {"gt": 1}}, []),
        ({"not": {"a": {"eq": 1}}}, []),
        ({"not": {"a": {"set": False}}}, [tokens("a?")]),
        ({"not": {"not": {"a": {"eq": "x"}}}}, [tokens("a=x")]),
        ({"not": {"a": {"gt": {"key": "b"}}}}, []),
        ({"not": {"a[].b": {"eq": 1}}}, []),
        (
            {"not": {"any": [{"a": {"set": False}}, {"b": {"set": False}}]}},
            [tokens("a?"), tokens("b?")],
        ),
        ({"all": [{"a": {"set": True}}, {"b": {"eq": "x"}}]}, [tokens("a"), tokens("b=x")]),
        ({"any": [{"a": {"set": True}}, {"b": {"eq": "x"}}]}, [tokens("a", "b=x")]),
        ({"any": [{"a": {"set": True}}, {"b": {"ne": "x"}}]}, []),
        (
            {"any": [{"all": [{"a": {"set": True}}, {"b": {"set": True}}]}, {"c": {"eq": "x"}}]},
            [tokens("a", "c=x"), tokens("b", "c=x")],
        ),
        ({"any": [{"a": {"set": True}}, {"fact gpus": {"gt": 1}}]}, []),
        ({"plugin": "P"}, [tokens("extensions!")]),
        ({"count": {"truthy": ["a", "b"], "ge": 2}}, [tokens("a!", "b!")]),
        ({"count": {"truthy": ["a", "b"], "lt": 2}}, []),
        ({"count": {"set": ["a", "fact gpus"], "ge": 1}}, []),
    ],
)
def test_necessary(condition: Any, sets: list[set[Token]]) -> None:
    assert necessary(parse_condition(condition), BEHIND, "l") == sets


@settings(max_examples=examples(300), deadline=None)
@given(conditions, configs, st.sampled_from([{}, {"gpus": 8}]))
def test_necessary_tokens_are_necessary(
    condition: Any, data: dict[str, Any], facts: dict[str, Any]
) -> None:
    """Otherwise the look-up would keep a rule away from a file on which it holds."""
    compiled = parse_condition(condition)
    if evaluate(compiled, DataScope(data, facts)) is not False:
        document = compose(SourceText(yaml.safe_dump(data) if data else "x:\n"))
        lookup = Lookup(lambda _, value: value, **plan([necessary(compiled, BEHIND)]))
        assert lookup.found(document) == 1


def test_all_tests_of_a_token_have_to_hold() -> None:
    between = Token("a", (("gt", 1), ("lt", 3)))
    assert [between.is_passed_by(value) for value in (1, 2, 3)] == [False, True, False]
