"""Schemas that cannot be used are refused with file, line, reason and remedy; others are followed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cfglint.knowledge.schemas import reading
from cfglint.knowledge.schemas.reading import DRAFTS, SchemaError
from cfglint.knowledge.schemas.schema import UserSchema
from cfglint.source.files.disk import Disk
from tests.draws import each
from tests.knowledge.schemas.making import sentences, user_schema


def refusal(schema: Any, *, name: str = "schemas/house.json", **others: Any) -> str:
    with pytest.raises(SchemaError) as caught:
        user_schema(schema, name=name, **others)
    return str(caught.value)


@each(
    ("schema", "error"),
    [
        (b"\xff", "schemas/house.json: is not UTF-8"),
        (b" " * 1_100_000, "schemas/house.json: is larger than 1 MiB"),
        ('{\n"a": }', "schemas/house.json:2: cannot be read as JSON: this key has no value"),
        ('{\n"a": 1, // x\n}', "schemas/house.json:2: cannot be read as JSON: "),
        ("[]", "schemas/house.json:1: cannot be read as JSON: root not mapping"),
        (
            {"properties": 5},
            "house.json:2: is not a valid schema: `properties` expects keys with values",
        ),
        (
            {"properties": {"a": {"type": "int"}}},
            "house.json:4: is not a valid schema: `properties.a.type` expects one of array, boolean, integer,"
            " null, number, object, string or a list but got the text 'int'",
        ),
        ({"required": "a"}, "house.json:2: is not a valid schema: `required` expects a list"),
        (
            {"$id": 5},
            "house.json:2: is not a valid schema: `$id` expects text but got the number 5",
        ),
        ({"$id": "http://[x"}, "house.json: `$id` or `$schema` is wrong: "),
        (
            {"$schema": "https://example.com/mine"},
            "house.json:2: $schema: 'https://example.com/mine' is not a known draft; expected one of https://json-",
        ),
        ({"$schema": 7}, "house.json:2: $schema: 7 is not a known draft"),
        (
            {"properties": {"a": {"$schema": "https://json-schema.org/draft/2020-12/schema"}}},
            "house.json:4: $schema: a draft can only be named at the beginning of a file",
        ),
        (
            {"pattern": "("},
            "house.json:2: pattern: the pattern '(' is not a Python regular expression: ",
        ),
        (
            {"pattern": "^(?=a)b$"},
            "house.json:2: pattern: the pattern '^(?=a)b$' has references, look-arounds",
        ),
        (
            {"pattern": "(?:a{1,99}){99}"},
            "house.json:2: pattern: the pattern '(?:a{1,99}){99}' is too large once its repeats",
        ),
        (
            {"unevaluatedProperties": False, "allOf": [{"patternProperties": {"^(a+)+$": {}}}]},
            "house.json:5: patternProperties: the pattern '^(a+)+$' may take too long beside "
            "`unevaluatedProperties`",
        ),
        ({"allOf": [{"$ref": "#/$defs/x"}]}, "house.json:4: $ref: there is nothing at '#/$defs/x'"),
        ({"$ref": "#gone"}, "house.json:2: $ref: there is nothing at '#gone'"),
        ({"x": [1], "$ref": "#/x/y"}, "house.json:5: $ref: there is nothing at '#/x/y'"),
        ({"x": "abc", "$ref": "#/x"}, "house.json:3: $ref: '#/x' does not lead to a schema"),
        ({"x": [1], "$ref": "#/x"}, "house.json:5: $ref: '#/x' does not lead to a schema"),
        (
            {"x": {"type": "int"}, "$ref": "#/x"},
            "house.json:3: is not a valid schema: `type` expects",
        ),
    ],
)
def test_an_error_has_its_line(schema: Any, error: str) -> None:
    assert error in refusal(schema)


@each(
    "reference",
    [
        "https://example.com/schema.json",
        "http://example.com/schema.json#/a",
        "ftp://example.com/x",
        "//example.com/x.json",
        "../../elsewhere.json",
        "/etc/passwd",
        "file:///etc/passwd",
        "file://host/etc/passwd",
        "gone.json",
        "a\x00b.json",
        "urn:x:y",
    ],
)
def test_nothing_is_fetched_or_read_outside_of_the_project(reference: str) -> None:
    error = refusal({"properties": {"a": {"$ref": reference}}})
    assert error.startswith("schemas/house.json:4: $ref: ")
    assert error.endswith(
        " is not a file of the project; schemas are not downloaded: save it in the project, and refer"
        " to it by its path"
    )


def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text('{"type": "null"}')
    project = tmp_path / "project"
    project.mkdir()
    (project / "link.json").symlink_to(tmp_path / "secret.json")
    (project / "house.json").write_text('{"$ref": "link.json"}')
    with pytest.raises(SchemaError, match="is not a file of the project"):
        UserSchema(str(project / "house.json"), "", str(project), Disk(), "house.json")


@pytest.mark.parametrize("reference", ["plugin.json", "./plugin.json", "../schemas/plugin.json"])
def test_files_of_the_project(reference: str) -> None:
    schema = user_schema(
        {"properties": {"a": {"$ref": reference}}},
        plugin_json={"properties": {"b": {"$ref": "#/$defs/c"}}, "$defs": {"c": {"type": "null"}}},
    )
    assert sentences(schema, "a: {b: 1}") == [("b: 1", "`a.b` expects null but got the number 1")]


def test_files_that_refer_to_each_other_in_json_and_yaml() -> None:
    schema = user_schema(
        {
            "properties": {"a": {"$ref": "deep/plugin.yaml#/$defs/b"}},
            "$defs": {"c": {"type": "null"}},
        },
        deep__plugin_yaml="$defs:\n  b: {properties: {c: {$ref: ../house.json#/$defs/c}}}\n",
    )
    assert sentences(schema, "a: {c: 1}") == [("c: 1", "`a.c` expects null but got the number 1")]


@each(
    "reference",
    [
        "plugin.json",
        "https://house.example/schemas/plugin.json",
        "https://house.example/named",
        "../schemas/plugin.json",
    ],
)
def test_an_id_is_an_alias_of_the_path(reference: str) -> None:
    schema = user_schema(
        {
            "$id": "https://house.example/schemas/house",
            "allOf": [{"$ref": "plugin.json"}],
            "properties": {"a": {"$ref": reference}},
        },
        plugin_json={
            "$id": "https://house.example/named",
            "properties": {"b": {"$ref": "https://house.example/schemas/house#/properties/a"}},
            "type": "object",
        },
    )
    assert sentences(schema, "a: {b: 1}") == [
        ("b: 1", "`a.b` expects keys with values but got the number 1")
    ]


def test_anchors_and_schemas_with_a_name_of_their_own() -> None:
    schema = user_schema(
        {
            "$defs": {
                "x": {"$anchor": "here", "type": "null"},
                "y": {"$id": "y.json", "$defs": {"z": {"type": "null"}}, "$ref": "#/$defs/z"},
                "n": {"$dynamicAnchor": "n", "type": "null"},
            },
            "properties": {
                "a": {"$ref": "#here"},
                "b": {"$ref": "y.json"},
                "c": {"$dynamicRef": "#n"},
            },
        }
    )
    assert [place for place, _ in sentences(schema, "a: 1\nb: 1\nc: 1")] == ["a: 1", "b: 1", "c: 1"]


@each("draft", DRAFTS)
@each("scheme", ["http:", "https:"])
def test_every_draft_and_a_reference_to_its_own_schema(draft: str, scheme: str) -> None:
    official = "http:" if "draft-0" in draft else "https:"
    schema = user_schema(
        {"$schema": f"{scheme}{draft}#", "properties": {"a": {"$ref": official + draft}}}
    )
    assert [place for place, _ in sentences(schema, "a: {type: int}")] == ["type: int"]


def test_a_file_of_another_draft_is_refused() -> None:
    other = {"$schema": "http://json-schema.org/draft-07/schema#"}
    error = refusal({"$ref": "plugin.json"}, plugin_json=other)
    assert error == (
        "schemas/plugin.json:2: $schema: this is not the draft of schemas/house.json, which refers to it"
    )
    assert user_schema({**other, "$ref": "plugin.json"}, plugin_json={}).declares(("a",)) is False


def test_the_name_says_what_a_schema_is_written_in() -> None:
    assert sentences(user_schema("required: [b]", name="house.yaml"), "a: 1")
    assert refusal("{}", name="house.txt") == "house.txt: expected a .json, .yaml or .yml file"


def test_a_schema_that_is_not_there() -> None:
    with pytest.raises(
        SchemaError, match=r"^gone.json: cannot be read: No such file or directory$"
    ):
        UserSchema("/nowhere/gone.json", "", "/nowhere", Disk(), "gone.json")


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "more than 20,000 values" in refusal({"allOf": [{"type": "null"}] * 10_000})
    monkeypatch.setattr(reading, "MAX_FILES", 3)
    chain: dict[str, Any] = {f"f{n}_json": {"$ref": f"f{n + 1}.json"} for n in range(1, 9)}
    error = refusal({"$ref": "f1.json"}, f9_json={}, **chain)
    assert error == "schemas/house.json: refers to more than 3 files"


def test_the_project_is_named_as_the_schema_was() -> None:
    error = refusal({"$ref": "deep/plugin.yaml"}, deep__plugin_yaml="a: 1\ntype: 5\n")
    assert error.startswith("schemas/deep/plugin.yaml:2: is not a valid schema: `type` expects")


def test_json_keys_that_python_has_otherwise() -> None:
    schema = user_schema(json.dumps({"properties": {"1": {"type": "null"}}}))
    assert sentences(schema, "1: 2") == [("1: 2", "`1` expects null but got the number 2")]
