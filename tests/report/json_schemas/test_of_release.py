"""The schema of a release, key by key."""

from __future__ import annotations

from functools import cache
from typing import Any

from cfglint.report.json_schemas.of_release import DRAFTS, SchemaOfRelease
from cfglint.roles.framework import load_framework
from tests.draws import each


@cache
def schema(
    name: str = "axolotl", release: str = "0.21.0", *, strict: bool = False
) -> dict[str, Any]:
    return SchemaOfRelease(load_framework(name), release, "07", strict=strict).document()


def test_the_head() -> None:
    made = schema()
    assert made["$schema"] == DRAFTS["07"]
    assert made["title"] == "Axolotl 0.21.0"
    assert made["description"].startswith("The config files that Axolotl reads, as axolotl 0.21.0")
    assert (made["type"], made["required"]) == ("object", ["base_model", "learning_rate"])
    # Unknown keys are dropped: only the strict one minds them.
    assert "additionalProperties" not in made
    assert schema(strict=True)["additionalProperties"] is False
    assert schema(strict=True)["properties"].keys() == made["properties"].keys()


@each(
    ("name", "key", "values", "words"),
    [
        (
            "axolotl",
            "micro_batch_size",
            {"default": 1},
            ["A whole number", "Since 0.", "Default: 1."],
        ),
        ("axolotl", "eval_sample_packing", {}, ["PAK001: "]),
        ("axolotl", "dpo_loss_weights", {}, ["A list or nothing.", "Since 0."]),
    ],
)
def test_what_is_said_of_a_key(
    name: str, key: str, values: dict[str, Any], words: list[str]
) -> None:
    row = schema(name)["properties"][key]
    assert {one: row[one] for one in values} == values
    assert ("default" in row) is ("Default: " in row["description"])
    positions = [row["description"].find(word) for word in words]
    assert -1 not in positions
    assert positions == sorted(positions)


def test_at_most_three_rules_are_named() -> None:
    rules = [
        sum(part[:3].isupper() and part[3:6].isdigit() and part[6:7] == ":" for part in words)
        for row in schema()["properties"].values()
        if (words := row["description"].split())
    ]
    assert max(rules) == 3
    assert {0, 1, 2} <= set(rules)


def test_keys_that_are_out_of_date() -> None:
    rows = schema()["properties"]
    gone = {name: row["deprecationMessage"] for name, row in rows.items() if "deprecated" in row}
    for words in ("Deprecated: write ", "Removed in "):
        assert any(text.startswith(words) for text in gone.values()), words
    for name, text in gone.items():
        assert rows[name]["deprecated"] is True
        assert text in rows[name]["description"]
    for name in ("base_model", "micro_batch_size"):
        assert name not in gone


def test_keys_of_plugins_apply_where_the_plugin_is_listed() -> None:
    made = schema()
    assert made["properties"]["liger_rope"].keys() <= {"description", "default"}
    assert (
        "Read when `plugins` lists LigerPlugin." in made["properties"]["liger_rope"]["description"]
    )
    conditions = {
        one["if"]["properties"]["plugins"]["contains"]["pattern"]: one for one in made["allOf"]
    }
    liger = conditions[r"(?:^|\.)LigerPlugin$"]
    assert liger["if"]["required"] == ["plugins"]
    assert "liger_rope" in liger["then"]["properties"]
    assert [*conditions] == sorted(conditions)
    wanted = {tuple(one["then"].get("required", ())) for one in made["allOf"]}
    assert ("llmcompressor",) in wanted
    assert () in wanted


def test_mappings_and_lists_below_a_key() -> None:
    rows = schema()["properties"]
    items = rows["datasets"]["items"]
    assert items["type"] == "object"
    assert "path" in items["properties"]
    kinds = [rows["trl"], *rows["trl"].get("anyOf", ())]
    (inner,) = [one for one in kinds if "properties" in one]
    assert "beta" in inner["properties"]
    assert "object" in inner["type"]


def test_keys_that_other_settings_decide_take_any_value() -> None:
    framework = load_framework("axolotl")
    depending = [
        name
        for name in framework.keys.names("")
        if (when := framework.keys.read_when(name, framework.release_keys("0.21.0").released))
        is None
        or when.has
        or when.has_not
    ]
    rows = schema()["properties"]
    for name in depending:
        assert name not in rows or {"type", "enum", "anyOf"}.isdisjoint(rows[name])


def test_a_key_has_the_default_of_its_release() -> None:
    newest = load_framework("accelerate").releases.newest
    defaults = {
        name: row["default"]
        for name, row in schema("accelerate", newest)["properties"].items()
        if "default" in row
    }
    assert defaults
    older = load_framework("accelerate").releases.versions[0]
    assert not any("default" in row for row in schema("accelerate", older)["properties"].values())


@each("name", ["axolotl", "deepspeed", "accelerate"])
def test_no_default_is_null_or_computed(name: str) -> None:
    newest = load_framework(name).releases.newest
    values = [row.get("default", 0) for row in schema(name, newest)["properties"].values()]
    assert None not in values
    assert "<computed>" not in values


def test_an_entry_takes_what_any_of_its_possible_classes_takes() -> None:
    rows = schema()["properties"]["test_datasets"]["items"]["properties"]
    texts: dict[str, Any] = {"type": ["null", "array"], "items": {"type": "string"}}
    assert rows["split"]["type"] == ["string", "null"]
    assert "anyOf" not in rows["split"]
    assert rows["data_files"]["anyOf"] == [{**texts, "type": ["string", "null", "array"]}, texts]
