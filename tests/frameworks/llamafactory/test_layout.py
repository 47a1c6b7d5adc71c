"""The v1 layout: which files are in it, and that they are judged by its own keys and rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.frameworks.for_files import for_document
from cfglint.roles.framework import load_framework
from cfglint.source.files.disk import Disk
from cfglint.source.text import SourceText
from tests.cli.running import run
from tests.linting import environment, lint

LLAMA_FACTORY = load_framework("llamafactory")
V1 = (
    "model: Qwen/Qwen3-0.6B\ntemplate: qwen3\ndist_config:\n  name: fsdp2\n"
    "train_dataset: data/tickets.yaml\nmicro_batch_size: 1\nmax_steps: 10\n"
)
V0 = (
    "model_name_or_path: Qwen/Qwen2-7B\nstage: sft\ndo_train: true\nfinetuning_type: lora\n"
    "dataset: tickets\ntemplate: qwen\noutput_dir: out\n"
)


def said(text: str, release: str = "0.9.5", **more: Any) -> list[tuple[str, str]]:
    """Code and message of each finding."""
    found = lint(text, target=[f"llamafactory=={release}"], framework="llamafactory", **more)
    return [(one.code, one.message) for one in found]


def codes(text: str, release: str = "0.9.5") -> list[str]:
    return [code for code, _ in said(text, release)]


def test_each_layout_has_its_own_keys() -> None:
    assert codes(V1) == []
    assert codes(V0) == []
    assert codes(V1 + "lora_rank: 8\n") == ["KEY002"]
    assert codes(V0 + "micro_batch_size: 1\n") == ["KEY002"]
    [(_, message)] = said(V1 + "per_device_eval_batch_size: 1\n")
    assert "`per_device_eval_batch_size`" in message
    assert "refuses the file" in message


def test_a_key_of_the_older_layout_among_those_of_v1_is_named_as_that() -> None:
    [(code, message)] = said(V1 + "stage: sft\n")
    assert code == "KEY002"
    assert "is a key of the older layout" in message
    assert "`llamafactory-cli sft`" in message


def test_a_section_for_a_plugin_is_a_mapping_with_a_name() -> None:
    assert codes(V1 + "peft_config: lora\n") == ["TYP001"]
    assert codes(V1 + "peft_config: {r: 8}\n") == ["TYP004"]
    assert codes(V1 + "peft_config: {name: dora}\n") == ["TYP002"]
    assert codes(V1 + "peft_config: {name: lora, rank: 8}\n") == ["KEY001"]
    assert codes(V1 + "peft_config: {name: lora, r: 8}\n") == []
    assert codes(V1 + 'peft_config: \'{"name": "lora"}\'\n') == []
    assert codes(V1 + "micro_batch_size: '{'\n") != []


def test_rules_of_the_older_layout_do_not_speak() -> None:
    # LLF rules about these keys would fire on the older layout.
    text = V1 + "learning_rate: 0.5\neval_dataset: null\nwarmup_steps: -1\n"
    assert {code[:3] for code in codes(text)} == {"KEY"}


@pytest.mark.parametrize(("release", "found"), [("0.9.3", "LFV001"), ("0.9.4", "LFV002")])
def test_older_releases_have_no_such_training(release: str, found: str) -> None:
    assert found in codes(V1, release)
    assert codes(V1, "0.9.3") == ["LFV001"]


def test_a_file_of_the_layout_is_recognized(tmp_path: Path) -> None:
    merging = "model: m\npeft_config: {name: lora, adapter_name_or_path: a, export_dir: out}\n"
    other = "model: gpt\npeft_config: {name: lora}\n"
    for name, text in {"a.yaml": V1, "b.yaml": merging, "c.yaml": other, "d.yaml": V0}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    out = run("--format", "json", "--isolated", str(tmp_path)).out
    assert [name for name in ("a", "b", "c", "d") if f"{name}.yaml" in out] == ["a", "b", "d"]


@pytest.mark.parametrize("line", ["_target_: models.Qwen\n", "num_hidden_layers: 40\n"])
def test_files_of_other_programs_with_its_words_are_left_alone(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.yaml").write_text(V0, encoding="utf-8")
    (tmp_path / "b.yaml").write_text(V0 + line, encoding="utf-8")
    out = run("--format", "json", "--isolated", str(tmp_path)).out
    assert [name for name in ("a", "b") if f"{name}.yaml" in out] == ["a"]


@pytest.mark.parametrize(
    ("line", "is_v1"),
    [
        ("llamafactory-cli train config.yaml", False),
        ("USE_V1=0 llamafactory-cli train config.yaml", False),
        ("USE_V1=1 llamafactory-cli train config.yaml", True),
        ("llamafactory-cli sft config.yaml", True),
    ],
)
def test_the_line_that_starts_a_file_decides(tmp_path: Path, line: str, is_v1: bool) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(V0, encoding="utf-8")
    (tmp_path / "run.sh").write_text(f"{line}\n", encoding="utf-8")
    found = run("--format", "concise", str(config)).out
    assert ("is a key of the older layout" in found) is is_v1


def test_files_of_the_layout_name_no_other(tmp_path: Path) -> None:
    around = Surroundings(Memory(), Disk(), folder=str(tmp_path))
    (tmp_path / "ds.json").write_text("{}", encoding="utf-8")
    document = LLAMA_FACTORY.language.read(SourceText(V1 + "deepspeed: ds.json\n"))
    framework = for_document(LLAMA_FACTORY, document, around)
    assert framework is not LLAMA_FACTORY
    assert framework is for_document(LLAMA_FACTORY, document, around)
    assert for_document(framework, document, around) is framework
    assert list(framework.readings.references(document, around)) == []
    assert (
        framework.readings.planner(document, environment(framework="llamafactory"), around) is None
    )


def test_neither_layout_is_read_from_a_json_file_by_095(tmp_path: Path) -> None:
    for name, text in {
        "v0": '{"model_name_or_path": "m", "stage": "sft", "template": "qwen", "dataset": "d"}',
        "v1": '{"model": "m", "train_dataset": "d.yaml", "dist_config": {"name": "fsdp2"}}',
    }.items():
        config = tmp_path / f"{name}.json"
        config.write_text(text, encoding="utf-8")
        said = run("--format", "concise", "--target", "llamafactory==0.9.5", str(config)).out
        assert "LLF170" in said, name
        said = run("--format", "concise", "--target", "llamafactory==0.9.4", str(config)).out
        assert "LLF170" not in said, name
        assert ("LFV018" in said) is (name == "v1")


def test_what_only_the_older_layout_has_is_reported(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(V1, encoding="utf-8")
    ended = run("fit", str(config))
    assert ended.code == 2
    assert "does not support files of LLaMA-Factory" in ended.err


def test_effective_prints_the_settings_of_a_release(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(V1, encoding="utf-8")
    ended = run("effective", str(config), "--target", "llamafactory==0.9.5", "--gpus", "2")
    assert ended.code == 0
    assert "global_batch_size: 2  # a micro batch on each GPU" in ended.out
    assert "output_dir: depends on what is drawn at random" in ended.out
    compared = run("effective", str(config), "--compare", *(f"llamafactory==0.9.{n}" for n in "45"))
    assert "- bf16: false  # default of llamafactory 0.9.4" in compared.out


@pytest.mark.parametrize(
    ("line", "release", "severity"),
    [
        ("", "0.9.2", "error"),  # reads no `key=value`
        ("", "0.9.5", "warning"),
        ("llamafactory-cli train config.yaml", "0.9.5", "error"),
        ("llamafactory-cli train config.yaml model_name_or_path=Qwen/Qwen2-7B", "0.9.5", None),
    ],
)
def test_a_model_may_be_named_where_a_file_is_started(
    tmp_path: Path, line: str, release: str, severity: str | None
) -> None:
    (tmp_path / ".git").mkdir()
    if line:
        (tmp_path / "run.sh").write_text(line + "\n", encoding="utf-8")
    text = "\n".join(row for row in V0.splitlines() if not row.startswith("model_name"))
    (tmp_path / "config.yaml").write_text(text + "\n", encoding="utf-8")
    options = ("--format", "json", "--target", f"llamafactory=={release}")
    found = json.loads(run(*options, str(tmp_path / "config.yaml")).out)["files"][0]["diagnostics"]
    told = [row["severity"] for row in found if row["code"] == "TYP004"]
    assert told == ([severity] if severity else [])
