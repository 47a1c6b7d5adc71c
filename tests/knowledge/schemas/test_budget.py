"""A schema and a file together cannot make a check hang."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from cfglint.knowledge.schemas import budget
from cfglint.knowledge.schemas.schema import GivenUp
from tests.draws import drawn, each, product
from tests.knowledge.schemas.making import sentences, user_schema, violations

ENDLESS = "it refers to itself endlessly, or the file is nested too deeply"
TOO_MUCH = "it takes too many steps"


def doubled(keyword: str, **more: Any) -> dict[str, Any]:
    """Thirty parts of which each refers to the next one twice."""
    parts: dict[str, Any] = {
        f"d{n}": {keyword: [{"$ref": f"#/$defs/d{n + 1}"}] * 2, **more} for n in range(30)
    }
    parts["d30"] = {"type": "string"}
    return {"$defs": parts, "$ref": "#/$defs/d0"}


LONG = "a" * 100_000
HOSTILE: list[tuple[str, Any, str, str]] = [
    ("itself", {"$ref": "#"}, "a: 1", ENDLESS),
    (
        "in a circle",
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"},
        "a: 1",
        ENDLESS,
    ),
    ("all of", doubled("allOf"), "a: 1", TOO_MUCH),
    ("any of", doubled("anyOf"), "a: 1", TOO_MUCH),
    ("unevaluated", doubled("allOf", unevaluatedProperties=False), "a: 1", TOO_MUCH),
    ("a long text", {"properties": {"a": {"pattern": "a{99}b"}}}, f"a: {LONG * 5}", TOO_MUCH),
    (
        "many patterns",
        {"patternProperties": {f"^a*a*{n}$": {} for n in range(1000)}},
        json.dumps({"a" * 1000 + str(n): 1 for n in range(20)}),
        TOO_MUCH,
    ),
    (
        "many choices",
        {"properties": {"a": {"items": {"enum": list(range(15_000))}}}},
        json.dumps({"a": ["x"] * 10_000}),
        TOO_MUCH,
    ),
    (
        "equal lists",
        {
            "$defs": {"c": {"const": list(range(10_000))}},
            "allOf": [{"properties": {"a": {"$ref": "#/$defs/c"}}}] * 1000,
        },
        json.dumps({"a": list(range(10_000))}),
        TOO_MUCH,
    ),
]


@product
@pytest.mark.parametrize("what", drawn([row[0] for row in HOSTILE], 4))
def test_it_is_given_up(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    [(_, schema, text, why)] = [row for row in HOSTILE if row[0] == what]
    monkeypatch.setattr(budget, "MAX_STEPS", 20_000)
    made = user_schema(schema)
    started = time.monotonic()
    with pytest.raises(GivenUp, match=why):
        violations(made, text)
    assert time.monotonic() - started < 20


def test_each_file_has_all_the_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MAX_STEPS", 3_000)
    schema = user_schema({"properties": {"a": {"items": {"type": "integer"}}}})
    text = json.dumps({"a": [1] * 1_000})
    for _ in range(5):
        assert sentences(schema, text) == []


def test_what_is_large_but_simple_is_checked() -> None:
    schema = user_schema({"properties": {"a": {"uniqueItems": True, "items": {"type": "object"}}}})
    assert sentences(schema, json.dumps({"a": [{"x": n} for n in range(5_000)]})) == []
    linear = user_schema({"properties": {"a": {"pattern": "^a+$"}}})
    assert sentences(linear, f"a: {LONG}") == []


@each(
    ("schema", "expected"),
    [
        ({"properties": {"a": {"pattern": "^(a+)+$"}}}, 1),
        ({"patternProperties": {"^(a+)+$": False}}, 1),
        ({"patternProperties": {"^(a+)+!$": False}}, 1),
        ({"properties": {"a": {}}, "additionalProperties": False}, 1),
        ({"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False}, 1),
        ({"patternProperties": {"^(a+)+!?$": {}}, "additionalProperties": False}, 0),
        ({"properties": {"a": {"pattern": "(?:){4000000000}"}}}, 0),
    ],
)
def test_no_pattern_of_a_schema_is_matched_by_backtracking(
    schema: dict[str, Any], expected: int
) -> None:
    text = json.dumps({"a": "a" * 60 + "!", "a" * 60 + "!": 1})
    started = time.process_time()
    assert len(sentences(user_schema(schema), text)) == expected
    assert time.process_time() - started < 5


def test_the_messages_of_jsonschema_cost_nothing() -> None:
    schema = user_schema({"allOf": [{"type": "string"}] * 3_000})
    started = time.monotonic()
    assert len(sentences(schema, f"a: {'x' * 900_000}")) == 1
    assert time.monotonic() - started < 20
