"""What a schema finds in a file: the place, the words, and the same verdict as jsonschema."""

from __future__ import annotations

from typing import Any

import yaml
from jsonschema import Draft4Validator, Draft202012Validator

from tests.draws import each
from tests.knowledge.schemas.making import sentences, user_schema, violations

CASES: list[tuple[Any, str, list[tuple[str, str]]]] = [
    ({"type": "integer"}, "a: x", [("a: x", "`a` expects a whole number but got the text 'x'")]),
    (
        {"type": ["string", "null"]},
        "a: 1",
        [("a: 1", "`a` expects text or null but got the number 1")],
    ),
    ({"type": "object"}, "a: [1]", [("a: [1]", "`a` expects keys with values but got a list")]),
    (
        {"type": "boolean"},
        "a: {}",
        [("a: {}", "`a` expects true or false but got keys with values")],
    ),
    ({"type": "number"}, "a: ''", [("a: ''", "`a` expects a number but got an empty text")]),
    ({"type": "array"}, "a:", [("a:", "`a` expects a list but got null")]),
    ({"type": "integer"}, "a: true", [("a: true", "`a` expects a whole number but got true")]),
    ({"enum": ["x", 2]}, "a: y", [("a: y", "`a` expects one of x, 2 but got the text 'y'")]),
    (
        {"enum": list(range(20))},
        "a: y",
        [("a: y", "`a` expects one of 0, 1, 2, 3, 4, 5, 6, 7 and 12 others but got the text 'y'")],
    ),
    ({"const": "x"}, "a: 1", [("a: 1", "`a` expects x but got the number 1")]),
    ({"minimum": 2}, "a: 1", [("a: 1", "`a` expects at least 2 but got 1")]),
    ({"maximum": 2}, "a: 3", [("a: 3", "`a` expects at most 2 but got 3")]),
    ({"exclusiveMinimum": 2}, "a: 2", [("a: 2", "`a` expects more than 2 but got 2")]),
    ({"exclusiveMaximum": 2}, "a: 2", [("a: 2", "`a` expects less than 2 but got 2")]),
    ({"multipleOf": 8}, "a: 12", [("a: 12", "`a` expects a multiple of 8 but got 12")]),
    ({"minLength": 1}, "a: ''", [("a: ''", "`a` expects at least 1 character but has 0")]),
    ({"maxLength": 2}, "a: abc", [("a: abc", "`a` expects at most 2 characters but has 3")]),
    ({"minItems": 2}, "a: [1]", [("a: [1]", "`a` expects at least 2 items but has 1")]),
    ({"maxItems": 1}, "a: [1, 2]", [("a: [1, 2]", "`a` expects at most 1 item but has 2")]),
    ({"minProperties": 1}, "a: {}", [("a: {}", "`a` expects at least 1 key but has 0")]),
    (
        {"maxProperties": 1},
        "a: {b: 1, c: 1}",
        [("a: {b: 1, c: 1}", "`a` expects at most 1 key but has 2")],
    ),
    (
        {"pattern": "^x"},
        "a: y",
        [("a: y", "`a` expects text that matches '^x' but got the text 'y'")],
    ),
    ({"uniqueItems": True}, "a: [1, 1.0]", [("a: [1, 1.0]", "`a` contains an item twice")]),
    ({"uniqueItems": True}, "a: [1, true, {b: 1}, {b: true}, [1], '1']", []),
    (
        {"uniqueItems": True},
        "a: [{b: [1]}, {b: [1.0]}]",
        [("a: [{b: [1]}, {b: [1.0]}]", "`a` contains an item twice")],
    ),
    ({"required": ["b"]}, "a:\n  c: 1", [("a", "`a` lacks the key `b`")]),
    ({"required": ["b", "c", "d"]}, "a: {c: 1}", [("a: {c: 1}", "`a` lacks the keys `b` and `d`")]),
    (
        {"dependentRequired": {"b": ["c"]}},
        "a: {b: 1}",
        [("a: {b: 1}", "`a` lacks the key `c`, which belongs to `b`")],
    ),
    (
        {"properties": {"b": {}}, "patternProperties": {"^x": {}}, "additionalProperties": False},
        "a: {b: 1, xy: 1, c: 1}",
        [("c", "`a.c` is not a key that the schema allows here")],
    ),
    (
        {"additionalProperties": {"type": "integer"}},
        "a: {b: 1, c: x}",
        [("c: x", "`a.c` expects a whole number but got the text 'x'")],
    ),
    (
        {"allOf": [{"properties": {"b": {}}}], "unevaluatedProperties": False},
        "a: {b: 1, c: 1}",
        [("c", "`a.c` is not a key that the schema allows here")],
    ),
    (
        {"propertyNames": {"pattern": "^[a-z]+$"}},
        "a: {b: 1, C: 1}",
        [
            (
                "C",
                "`a.C` is not a valid key in the schema: expects text that matches '^[a-z]+$' but got the text 'C'",
            )
        ],
    ),
    ({"properties": {"b": False}}, "a: {b: 1}", [("b", "`a.b` is not allowed")]),
    ({"patternProperties": {"^b": False}}, "a: {b: 1}", [("b", "`a.b` is not allowed")]),
    ({"prefixItems": [True, False]}, "a: [1, 2]", [("2", "`a[1]` is not allowed")]),
    (False, "a: 1", [("a", "`a` is not allowed")]),
    ({"not": {"type": "string"}}, "a: x", [("a: x", "`a` is forbidden by the schema")]),
    (
        {"contains": {"const": 1}},
        "a: [2]",
        [("a: [2]", "`a` lacks an item that the schema requires")],
    ),
    (
        {"contains": {"const": 1}, "minContains": 2},
        "a: [1]",
        [("a: [1]", "`a` has too few of the items that the schema requires")],
    ),
    (
        {"contains": {"const": 1}, "maxContains": 1},
        "a: [1, 1]",
        [("a: [1, 1]", "`a` has too many of the items that the schema limits")],
    ),
    (
        {"prefixItems": [{}], "items": False},
        "a: [1, 2]",
        [("a: [1, 2]", "`a` has more items than the schema allows")],
    ),
    (
        {"items": {"type": "integer"}},
        "a:\n  - 1\n  - x",
        [("x", "`a[1]` expects a whole number but got the text 'x'")],
    ),
    (
        {"anyOf": [{"type": "integer"}, {"enum": ["auto"]}, {"type": "null"}]},
        "a: x",
        [("a: x", "`a` expects auto or a whole number or null but got the text 'x'")],
    ),
    (
        {
            "anyOf": [
                {"type": "string"},
                {"type": "object", "properties": {"b": {"type": "integer"}}},
            ]
        },
        "a: {b: x}",
        [("b: x", "`a.b` expects a whole number but got the text 'x'")],
    ),
    (
        {"oneOf": [{"required": ["b"]}, {"required": ["c"]}]},
        "a: {b: 1, c: 1}",
        [("a: {b: 1, c: 1}", "`a` matches several alternatives, but the schema allows only one")],
    ),
    (
        {"if": {"required": ["b"]}, "then": {"required": ["c"]}},
        "a: {b: 1}",
        [("a: {b: 1}", "`a` lacks the key `c`")],
    ),
    ({"multipleOf": 0.5}, "a: .inf", [("a: .inf", "`a` expects a multiple of 0.5 but got inf")]),
    ({"multipleOf": 2}, "a: .nan", [("a: .nan", "`a` expects a multiple of 2 but got nan")]),
    ({"format": "email"}, "a: x", []),
    ({"type": "string"}, "a: 2024-01-02", []),
]


@each(("schema", "text", "wanted"), CASES)
def test_each_keyword_in_words(schema: Any, text: str, wanted: list[tuple[str, str]]) -> None:
    assert sentences(user_schema({"properties": {"a": schema}}), text) == wanted


@each(
    ("schema", "text"),
    [(schema, text) for schema, text, _ in CASES if ".nan" not in text and ".inf" not in text],
)
def test_the_verdict_is_that_of_jsonschema(schema: Any, text: str) -> None:
    whole = {"properties": {"a": schema}}
    theirs = Draft202012Validator(whole).is_valid(yaml.safe_load(text.replace("2024-01-02", "x")))
    assert (sentences(user_schema(whole), text) == []) is theirs


def test_an_older_draft_has_its_own_meaning() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "properties": {"a": {"minimum": 1, "exclusiveMinimum": True}},
    }
    assert sentences(user_schema(schema), "a: 1") == [("a: 1", "`a` expects more than 1 but got 1")]
    assert not Draft4Validator(schema).is_valid({"a": 1})


def test_the_whole_file_lacks_a_key_at_its_first_key() -> None:
    assert sentences(user_schema({"required": ["b"]}), "a: 1\nc: 2") == [
        ("a", "the file lacks the key `b`")
    ]


@each(
    ("at", "text", "places"),
    [
        ("own", "own: {x: 1}\nx: 1", ["x: 1"]),
        ("own", "other: {x: 1}", []),
        ("own.inner", "own: {inner: {x: 1}, x: 1}", ["x: 1"]),
        ("list[]", "list: [{x: 1}, {x: a}, {x: 2}]", ["x: 1", "x: 2"]),
        ("list[].own", "list: [{own: {x: 1}}, {x: 1}, 5]", ["x: 1"]),
        ("list[]", "list: {x: 1}", []),
    ],
)
def test_a_schema_for_one_key(at: str, text: str, places: list[str]) -> None:
    schema = user_schema({"properties": {"x": {"type": "string"}}}, at=at)
    assert [place for place, _ in sentences(schema, text)] == places


def test_the_place_in_the_schema_is_related() -> None:
    schema = user_schema(
        {"properties": {"a": {"$ref": "plugin.json"}}}, plugin_json={"type": "null"}
    )
    (found,) = violations(schema, "a: 1")
    (related,) = found.related
    assert related.file is not None
    assert related.file.path.endswith("schemas/plugin.json")
    keyword_text = related.file.source.text[related.span.start : related.span.end]
    assert (keyword_text, related.note) == ('"type": "null"', "the schema says so")


def test_equal_violations_of_two_parts_are_one() -> None:
    part = {"required": ["b"]}
    assert len(sentences(user_schema({"allOf": [part, part]}), "a: 1")) == 1


@each(
    ("path", "declared"),
    [
        (("a",), True),
        (("zz",), False),
        (("gone",), False),
        (("x-anything",), True),
        (("own",), True),
        (("own", "queue"), True),
        (("own", "other"), False),
        (("own", "inner", 0, "queue"), True),
        (("free", "any", "depth"), True),
        (("free", "any"), False),
        (("chosen",), True),
        (("tested",), False),
        (("pair", 0, "first"), True),
        (("pair", 1, "first"), False),
        (("pair", 1, "rest"), True),
    ],
)
def test_declared_keys(path: tuple[str | int, ...], declared: bool) -> None:
    own = {"properties": {"queue": {}, "inner": {"items": {"$ref": "#/$defs/own"}}}}
    schema = user_schema(
        {
            "$defs": {"own": own},
            "properties": {
                "a": {},
                "gone": False,
                "own": {"$ref": "#/$defs/own"},
                "free": {"additionalProperties": {"properties": {"depth": {}}}},
                "pair": {
                    "prefixItems": [{"properties": {"first": {}}}],
                    "items": {"properties": {"rest": {}}},
                },
            },
            "patternProperties": {"^x-": {}},
            "if": {"properties": {"tested": {"const": 1}}},
            "then": {"properties": {"chosen": {}}},
        }
    )
    assert schema.declares(path) is declared


def test_declared_keys_below_a_key() -> None:
    schema = user_schema({"properties": {"queue": {}}}, at="list[].own")
    assert schema.declares(("list",))
    assert schema.declares(("list", 3, "own"))
    assert schema.declares(("list", 3, "own", "queue"))
    assert not schema.declares(("list", 3, "queue"))
    assert not schema.declares(("queue",))


def test_a_schema_that_refers_to_itself_declares_in_the_end() -> None:
    assert not user_schema({"$ref": "#"}).declares(("a",))
