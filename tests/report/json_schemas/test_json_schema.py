"""The JSON Schema of a release takes what its reader takes, key by key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator, Draft202012Validator

from cfglint.engine.settings.file import KINDS
from cfglint.knowledge.keys.release_keys import Schema
from cfglint.report.json_schemas.of_values import value_schema
from cfglint.roles.framework import load_framework
from tests.cli.running import run
from tests.draws import each
from tools.campaigns.schema_verdicts import compared
from tools.parity import recorded
from tools.parity.verdicts import Upstream

ROOT = Path(__file__).resolve().parents[3]
VALIDATORS = {"2020-12": Draft202012Validator, "07": Draft7Validator}
RELEASES = [
    ("axolotl", "0.21.0"),
    ("axolotl", "0.10.0"),
    ("axolotl", "0.4.1"),
    ("deepspeed", "0.19.8"),
    ("deepspeed", "0.9.0"),
    ("accelerate", "1.15.0"),
]
#: Values of each kind. (A whole number as `1.0` is an integer to JSON Schema, as to pydantic.)
VALUES: list[Any] = [
    None, True, False, 0, 1, 2, 3, 7, 32, 4096, -1, 0.5, 1.5, 1e-5, -0.25,
    "", "a", "auto", "AUTO", "yes", "No", "true", "TRUE", "0", "1", "2", "7", " 7 ", "1_000", "1.0",
    "1.5", "1e-5", ".5", "1.", "inf", "-Infinity", "nan", "1__0", "0x10", "1e8", "fp16", "BF16", "lora",
    "bf16", "mean", "MEAN", "lora\n",
    [], ["a"], [1], [0.5], [[1]], [None], [True], [0.9, 0.95], [1, 2, 3], {}, {"a": 1}, {"a": "b"},
]  # fmt: skip


@cache
def schema_of(*arguments: str) -> dict[str, Any]:
    result = run("schema", *arguments)
    assert (result.code, result.err) == (0, "")
    read: dict[str, Any] = json.loads(result.out)
    return read


def keys(name: str, release: str) -> Iterator[tuple[str, Schema]]:
    framework = load_framework(name)
    found = framework.release_keys(release)
    for section in framework.keys.sections():
        known = found.section(section)
        if known is None:
            continue
        for key in framework.keys.names(section):
            schema = known[key].schema
            if schema is not None:
                yield f"{section}.{key}", schema


@each("draft", VALIDATORS)
@each(("name", "release"), RELEASES)
def test_each_key_takes_what_its_reader_takes(name: str, release: str, draft: str) -> None:
    seen = set()
    wrong, count = [], 0
    for place, schema in keys(name, release):
        same = json.dumps([schema.kinds, schema.choices, schema.bounds], sort_keys=True)
        if same in seen:
            continue
        seen.add(same)
        validator = VALIDATORS[draft](value_schema(schema, draft))
        for value in VALUES + [one for one in schema.choices if one not in VALUES]:
            if isinstance(value, str) and schema.bounds:
                continue  # JSON Schema cannot bound a number that is written as text
            theirs = schema.takes(value) and schema.broken_bound(value) is None
            count += 1
            if validator.is_valid(value) != theirs:
                wrong.append((place, schema.kinds, value, theirs))
    assert wrong == []
    assert count > 500


@each("draft", VALIDATORS)
@each(("name", "release"), RELEASES)
def test_it_is_a_schema_of_its_draft(name: str, release: str, draft: str) -> None:
    schema = schema_of("--target", f"{name}=={release}", "--draft", draft)
    VALIDATORS[draft].check_schema(schema)
    assert release in schema["title"]
    text = json.dumps(schema)
    assert ("prefixItems" in text) <= (draft == "2020-12")


def test_the_examples_of_good_files_are_valid() -> None:
    validator = Draft202012Validator(schema_of("--target", "axolotl==0.21.0"))
    files = sorted((ROOT / "fixtures" / "good").rglob("*.yml"))
    assert len(files) > 5
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert list(validator.iter_errors(yaml.safe_load(text))) == [], file


@each(
    ("text", "path"),
    [
        ("micro_batch_size: many", ["micro_batch_size"]),
        ("rl: dpoo", ["rl"]),
        ("lora_target_modules: {a: 1}", ["lora_target_modules"]),
        ("datasets: [{path: a, type: [1]}]", ["datasets", 0, "type"]),
        ("datasets: [{path: [a]}]", ["datasets", 0, "path"]),
        ("pretraining_dataset: [{path: a, name: 7}]", ["pretraining_dataset", 0, "name"]),
        ("llmcompressor: {}", None),
        ("plugins: [axolotl.integrations.llm_compressor.LLMCompressorPlugin]", []),
        (
            "plugins: [axolotl.integrations.llm_compressor.LLMCompressorPlugin]\nllmcompressor: {}",
            ["llmcompressor"],
        ),
        ("trl: {beta: many}", ["trl", "beta"]),
        ("plugins: [axolotl.integrations.liger.LigerPlugin]\nliger_rope: 7", ["liger_rope"]),
        ("liger_rope: 7", None),
        ("unknown_key: 1", None),
        ("fp8_config: {unknown_key: 1}", ["fp8_config"]),
    ],
)
def test_what_is_refused(text: str, path: list[Any] | None) -> None:
    validator = Draft202012Validator(schema_of("--target", "axolotl==0.21.0"))
    errors = list(
        validator.iter_errors(yaml.safe_load(f"base_model: a/b\nlearning_rate: 0.1\n{text}"))
    )
    assert [list(error.absolute_path) for error in errors] == ([path] if path is not None else [])
    missing = list(validator.iter_errors({}))
    assert sorted(error.message for error in missing) == [
        "'base_model' is a required property",
        "'learning_rate' is a required property",
    ]


@pytest.mark.parametrize("release", ["0.21.0", "0.10.0"])
def test_what_the_real_release_accepts_is_valid(release: str) -> None:
    rows = recorded.read(ROOT / "tests" / "tools" / "parity_recorded.json.gz").rows
    accepted = [row for row in rows if row.verdicts.get(release) == "ok"]
    assert len(accepted) > 200
    refused = []
    for row in accepted:
        verdict, reason = compared(Upstream("ok"), row.text.encode(), release)
        if verdict not in ("both accept", "no mapping", "no YAML"):
            refused.append(f"{row.name}: {reason}")
    # `rl` decides which keys of a dataset are read; the schema looks at all of them.
    assert len(refused) <= 0.02 * len(accepted), refused
    assert not [one for one in refused if "dataset" not in one]


def test_verdicts_are_compared_where_types_decide() -> None:
    kinds = {
        "ok": Upstream("ok"),
        "type": Upstream("rejected", errors=({"loc": ["a"], "type": "int_type", "msg": "…"},)),
        "raised": Upstream("rejected", errors=({"loc": [], "type": "value_error", "msg": "…"},)),
        "failed": Upstream("failed"),
    }
    good = b"base_model: a/b\nlearning_rate: 0.1\n"
    found = {
        (name, data): compared(theirs, data, "0.21.0")[0]
        for name, theirs in kinds.items()
        for data in (good, b"rl: 1\n", b"- 1\n", b"{\n")
    }
    unclear = "a validator refuses, or nobody could tell"
    assert [found["ok", data] for data in (good, b"rl: 1\n", b"- 1\n", b"{\n")] == [
        *("both accept", "differs: the schema refuses", "no mapping", "no YAML")
    ]
    assert found["type", good] == "differs: the schema accepts"
    assert found["type", b"rl: 1\n"] == "both refuse"
    assert found["raised", good] == found["failed", b"rl: 1\n"] == unclear


def test_what_an_editor_shows_of_a_key() -> None:
    properties = schema_of("--target", "axolotl==0.18.0")["properties"]
    shown = properties["val_set_size"]
    assert shown["default"] == 0.0
    assert shown["description"].startswith("Share of the training data, or number of its samples,")
    assert " A number or nothing. Since 0.4.1. Default: 0.0. " in shown["description"]
    assert "PAK001: Packed evaluation" in properties["eval_sample_packing"]["description"]
    assert properties["rl"]["anyOf"][0]["enum"][:2] == ["dpo", "ipo"]
    assert "deprecated" not in shown
    gone = [row for row in properties.values() if row.get("deprecated")]
    assert len(gone) > 10
    assert all(row["deprecationMessage"] in row["description"] for row in gone)


def test_a_key_is_there_from_its_release_on() -> None:
    old = schema_of("--target", "axolotl==0.10.0")["properties"]
    new = schema_of("--target", "axolotl==0.21.0")["properties"]
    assert "activation_offloading" not in old
    assert "activation_offloading" in new


def test_the_release_of_the_project_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "requirements.txt").write_text("axolotl==0.12.2\n", encoding="utf-8")
    assert schema_of()["title"] == "Axolotl 0.12.2"
    assert schema_of("--framework", "deepspeed")["title"].startswith("DeepSpeed ")
    (tmp_path / "cfglint.toml").write_text("gpus = 'x'\n", encoding="utf-8")
    assert run("schema").code == 2


def test_it_can_be_published() -> None:
    schema = schema_of("--id", "https://example.org/axolotl.json", "--draft", "07")
    assert list(schema)[:2] == ["$schema", "$id"]


@pytest.mark.parametrize("arguments", [["--target", "nothing==1"], ["--target", "axolotl"]])
def test_an_unknown_target_is_an_error(arguments: list[str]) -> None:
    result = run("schema", *arguments)
    assert (result.code, result.out) == (2, "")


SAMPLES = {
    "strings": (["a"], "a", 1),
    "int": (8, 8, "8"),
    "str": ("h100", "h100", 1),
    "bool": (True, False, "true"),
    "fail-on": ("never", "note", "sometimes"),
    "per-file": ({"archive/": ["KEY"]}, {}, ["KEY"]),
    "severities": ({"KEY001": "warning"}, {}, {"KEY001": "never"}),
    "confidence": ("high", "low", "none"),
    "severity-name": ("error", "note", "never"),
    "day": ("2026-11-01", "2026-11", "soon"),
    "schemas": ([{"schema": "plugin.json", "at": "plugin"}], [], "plugin.json"),
}


@pytest.mark.parametrize("draft", VALIDATORS)
def test_the_settings(draft: str) -> None:
    schema = schema_of("--settings", "--draft", draft)
    VALIDATORS[draft].check_schema(schema)
    validator = VALIDATORS[draft](schema)
    assert list(schema["properties"]) == list(KINDS)
    for name, kind in KINDS.items():
        good, other, bad = SAMPLES[kind]
        assert validator.is_valid({name: good})
        assert validator.is_valid({name: other})
        assert not validator.is_valid({name: bad})
    assert not validator.is_valid({"unknown-key": 1})


def unknown_keys(schema: dict[str, Any], data: Any) -> list[str]:
    found = Draft202012Validator(schema).iter_errors(data)
    return [one.message for one in found if one.validator == "additionalProperties"]


def test_a_strict_schema_refuses_what_is_dropped() -> None:
    plain = schema_of("--target", "axolotl==0.21.0")
    strict = schema_of("--target", "axolotl==0.21.0", "--strict")
    base = {"base_model": "a/b", "datasets": [{"path": "x", "type": "alpaca"}]}
    liger = {"plugins": ["axolotl.integrations.liger.LigerPlugin"], "liger_rope": True}
    assert unknown_keys(strict, {**base, **liger}) == []
    for wrong in (
        {**base, "warmup_ration": 0.1},
        {**base, "num_train_epochs": 3},
        {**base, "datasets": [{"path": "x", "typ": "alpaca"}]},
    ):
        assert unknown_keys(plain, wrong) == []
        assert len(unknown_keys(strict, wrong)) == 1


@pytest.mark.parametrize("name", ["axolotl", "accelerate", "deepspeed"])
def test_a_strict_schema_takes_the_configs_of_examples(name: str) -> None:
    strict = schema_of("--framework", name, "--strict")
    bases = yaml.safe_load((ROOT / "rules" / name / "bases.yaml").read_text("utf-8"))
    for base in bases.values():
        assert unknown_keys(strict, yaml.safe_load(base)) == []


def test_no_strict_schema_is_made_where_it_would_refuse_good_keys() -> None:
    result = run("schema", "--framework", "trl", "--strict")
    assert result.code == 2
    assert "--strict: which keys a file of TRL may have" in result.err


def test_the_entries_for_the_catalogue_have_their_schemas() -> None:
    entries = json.loads((ROOT / "docs" / "examples" / "schemastore.json").read_text("utf-8"))
    guide = (ROOT / "docs" / "schema.md").read_text("utf-8")
    for entry in entries:
        assert set(entry) == {"name", "description", "fileMatch", "url"}
        assert "schema" not in entry["description"].lower()
        (line,) = [line for line in guide.splitlines() if line.endswith(f"--id {entry['url']}")]
        schema = schema_of(*line.split()[2:])
        assert schema["$id"] == entry["url"]
        assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
        Draft7Validator.check_schema(schema)
