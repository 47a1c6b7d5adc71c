"""The shared rules that come with cfglint: where they stand, and what they are for each framework."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

import pytest

from cfglint.knowledge.compiling.concepts import StateModel, ValueModel, load_concepts
from cfglint.knowledge.compiling.files import parse_yaml
from cfglint.knowledge.compiling.loading import adapted, load_shared
from cfglint.knowledge.rules.conditions import parse_condition
from cfglint.knowledge.rules.knowledge import load_knowledge
from tests.shipped import RULES, shipped_rules

FILES = shipped_rules()
SHARED = {rule.code: rule for rule in load_shared(RULES)}
CONCEPTS = load_concepts(RULES)
OF = {(file.rule.code, file.rule.framework): file.rule for file in FILES}
CHECKED = ("accelerate", "axolotl", "deepspeed")


def known_keys(framework: str) -> set[str]:
    """The keys of all releases, in every spelling."""
    table = json.loads((RULES / framework / "tables" / f"{framework}.json").read_text("utf-8"))
    found = set(table["keys"])
    for key, info in table["keys"].items():
        section = key.rpartition(".")[0]
        found |= {f"{section}.{alias}".lstrip(".") for alias in info.get("alias", ())}
    return found


@pytest.mark.parametrize("framework", CHECKED)
def test_concepts_are_keys_that_releases_have(framework: str) -> None:
    keys = known_keys(framework)
    for name, meaning in CONCEPTS.frameworks[framework].items():
        for path in meaning.places:
            # What is inside a free-form section is not in the table.
            assert path in keys or path.rpartition(".")[0] in keys, (name, path)


def test_every_concept_is_used_or_had() -> None:
    used = {name for rule in SHARED.values() for name in rule.concepts}
    had = {name for meanings in CONCEPTS.frameworks.values() for name in meanings}
    assert set(CONCEPTS.vocabulary) == used | had
    assert used <= had


@pytest.mark.parametrize("framework", CHECKED)
def test_kinds_are_kept(framework: str) -> None:
    for name, meaning in CONCEPTS.frameworks[framework].items():
        kind = StateModel if CONCEPTS.vocabulary[name].kind == "state" else ValueModel
        assert isinstance(meaning, kind)


def test_one_folder_a_prefix() -> None:
    folders: dict[str, set[str]] = defaultdict(set)
    for path in (RULES / "shared").glob("*/*.yaml"):
        folders[path.read_text("utf-8").splitlines()[0].removeprefix("code: ")[:3]].add(
            path.parent.name
        )
    assert all(len(names) == 1 for names in folders.values())
    assert len({next(iter(names)) for names in folders.values()}) == len(folders)


def test_frameworks_have_each() -> None:
    assert len(SHARED) >= 20
    for code, rule in SHARED.items():
        having = [part for part in rule.frameworks.values() if part.has_it]
        assert len(having) >= 2 or rule.frameworks["axolotl"].has_it, code
        assert sum(part.examples for part in having) >= 2, code


@pytest.mark.parametrize(
    ("code", "condition"),
    [
        (
            "HPR452",
            {
                "all": [
                    {"learning_rate": {"gt": 0.0001}},
                    {"adapter": {"truthy": False}},
                    {"lora_r": {"truthy": False}},
                    {"load_in_4bit": {"truthy": False}},
                    {"load_in_8bit": {"truthy": False}},
                    {"rl": {"truthy": False}},
                    {"pretraining_dataset": {"truthy": False}},
                    {"reward_model": {"truthy": False}},
                    {"unfrozen_parameters": {"truthy": False}},
                    {
                        "any": [
                            {"max_steps": {"set": False}},
                            {"max_steps": {"le": 0}},
                            {"max_steps": {"gt": 100}},
                        ]
                    },
                    {
                        "not": {
                            "optimizer": {
                                "matches": "muon|dion|sinkgd|sgd|adafactor|lomo|lion|rmsprop|"
                                "schedule_free|came|polora|scao"
                            }
                        }
                    },
                    {"fact model.params_b": {"ge": 1}},
                ]
            },
        ),
        (
            "OPT351",
            {
                "all": [
                    {"fp16": {"is": True}},
                    {"any": [{"bf16": {"is": True}}, {"bf16": {"eq": "full"}}]},
                ]
            },
        ),
        (
            "DST437",
            {
                "all": [
                    {"ddp_find_unused_parameters": {"truthy": True}},
                    {"gradient_checkpointing": {"truthy": True}},
                    {"activation_offloading": {"truthy": False}},
                    {"gradient_checkpointing_kwargs.use_reentrant": {"is": True}},
                    {"deepspeed": {"truthy": False}},
                    {"fsdp": {"truthy": False}},
                    {"fsdp_config": {"truthy": False}},
                    {"rl": {"truthy": False}},
                ]
            },
        ),
    ],
)
def test_for_axolotl_they_are_what_one_would_write(code: str, condition: dict[str, Any]) -> None:
    when = OF[code, "axolotl"].when
    assert when is not None
    assert parse_condition(when) == parse_condition(condition)


def test_deepspeed_has_its_own() -> None:
    decay = OF["OPT477", "deepspeed"]
    assert decay.when == {"all": [{"optimizer.params.weight_decay": {"lt": 0}}]}
    assert (decay.severity, decay.at) == ("warning", ["optimizer.params.weight_decay"])
    assert "`optimizer.params.weight_decay: {optimizer.params.weight_decay}`" in decay.message
    assert decay.confidence == "medium"
    assert OF["OPT477", "axolotl"].confidence == "high"
    warmup = OF["OPT469", "deepspeed"]
    assert warmup.when == {
        "all": [
            {"scheduler.params.total_num_steps": {"ge": 100}},
            {"scheduler.params.warmup_num_steps": {"ge": {"key": "scheduler.params.total_num_steps"}}},
        ]
    }  # fmt: skip
    assert SHARED["OPT351"].frameworks["deepspeed"].not_for == "DSP001 says it"
    assert OF["OPT352", "accelerate"].at == ["mixed_precision"]


def test_every_framework_with_a_shared_rule_has_an_example() -> None:
    untried = [
        (rule.code, name)
        for rule in SHARED.values()
        for name, standing in rule.frameworks.items()
        if standing.has_it and name in CHECKED and not standing.examples
    ]
    assert untried == []


def test_what_all_frameworks_have_names_none_of_them() -> None:
    """But what differs in one says what that one does."""
    for file in FILES:
        if file.rule.framework == "any":
            rule = file.rule
            for text in (rule.summary, rule.message, rule.cost):
                assert not any(title in text for title in ("Axolotl", "DeepSpeed", "accelerate"))
            assert "{framework}" not in rule.summary
            for name in rule.differs:
                assert adapted(rule, name) != rule


def test_only_frameworks_that_are_there_are_named() -> None:
    """A misspelt name would leave a framework out without a word."""
    there = {path.parent.name for path in RULES.glob("*/framework.yaml")}
    described = parse_yaml((RULES / "shared" / "meanings.yaml").read_text(encoding="utf-8"))
    assert set(described["frameworks"]) <= there
    for path in sorted((RULES / "shared").glob("*/*.yaml")):
        data = parse_yaml(path.read_text(encoding="utf-8"))
        named = {*data.get("differs", ()), *data.get("not_for", ())}
        named |= {example.get("framework") for example in data["examples"]} - {None}
        assert named <= there, path


def test_words_are_those_of_the_framework() -> None:
    axolotl, deepspeed = load_knowledge("axolotl"), load_knowledge("deepspeed")
    assert "Axolotl stops with" in axolotl.words("YML029").message
    assert "stops with" not in deepspeed.words("YML029").message
    assert "weight_decay: {weight_decay}" in axolotl.words("OPT477").message
    assert "optimizer.params.weight_decay" in deepspeed.words("OPT477").message
    assert "FusedAdam" in deepspeed.details("OPT477").why
    assert "FusedAdam" not in axolotl.details("OPT477").why


def test_rules_on_an_edge_have_folders_of_their_own() -> None:
    for file in FILES:
        edge = file.rule.edge
        assert (file.path.parent.name == f"with-{edge}") is (edge is not None), file.path
