"""Facts from a model's own files: next to the config, or in the hub's cache."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cfglint
from cfglint.checks.context import CheckContext
from cfglint.knowledge.rules.knowledge import load_knowledge
from cfglint.source.files.disk import Disk
from cfglint.source.files.model import facts
from tests.cli.files import CLEAN

CONFIG = {"model_type": "qwen2", "max_position_embeddings": 1024, "num_hidden_layers": 4}
KNOWLEDGE = load_knowledge("axolotl")


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    return tmp_path / "repo"


def model(folder: Path, config: object = CONFIG, **files: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in {"config": config, **files}.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / f"{name}.json").write_text(text)
    return folder


def cached(tmp_path: Path, name: str, config: object = CONFIG) -> Path:
    top = tmp_path / "hub" / ("models--" + name.replace("/", "--"))
    (top / "refs").mkdir(parents=True)
    (top / "refs" / "main").write_text("abc123")
    (top / "blobs").mkdir()
    (top / "blobs" / "1").write_text(json.dumps(config))
    snapshot = top / "snapshots" / "abc123"
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").symlink_to("../../blobs/1")
    return snapshot


def of(repo: Path, base_model: str = "./m", revision: object = None) -> dict[str, Any] | None:
    return facts(base_model, str(repo), KNOWLEDGE.models_of_type, Disk(), revision)


def test_a_folder_next_to_the_config(repo: Path) -> None:
    model(repo / "m")
    assert of(repo) == {
        "model_type": "qwen2",
        "context": 1024,
        "layers": 4,
        "decoder_layer": ["Qwen2DecoderLayer"],
        "moe": False,
    }
    assert of(repo, "m") == of(repo)
    assert of(repo, str(repo / "m")) == of(repo)
    assert of(repo, "./other") is None
    assert of(repo, "org/name") is None


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"num_experts": 64}, {"moe": True, "experts": 64}),
        ({"num_local_experts": 1}, {"moe": False}),
        ({"auto_map": {"AutoModelForCausalLM": "a.B"}}, {"remote_code": True}),
        ({"auto_map": {"AutoConfig": "a.B"}}, {"remote_code": False}),
        ({"auto_map": ["AutoModelForCausalLM"]}, {"remote_code": None}),
        ({"rope_scaling": {"type": "yarn", "factor": 4.0}}, {"context": 4096}),
        (
            {"rope_scaling": {"factor": 8, "original_max_position_embeddings": 100}},
            {"context": 1024},
        ),
        ({"rope_scaling": {"a": 1, "b": 2, "c": 3}}, {"context": None}),
        ({"max_position_embeddings": "many"}, {"context": None}),
        ({"max_position_embeddings": True}, {"context": None}),
        ({"max_position_embeddings": -1}, {"context": None}),
        (
            {"max_position_embeddings": None, "text_config": {"max_position_embeddings": 77}},
            {"context": 77},
        ),
        ({"model_type": "of_my_own"}, {"model_type": "of_my_own", "decoder_layer": None}),
    ],
)
def test_what_a_config_states(repo: Path, config: dict[str, Any], expected: dict[str, Any]) -> None:
    model(repo / "m", {**CONFIG, **config})
    found = of(repo)
    assert found is not None
    assert {key: found.get(key) for key in expected} == expected


@pytest.mark.parametrize(
    "config",
    ["", "{", "[]", "null", "{}", '{"model_type": 1}', "[" * 100_000, "\x00", '{"model_type": ""}'],
)
def test_broken_configs_give_no_facts(repo: Path, config: str) -> None:
    model(repo / "m", config)
    assert of(repo) is None


def test_the_hub_cache(repo: Path, tmp_path: Path) -> None:
    cached(tmp_path, "org/name")
    found = of(repo, "org/name")
    assert found is not None
    assert found["context"] == 1024
    assert of(repo, "org/name", "abc123") == found
    # A revision is a plain name, whatever lies in the cache.
    refs = tmp_path / "hub" / "models--org--name" / "refs"
    (refs / "a").mkdir()
    for revision in ("a/b", "v" * 81):
        (refs / revision).write_text("abc123")
    wrong: tuple[str | int, ...] = ("other", "../..", "..", 3, "a/b", "v" * 81)
    for other in wrong:
        assert of(repo, "org/name", other) is None
    for name in ("org/../name", "..", "org/other", "a/b/c", "org\\name"):
        assert of(repo, name) is None


def test_links_lead_nowhere_else(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text(json.dumps(CONFIG))
    (repo / "m").mkdir()
    (repo / "m" / "config.json").symlink_to(tmp_path / "secret.json")
    assert of(repo) is None
    snapshot = cached(tmp_path, "org/name")
    (snapshot / "config.json").unlink()
    (snapshot / "config.json").symlink_to(tmp_path / "secret.json")
    assert of(repo, "org/name") is None


def test_the_template_of_a_tokenizer(repo: Path) -> None:
    model(repo / "m")
    assert "has_template" not in (of(repo) or {})
    model(repo / "m", tokenizer_config={"eos_token": "x"})
    assert (of(repo) or {})["has_template"] is False
    model(repo / "m", tokenizer_config={"chat_template": [{"name": "default", "template": "x"}]})
    assert (of(repo) or {})["has_template"] is True
    model(repo / "m", tokenizer_config={})
    (repo / "m" / "chat_template.jinja").write_text("x")
    assert (of(repo) or {})["has_template"] is True


def test_how_the_weights_are_quantized(repo: Path) -> None:
    model(repo / "m")
    assert "quant_method" not in (of(repo) or {})
    stated = {"quant_method": "ModelOpt", "quant_algo": "nvfp4", "config_groups": {"a": {}}}
    model(repo / "m", CONFIG | {"quantization_config": stated})
    found = of(repo) or {}
    assert (found["quant_method"], found["quant_algo"]) == ("modelopt", "NVFP4")
    assert found["quant_groups"] is True
    wrong: dict[str, Any] = {"quant_method": 4, "quant_algo": ["NVFP4"]}
    odd: Any
    for odd in ([], "x", wrong, {"quant_method": "x" * 99}):
        model(repo / "m", CONFIG | {"quantization_config": odd})
        assert not {"quant_method", "quant_algo"} & set(of(repo) or {})


def codes(repo: Path, text: str, select: str) -> list[str]:
    (repo / "train.yml").write_text(text)
    report = cfglint.lint_file(repo / "train.yml", select=[select])
    return [found.code for found in report.diagnostics]


def test_rules_ask_the_files_first(repo: Path, tmp_path: Path) -> None:
    text = CLEAN.replace("NousResearch/Llama-3.2-1B", "./m")
    rule = "sequence-beyond-the-context"
    assert codes(repo, text, rule) == []
    model(repo / "m")
    (code,) = codes(repo, text, rule)
    assert codes(repo, text.replace("./m", "NousResearch/Llama-3.2-1B"), rule) == []
    cached(tmp_path, "NousResearch/Llama-3.2-1B")
    assert codes(repo, text.replace("./m", "NousResearch/Llama-3.2-1B"), rule) == [code]
    # Where the configuration comes from another place, the model's own says nothing.
    assert codes(repo, text + "base_model_config: org/other\n", rule) == []


def test_a_folder_may_have_the_name_of_another_model(repo: Path) -> None:
    from cfglint.base.logic import UNKNOWN
    from cfglint.engine.scope import FileScope
    from cfglint.environment.building import build_environment
    from cfglint.environment.surroundings import Memory, Surroundings
    from cfglint.frameworks.axolotl.framework import Axolotl
    from cfglint.source.languages.yaml import compose
    from cfglint.source.text import SourceText

    framework = Axolotl()
    document = compose(SourceText("base_model: ./Llama-3.1-8B"))
    target = build_environment(framework.releases)
    around = Surroundings(Memory(), Disk(), folder=str(repo))
    scope = FileScope(CheckContext(document, framework, target, around))
    assert scope.fact("model.family") == "llama3.1"
    model(repo / "Llama-3.1-8B")
    again = Surroundings(Memory(), Disk(), folder=str(repo))
    scope = FileScope(CheckContext(document, framework, target, again))
    assert scope.fact("model.model_type") == "qwen2"
    assert scope.fact("model.family") is UNKNOWN


#: What is known of all models of a type.
ALIKE: dict[str, list[dict[str, Any]]] = {
    "one": [{"moe": False, "decoder_layer": ["A"]}],
    "two": [{"moe": False, "decoder_layer": ["A"]}, {"moe": True, "decoder_layer": ["B"]}],
    "none": [{"decoder_layer": None}],
    "new": [{"transformers": "4.51.0"}, {"transformers": "4.51.0"}],
    "grown": [{"transformers": "4.51.0"}, {"transformers": None}],
}
#: `config.json`, other files, and what they say together.
FACTS: list[tuple[Any, dict[str, str], dict[str, Any] | None]] = [
    ({"model_type": "x"}, {}, {"model_type": "x"}),
    ({"model_type": "one"}, {}, {"model_type": "one", "decoder_layer": ["A"], "moe": False}),
    ({"model_type": "two"}, {}, {"model_type": "two"}),
    ({"model_type": "none"}, {}, {"model_type": "none"}),
    ({"model_type": "new"}, {}, {"model_type": "new", "transformers": "4.51.0"}),
    # With code of its own, a repository needs no class of transformers'.
    (
        {"model_type": "new", "auto_map": {"AutoModelForCausalLM": "m.M"}},
        {},
        {"model_type": "new", "remote_code": True},
    ),
    ({"model_type": "grown"}, {}, {"model_type": "grown"}),
    ({"model_type": ""}, {}, None),
    (
        {
            "model_type": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        },
        {},
        None,
    ),
    ({"model_type": 3}, {}, None),
    ([], {}, None),
    ({"model_type": "x", "num_experts": 1}, {}, {"model_type": "x", "experts": 1, "moe": False}),
    ({"model_type": "x", "num_experts": 2}, {}, {"model_type": "x", "experts": 2, "moe": True}),
    (
        {"model_type": "x", "num_local_experts": 8},
        {},
        {"model_type": "x", "experts": 8, "moe": True},
    ),
    (
        {"model_type": "one", "num_experts": 8},
        {},
        {"model_type": "one", "experts": 8, "decoder_layer": ["A"], "moe": True},
    ),
    ({"model_type": "x", "n_routed_experts": 0}, {}, {"model_type": "x"}),
    (
        {"model_type": "x", "max_position_embeddings": 1024},
        {},
        {"model_type": "x", "context": 1024},
    ),
    ({"model_type": "x", "n_positions": True}, {}, {"model_type": "x"}),
    ({"model_type": "x", "max_seq_len": 1099511627776}, {}, {"model_type": "x"}),
    (
        {"model_type": "x", "max_seq_len": 1099511627775},
        {},
        {"model_type": "x", "context": 1099511627775},
    ),
    (
        {
            "model_type": "x",
            "text_config": {"max_position_embeddings": 2048, "num_hidden_layers": 2},
        },
        {},
        {"model_type": "x", "context": 2048, "layers": 2},
    ),
    (
        {
            "model_type": "x",
            "max_position_embeddings": 10,
            "text_config": {"max_position_embeddings": 2048},
        },
        {},
        {"model_type": "x", "context": 10},
    ),
    ({"model_type": "x", "text_config": 3, "n_layer": 4}, {}, {"model_type": "x", "layers": 4}),
    (
        {"model_type": "x", "max_position_embeddings": 1000, "rope_scaling": {"factor": 2}},
        {},
        {"model_type": "x", "context": 2000},
    ),
    (
        {
            "model_type": "x",
            "max_position_embeddings": 1000,
            "rope_scaling": {"factor": 2.5, "original_max_position_embeddings": 800},
        },
        {},
        {"model_type": "x", "context": 2000},
    ),
    (
        {"model_type": "x", "max_position_embeddings": 1000, "rope_scaling": {"factor": 1}},
        {},
        {"model_type": "x", "context": 1000},
    ),
    (
        {"model_type": "x", "max_position_embeddings": 1000, "rope_scaling": {"factor": 1000}},
        {},
        {"model_type": "x", "context": 1000000},
    ),
    (
        {
            "model_type": "x",
            "max_position_embeddings": 1000,
            "rope_scaling": {"factor": 1001, "a": 1},
        },
        {},
        {"model_type": "x", "context": 1000},
    ),
    (
        {
            "model_type": "x",
            "max_position_embeddings": 1000,
            "rope_scaling": {"factor": 1001, "a": 1, "b": 2},
        },
        {},
        {"model_type": "x"},
    ),
    (
        {
            "model_type": "x",
            "max_position_embeddings": 1000,
            "rope_scaling": {"a": 1, "b": 2, "short_factor": [1]},
        },
        {},
        {"model_type": "x", "context": 1000},
    ),
    (
        {"model_type": "x", "max_position_embeddings": 1000, "rope_parameters": {"factor": 4}},
        {},
        {"model_type": "x", "context": 4000},
    ),
    (
        {"model_type": "x", "max_position_embeddings": 1000, "rope_scaling": None},
        {},
        {"model_type": "x", "context": 1000},
    ),
    (
        {
            "model_type": "x",
            "max_position_embeddings": 1000,
            "rope_scaling": {"factor": 2, "original_max_position_embeddings": 100},
        },
        {},
        {"model_type": "x", "context": 1000},
    ),
    (
        {"model_type": "x", "quantization_config": {"quant_method": "GPTQ"}},
        {},
        {"model_type": "x", "quant_groups": False, "quant_method": "gptq"},
    ),
    (
        {
            "model_type": "x",
            "quantization_config": {"quant_algo": "fp8", "config_groups": {"a": 1}},
        },
        {},
        {"model_type": "x", "quant_groups": True, "quant_algo": "FP8"},
    ),
    ({"model_type": "x", "quantization_config": 3}, {}, {"model_type": "x"}),
    (
        {"model_type": "x", "auto_map": {"AutoModelForCausalLM": "x"}},
        {},
        {"model_type": "x", "remote_code": True},
    ),
    (
        {"model_type": "x", "auto_map": {"AutoConfig": "x"}},
        {},
        {"model_type": "x", "remote_code": False},
    ),
    ({"model_type": "x", "auto_map": 3}, {}, {"model_type": "x"}),
    ({"model_type": "x"}, {"chat_template.jinja": "x"}, {"model_type": "x", "has_template": True}),
    ({"model_type": "x"}, {"chat_template.json": "x"}, {"model_type": "x", "has_template": True}),
    ({"model_type": "x"}, {"processor_config.json": "{}"}, {"model_type": "x"}),
    (
        {"model_type": "x"},
        {"tekken.json": "{}", "tokenizer_config.json": '{"chat_template": "x"}'},
        {"model_type": "x"},
    ),
    (
        {"model_type": "x"},
        {"tokenizer_config.json": '{"chat_template": "x"}'},
        {"model_type": "x", "has_template": True},
    ),
    (
        {"model_type": "x"},
        {"tokenizer_config.json": '{"chat_template": ""}'},
        {"model_type": "x", "has_template": False},
    ),
    ({"model_type": "x"}, {"tokenizer_config.json": "[]"}, {"model_type": "x"}),
    ({"model_type": "x"}, {"tokenizer_config.json": "{"}, {"model_type": "x"}),
]


@pytest.mark.parametrize(("config", "files", "expected"), FACTS)
def test_facts(
    repo: Path, config: Any, files: dict[str, str], expected: dict[str, Any] | None
) -> None:
    home = model(repo / "m", config)
    for name, text in files.items():
        (home / name).write_text(text)
    assert facts("./m", str(repo), lambda kind: ALIKE.get(kind, []), Disk()) == expected


@pytest.mark.parametrize(("length", "accepted"), [(80, True), (81, False)])
def test_names_have_a_limit(repo: Path, length: int, accepted: bool) -> None:
    model(repo / "m", {"model_type": "x" * length})
    assert (of(repo) is not None) is accepted
    names = {"quant_method": "m" * length, "quant_algo": "A" * length}
    model(repo / "m", {"model_type": "x", "quantization_config": names})
    found = of(repo) or {}
    assert {name: value for name, value in found.items() if name in names} == (
        names if accepted else {}
    )
