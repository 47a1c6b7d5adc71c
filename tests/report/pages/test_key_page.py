"""The page of a key: where it is found, its default and history, its names elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from cfglint.base.logic import MISSING
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.report.pages.key_page import (
    KnownKey,
    default_of,
    ending,
    find,
    own_names,
    render,
    suggestions,
    tools_named,
)
from cfglint.report.style import Style
from cfglint.roles.framework import Framework, load_framework
from tests.draws import each

RELEASES = {"axolotl": "0.18.0", "llamafactory": "0.9.3", "verl": "0.5.0", "trl": "0.20.0"}


@cache
def of(name: str, release: str = "") -> tuple[Framework, Environment]:
    framework = load_framework(name)
    pin = f"{framework.packages[0]}=={release or RELEASES[name]}"
    return framework, build_environment(framework.releases, pins=(pin,))


def names(found: Sequence[KnownKey]) -> list[str]:
    return [key.full_name for key in found]


def page(text: str, name: str = "axolotl", width: int = 100, release: str = "") -> list[str]:
    (key, *_) = find(text, *of(name, release))
    return render(key, Style(color=False), width).splitlines()


@each(
    ("text", "expected"),
    [
        (" lora_r ", ["lora_r"]),
        ("datasets.type", ["datasets[].type"]),
        ("datasets[].type", ["datasets[].type"]),
        ("type", ["datasets[].type", "pretraining_dataset[].type", "test_datasets[].type"]),
        ("datasets.lora_r", []),
        ("nothing.lora_r", []),
        ("nothing", []),
    ],
)
def test_a_key_by_its_name(text: str, expected: list[str]) -> None:
    assert names(find(text, *of("axolotl")))[: len(expected) or None] == expected


def test_a_key_by_the_end_of_its_path() -> None:
    found = names(ending("optim.lr", *of("verl")))
    assert found == ["actor_rollout_ref.actor.optim.lr", "critic.optim.lr"]
    assert ending("lr", *of("verl")) == []
    assert ending("optim.nothing", *of("verl")) == []


@each(
    ("text", "expected"),
    [
        ("micro_batchsize", ["micro_batch_size"]),
        ("datasets.typ", ["datasets.type"]),
        ("zzzzqq", []),
        ("nowhere.typ", []),
    ],
)
def test_suggestions(text: str, expected: list[str]) -> None:
    assert suggestions(text, [of("axolotl")[0]]) == expected


def test_names_elsewhere() -> None:
    framework, target = of("axolotl")
    assert own_names("per_device_train_batch_size", framework) == [
        ("micro_batch_size", "transformers")
    ]
    assert own_names("micro_batch_size", framework) == []
    (key,) = find("lora_r", framework, target)
    assert {"LLaMA-Factory", "PEFT"} <= tools_named(key)
    shown = page("lora_r")
    row = shown[shown.index("Elsewhere") + 1]
    assert row == "  LLaMA-Factory: `lora_rank`; PEFT: `r`; other tools: `rank`"
    assert "Elsewhere" not in page("noisy_embedding_alpha")


@each(
    ("text", "expected"),
    [
        (
            "micro_batch_size",
            ["Type: a whole number.", "Default: `1`.", "In all known releases (from 0.4.1)."],
        ),
        (
            "load_in_8bit",
            ["Type: true or false.", "Default: `false`.", "In all known releases (from 0.4.1)."],
        ),
        ("plugins", ["Type: a list.", "Since axolotl 0.5.1."]),
        # A type that any value has is not said.
        ("datasets.type", ["In all known releases (from 0.4.1)."]),
        (
            "flash_attention",
            ["In all known releases (from 0.4.1), now called `attn_implementation`."],
        ),
        (
            "liger_rope",
            [
                "Type: true or false.",
                "Since axolotl 0.5.0, read when the plugin LigerPlugin is listed.",
            ],
        ),
    ],
)
def test_type_default_and_history(text: str, expected: list[str]) -> None:
    shown = page(text)
    end = shown.index("") if "" in shown else len(shown)
    assert shown[0].endswith(" (Axolotl 0.18.0)")
    assert shown[end - len(expected) : end] == expected


@each(
    ("text", "expected"),
    [
        ("eval_batch_size", ""),
        ("rope_scaling", "now called `overrides_of_model_config.rope_scaling`"),
    ],
)
def test_what_a_key_is_called_by_now(text: str, expected: str) -> None:
    assert expected in "\n".join(page(text))


def test_a_key_that_is_gone() -> None:
    framework, target = of("axolotl")
    table = framework.keys
    gone = next(
        name
        for name in table.names("")
        if (info := table.info("", name)) and info.removed and info.since == "0.4.1"
    )
    info = table.info("", gone)
    assert info is not None
    said = render(KnownKey(framework, target, "", gone), Style(color=False), 200)
    assert f"From 0.4.1 on, removed in {info.removed}" in said


def test_many_rules_are_cut() -> None:
    shown = page("rl", width=200)
    rules = shown[shown.index("Rules about it") + 1 :]
    assert len(rules) == 13
    assert rules[-1].startswith("  and ")
    few = page("lora_r", width=200)
    assert len(few[few.index("Rules about it") + 1 :]) == 2
    assert all(len(line) <= 60 for line in page("rl", width=60))


def test_rules_of_other_releases_are_not_listed() -> None:
    shown = {
        line.split()[0] for line in page("micro_batch_size", width=200) if line.startswith("  DST")
    }
    assert "DST117" in shown
    later = page("micro_batch_size", width=200, release="0.21.0")
    assert not any("DST117" in line for line in later)


@each(
    ("name", "section", "key", "expected"),
    [
        ("axolotl", "", "micro_batch_size", 1),
        ("axolotl", "", "nothing", MISSING),
        ("verl", "actor_rollout_ref.model", "path", "~/models/deepseek-llm-7b-chat"),
        # It is to be given.
        ("verl", "actor_rollout_ref.rollout", "name", "vllm"),
        ("verl", "actor_rollout_ref.actor.checkpoint", "nothing", MISSING),
        ("verl", "data", "train_batch_size", 1024),
    ],
)
def test_defaults(name: str, section: str, key: str, expected: object) -> None:
    framework, target = of(name)
    assert default_of(framework, target)(section, key) == expected


def test_a_default_that_the_commands_differ_in() -> None:
    assert (
        "Default: `5e-05` (distillation, reward, rloo), `1e-06` (dpo, grpo, kto), `2e-05` (sft)."
        in page("learning_rate", "trl", 200)
    )


def test_a_key_that_every_command_gives_the_same_default() -> None:
    assert "Default: `0.9`." in page("adam_beta1", "trl", 200)


def test_what_has_to_be_given_is_no_default() -> None:
    framework, target = of("verl", "0.9.1")
    assert framework.keys.defaults["actor_rollout_ref.rollout.name"] == "???"
    assert default_of(framework, target)("actor_rollout_ref.rollout", "name") is MISSING
    accelerate = load_framework("accelerate")
    assert accelerate.keys.defaults["py_version"] == "<computed>"
    newest = build_environment(accelerate.releases)
    assert default_of(accelerate, newest)("", "py_version") is MISSING
