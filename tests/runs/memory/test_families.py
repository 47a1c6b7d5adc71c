"""The parameters of every known model, against those that transformers and PEFT count."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cfglint.knowledge import compiled
from cfglint.runs.memory.adapters import copies, linear_names, low_rank
from cfglint.runs.memory.families import FAMILIES, shape
from tests.draws import each

RECORDED: dict[str, Any] = json.loads(
    Path(__file__).with_name("parameters_recorded.json").read_text(encoding="utf-8")
)
SHAPES: dict[str, dict[str, Any]] = compiled.load("shapes").SHAPES
LLAMA = {
    "model_type": "llama",
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "vocab_size": 100,
}
#: Models whose modules come with them: what their pages, or the heads of their weights' files, state.
PUBLISHED = {
    "baichuan-7b": 7_000_559_616,
    "baichuan2-7b-base": 7_505_973_248,
    "baichuan-13b-base": 13_264_901_120,
    "chatglm3-6b": 6_243_584_000,
    "glm-4-9b": 9_399_951_360,
    "internlm2-7b": 7_737_708_544,
    "qwen-1_8b": 1_836_828_672,
    "qwen-7b": 7_721_324_544,
}


def test_enough_is_recorded() -> None:
    assert len(RECORDED["models"]) >= 60
    assert all(len(row["setups"]) == 6 for row in RECORDED["models"])


@each("row", RECORDED["models"])
def test_counts_are_exact(row: dict[str, Any]) -> None:
    found = shape(SHAPES[row["name"]])
    assert found is not None
    assert found.parameters == row["parameters"]
    for setup in row["setups"]:
        count = low_rank(found, setup["rank"], setup["targets"], dora=setup["dora"])
        assert count + copies(found, setup["saved"]) == setup["trainable"], setup


@each(("name", "parameters"), PUBLISHED.items())
def test_counts_of_models_with_their_own_code(name: str, parameters: int) -> None:
    found = shape(SHAPES[name])
    assert found is not None
    assert found.parameters == parameters


@each("row", RECORDED["variants"])
def test_counts_of_small_models_are_exact(row: dict[str, Any]) -> None:
    found = shape(row["config"])
    assert found is not None
    assert found.parameters == row["parameters"]


@each("row", RECORDED["models"])
def test_all_linear_names_are_known(row: dict[str, Any]) -> None:
    found = shape(SHAPES[row["name"]])
    assert found is not None
    (everything,) = {tuple(s["targets"]) for s in row["setups"] if s["rank"] == 32}
    assert linear_names(found) == set(everything)


def test_every_row_of_the_table_is_known() -> None:
    assert [name for name, config in SHAPES.items() if shape(config) is None] == []


def test_every_family_is_in_the_table() -> None:
    types = {config.get("text_config", config)["model_type"] for config in SHAPES.values()}
    assert set(FAMILIES) == types


def test_every_family_is_counted() -> None:
    configs = [SHAPES[row["name"]] for row in RECORDED["models"]]
    configs += [SHAPES[name] for name in PUBLISHED]
    configs += [row["config"] for row in RECORDED["variants"]]
    counted = {config.get("text_config", config)["model_type"] for config in configs}
    assert set(FAMILIES) <= counted


@each(
    "change",
    [
        {"model_type": "no-such-family"},
        {"model_type": None},
        {"hidden_size": None},
        {"hidden_size": "64"},
        {"hidden_size": -64},
        {"hidden_size": 1 << 50},
        {"num_attention_heads": 0},
        {"num_hidden_layers": 10**9},
        {"num_hidden_layers": 0},
        {"attention_bias": "yes"},
        {"pruned_heads": {"0": [1]}},
    ],
)
def test_an_unknown_shape_is_none(change: dict[str, Any]) -> None:
    assert shape(LLAMA) is not None
    assert shape({**LLAMA, **change}) is None


def test_tied_embeddings_count_once() -> None:
    apart, tied = shape(LLAMA), shape({**LLAMA, "tie_word_embeddings": True})
    assert apart is not None
    assert tied is not None
    assert apart.parameters - tied.parameters == 100 * 64


def test_language_model_of_several_towers() -> None:
    found = shape({"model_type": "mistral3", "text_config": {**LLAMA, "model_type": "mistral"}})
    assert found is not None
    assert found.partial
    assert shape({"model_type": "mistral3", "text_config": {}}) is None
    outer = {"model_type": "mistral3", "tie_word_embeddings": True}
    tied = shape({**outer, "text_config": {**LLAMA, "model_type": "mistral"}})
    assert tied is not None
    assert tied.parameters == found.parameters - 100 * 64


def test_sizes_of_several_towers_in_one_file() -> None:
    sizes = {key: value for key, value in LLAMA.items() if key != "model_type"}
    flat = shape({**sizes, "model_type": "qwen2_vl", "vision_config": {"depth": 32}})
    apart = shape({"model_type": "qwen2_vl", "text_config": sizes})
    assert flat is not None
    assert flat.partial
    assert flat == apart


def test_activations_are_unknown_with_an_encoder() -> None:
    found = shape(SHAPES["mt0-xxl"])
    assert found is not None
    assert (found.layers, found.vocabulary) == (0, 0)


@each(
    ("name", "change"),
    [
        ("lfm2-350m", {"layer_types": None}),
        ("lfm2-350m", {"layer_types": ["conv"]}),
        ("lfm2-350m", {"block_ffn_dim_multiplier": 1.5}),
        ("granite-4.0-h-tiny", {"layer_types": None}),
        ("ling-3.0-flash", {"no_kda_lora": False}),
        ("ling-3.0-flash", {"gated_attention_proj_granularity_type": None}),
        ("ling-3.0-flash", {"moe_shared_expert_intermediate_size": 1}),
        ("glm-4.7-flash", {"mlp_layer_types": ["dense"]}),
        ("glm-4.7-flash", {"moe_layer_freq": 2}),
        ("mt0-xxl", {"feed_forward_proj": None}),
    ],
)
def test_variants_that_are_not_counted(name: str, change: dict[str, Any]) -> None:
    assert shape({**SHAPES[name], **change}) is None


@each("value", [["llama"], {"a": 1}, 5, True, None])
def test_a_type_that_is_no_text_is_not_known(value: object) -> None:
    assert shape({**LLAMA, "model_type": value}) is None
    assert shape({**LLAMA, "model_type": value, "text_config": {"model_type": value}}) is None
