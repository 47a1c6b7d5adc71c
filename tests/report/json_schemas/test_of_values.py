"""The values that a key takes, as JSON Schema and in words."""

from __future__ import annotations

from typing import Any

from cfglint.knowledge.keys.release_keys import Schema
from cfglint.report.json_schemas.of_values import type_words, value_schema
from cfglint.roles.framework import load_framework
from tests.draws import each

WHOLE = r"^\s*[-+]?\d(?:_?\d)*(?:\.0+)?\s*$"
TRUTHS = (
    "^(?:0|1|[fF]|[fF][aA][lL][sS][eE]|[nN]|[nN][oO]|[oO][fF][fF]|[oO][nN]|[tT]|[tT][rR][uU][eE]"
    "|[yY]|[yY][eE][sS])$"
)
INT: dict[str, Any] = {"type": ["boolean", "integer", "string"], "pattern": WHOLE}


@each(
    ("type_", "choices", "bounds", "expected"),
    [
        ("any", (), {}, {}),
        ("str", (), {}, {"type": "string"}),
        ("str|null", (), {}, {"type": ["string", "null"]}),
        ("str", (), {"min_length": 1}, {"type": "string", "minLength": 1}),
        ("int", (), {}, INT),
        # true is 1, which 0 is not: only one of the truth values is within the bound.
        (
            "int",
            (),
            {"ge": 1},
            {
                "anyOf": [
                    {"enum": [True]},
                    {"type": ["integer", "string"], "minimum": 1, "pattern": WHOLE},
                ]
            },
        ),
        ("int", (), {"lt": 9}, {**INT, "exclusiveMaximum": 9}),
        (
            "bool",
            (),
            {},
            {
                "type": ["boolean", "integer", "string"],
                "minimum": 0,
                "maximum": 1,
                "pattern": TRUTHS,
            },
        ),
        ("literal", ("a", "b"), {}, {"enum": ["a", "b"]}),
        ("literal|null", ("a",), {}, {"anyOf": [{"enum": ["a"]}, {"type": "null"}]}),
        ("literal|str", ("a",), {}, {"anyOf": [{"enum": ["a"]}, {"type": "string"}]}),
        ("list<str>", (), {}, {"type": "array", "items": {"type": "string"}}),
        ("list<any>", (), {}, {"type": "array"}),
        (
            "list<str>",
            (),
            {"min_length": 2},
            {"type": "array", "items": {"type": "string"}, "minItems": 2},
        ),
        ("set<str>", (), {}, {"type": "array"}),
        ("dict<str,any>", (), {}, {"type": "object", "propertyNames": {"type": "string"}}),
        ("dict<any,str>", (), {}, {"type": "object", "additionalProperties": {"type": "string"}}),
        ("dict<any,any>", (), {}, {"type": "object"}),
        ("dict<any,any>", (), {"min_length": 1}, {"type": "object", "minProperties": 1}),
        ("model:Own", (), {}, {"type": "object"}),
        (
            "list<str>|str|null",
            (),
            {},
            {"type": ["string", "null", "array"], "items": {"type": "string"}},
        ),
    ],
)
def test_a_schema(
    type_: str, choices: tuple[Any, ...], bounds: dict[str, Any], expected: dict[str, Any]
) -> None:
    for draft in ("2020-12", "07"):
        assert value_schema(Schema(type_, choices, bounds), draft) == expected


@each(("draft", "name"), [("2020-12", "prefixItems"), ("07", "items")])
def test_the_places_of_a_tuple(draft: str, name: str) -> None:
    expected = {
        "type": "array",
        name: [INT, {"type": "string"}],
        "minItems": 2,
        "maxItems": 2,
    }
    assert value_schema(Schema("tuple<int,str>", (), {}), draft) == expected
    assert value_schema(Schema("tuple<any,str>", (), {}), draft) == {"type": "array"}


@each(
    ("pattern", "expected"),
    [
        (r"^a\Z", "^a$"),
        ("xy", "^(?:xy)"),
        (r"(?i)a\d-B", r"^(?:[aA]\d-[bB])"),
        (r"(?i)^x\w", r"^[xX]\w"),
    ],
)
def test_patterns_are_those_of_editors(pattern: str, expected: str) -> None:
    found = value_schema(Schema(f"match<{pattern}>", (), {"pattern": pattern}), "07")
    assert found == {"type": "string", "pattern": expected}


@each(
    ("type_", "choices", "expected"),
    [
        ("int", (), "a whole number"),
        ("int|null", (), "a whole number or nothing"),
        ("bool|literal|null", ("a",), "true or false, one of its choices, or nothing"),
        ("literal", (), ""),
        ("dict<str,any>|list<str>|str", (), "a mapping, a list or text"),
        ("any", (), ""),
    ],
)
def test_words(type_: str, choices: tuple[Any, ...], expected: str) -> None:
    assert type_words(Schema(type_, choices, {})) == expected


def test_a_reader_that_takes_nearly_anything_restricts_as_little() -> None:
    """The words of a command of OpenRLHF: an empty list is an empty text."""
    framework = load_framework("openrlhf")
    keys = framework.release_keys("0.8.0")
    schema = keys.standing("", "local_rank").schema
    assert schema is not None
    found = value_schema(schema, "07")
    assert found["maxItems"] == 0
    assert set(found["type"]) == {"boolean", "number", "null", "string", "array", "object"}
