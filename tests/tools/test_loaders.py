"""The comparison of old and new loaders, and that what was measured decides what is safe."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from cfglint.engine.migration.one_text import migrate
from cfglint.environment.building import build_environment
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tools.loaders.__main__ import MEASURED, migrated
from tools.loaders.compare import IGNORED, compare
from tools.loaders.variants import ROWS, VARIANTS, Variant

_TEXT = {1: "USER", 2: ": ", 3: "hi", 4: "\n", 5: "</s>"}


def _read(ids: list[int], *learned: int) -> dict[str, Any]:
    return {"ids": ids, "labels": [one if one in learned else IGNORED for one in ids]}


@pytest.mark.parametrize(
    ("old", "new", "verdict", "difference"),
    [
        (_read([1, 2, 3], 3), _read([1, 2, 3], 3), "equal", ""),
        (_read([3, 4], 3, 4), _read([3, 4], 3), "labels", "no longer learned: 1 x '\\n'"),
        (_read([3, 4], 3), _read([3, 4], 3, 4), "labels", "newly learned: 1 x '\\n'"),
        (_read([3, 5]), _read([3]), "tokens", "'</s>' became nothing"),
        (_read([3]), _read([3, 4]), "tokens", "nothing became '\\n'"),
        ({"error": "KeyError: 'from'"}, _read([3]), "old refuses", "KeyError: 'from'"),
        (_read([3]), {"error": "ValueError: no"}, "new refuses", "ValueError: no"),
    ],
)
def test_what_is_different_is_said(
    old: dict[str, Any], new: dict[str, Any], verdict: str, difference: str
) -> None:
    assert compare(old, new, _TEXT) == (verdict, difference)


def test_the_same_text_in_other_tokens_is_not_equal() -> None:
    text = {1: "ab", 2: "a", 3: "b"}
    found = compare(_read([1]), _read([2, 3]), text)
    assert found == ("tokens", "the same text, cut into other tokens")


def _measured() -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = json.loads(MEASURED.read_text(encoding="utf-8"))
    return records


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_a_step_is_safe_only_if_every_row_was_equal(variant: Variant) -> None:
    config = {"base_model": "a/b", **variant.file, "datasets": [{"path": "x", **variant.dataset}]}
    source = SourceText.from_bytes(yaml.safe_dump(config, sort_keys=False).encode())
    framework = load_framework("axolotl")
    target = build_environment(framework.releases, pins=["axolotl==0.21.0"])
    migration = migrate(source, framework, target, unsafe=False)
    safe = any(step.code == "DAT101" for step in migration.steps)
    mine = [record for record in _measured() if record["variant"] == variant.name]
    read = [record for record in mine if record["verdict"] != "old refuses"]
    equal = bool(read) and all(record["verdict"] == "equal" for record in read)
    assert safe == equal
    steps = [step for step in migration.proposed if step.code == "DAT101"]
    assert all(step.look_at for step in steps)


def test_every_variant_and_row_was_measured() -> None:
    records = _measured()
    done = {
        (record["variant"], record["tokenizer"], row)
        for record in records
        for row in record["rows"]
    }
    wanted = {
        (variant.name, tokenizer, row)
        for variant in VARIANTS
        if migrated(variant) is not None
        for tokenizer in ("base", "chatml", "llama2", "llama3")
        for row in variant.rows
    }
    assert done == wanted
    assert {row for _, _, row in wanted} | {"glaive, one turn"} == set(ROWS)


def test_the_newlines_around_answers_are_what_chatml_loses() -> None:
    found = {
        record["difference"]
        for record in _measured()
        if record["variant"] == "conversation: chatml" and record["verdict"] == "labels"
    }
    assert found == {"no longer learned: 4 x '\\n'"}
