"""Facts that a model's own files tell: beside the config, or in the hub's cache."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cfglint
from cfglint.files.disk import Disk
from cfglint.files.model import facts
from cfglint.rules.knowledge import load_knowledge
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


def test_a_folder_beside_the_config(repo: Path) -> None:
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
def test_broken_configs_tell_nothing(repo: Path, config: str) -> None:
    model(repo / "m", config)
    assert of(repo) is None


def test_the_hub_cache(repo: Path, tmp_path: Path) -> None:
    cached(tmp_path, "org/name")
    found = of(repo, "org/name")
    assert found is not None
    assert found["context"] == 1024
    assert of(repo, "org/name", "abc123") == found
    for revision in ("other", "../..", "..", 3, "a/b"):
        assert of(repo, "org/name", revision) is None
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


def test_how_the_weights_are_quantised(repo: Path) -> None:
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
    from cfglint.engine.scope import FileScope
    from cfglint.environment.environment import build_environment
    from cfglint.environment.surroundings import Memory, Surroundings
    from cfglint.frameworks.axolotl.framework import Axolotl
    from cfglint.logic import UNKNOWN
    from cfglint.source.languages.yaml import compose
    from cfglint.source.text import SourceText

    framework = Axolotl()
    document = compose(SourceText("base_model: ./Llama-3.1-8B"))
    target = build_environment(framework.releases)
    around = Surroundings(Memory(), Disk(), folder=str(repo))
    assert FileScope(document, framework, target, around).fact("model.family") == "llama3.1"
    model(repo / "Llama-3.1-8B")
    scope = FileScope(document, framework, target, Surroundings(Memory(), Disk(), folder=str(repo)))
    assert scope.fact("model.model_type") == "qwen2"
    assert scope.fact("model.family") is UNKNOWN
