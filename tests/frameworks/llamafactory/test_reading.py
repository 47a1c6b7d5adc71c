"""What LLaMA-Factory makes of a file."""

from __future__ import annotations

import pytest

from cfglint.answers.resolved.resolve import Effective, resolve
from cfglint.environment.building import build_environment
from cfglint.frameworks.llamafactory.framework import LLaMAFactory
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each

FRAMEWORK = LLaMAFactory()
TRAINING = "model_name_or_path: a/b\ndataset: x, y\noutput_dir: out\ntemplate: qwen\n"
CHAT = "model_name_or_path: a/b\ntemplate: qwen\n"
EVALUATION = CHAT + "task: mmlu_test\nsave_dir: saved\n"


def made(text: str, *pins: str, gpus: int | None = None) -> Effective:
    """What a release makes of a text."""
    target = build_environment(FRAMEWORK.releases, pins=pins or ("llamafactory==0.9.5",), gpus=gpus)
    return resolve(language("omegaconf").read(SourceText(text)), FRAMEWORK, target)


def reason(found: Effective, key: str) -> str | None:
    return next(entry.reason for entry in found.entries if entry.path == (key,))


def test_values_stay_as_they_are_written() -> None:
    found = made(TRAINING + 'learning_rate: "1e-4"\nnum_train_epochs: 3\nno_such_key: 1\n')
    assert found.data["learning_rate"] == "1e-4"
    assert found.data["num_train_epochs"] == 3
    assert found.data["dataset"] == ["x", "y"]
    assert found.dropped == (("no_such_key",),)


def test_defaults_are_those_of_the_package_that_has_them() -> None:
    found = made(TRAINING)
    assert reason(found, "stage") == "default of llamafactory 0.9.5"
    assert reason(found, "adam_beta1") == "default of transformers 5.6.0"
    found = made(TRAINING, "llamafactory==0.9.5", "transformers==4.57.1")
    assert reason(found, "adam_beta1") == "default of transformers 4.57.1"
    assert found.data["save_safetensors"] is True
    assert "save_safetensors" not in made(TRAINING).data


@pytest.mark.parametrize(
    ("text", "has", "lacks"),
    [
        (TRAINING, {"weight_decay", "top_k"}, {"n_shot"}),
        (CHAT, {"top_k"}, {"weight_decay", "n_shot"}),
        (EVALUATION, {"n_shot", "seed"}, {"weight_decay", "top_k"}),
    ],
)
def test_a_command_has_its_classes(text: str, has: set[str], lacks: set[str]) -> None:
    found = made(text).data.keys()
    assert has <= found
    assert lacks.isdisjoint(found)


def test_a_key_belongs_to_the_class_that_has_it_in_the_release() -> None:
    assert "fp8" in made(CHAT, "llamafactory==0.9.4").data
    assert "fp8" not in made(CHAT, "llamafactory==0.9.5").data
    assert "fp8" in made(TRAINING, "llamafactory==0.9.5").data


V1 = "model: a/b\ntrain_dataset: x.yaml\nmicro_batch_size: 3\npeft_config: {name: lora, r: '8'}\n"


def test_values_of_the_v1_layout() -> None:
    found = made(V1 + "lora_rank: 8\nlearning_rate: '1e-4'\n", gpus=1)
    assert found.dropped == (("lora_rank",),)
    assert found.data["learning_rate"] == "1e-4"
    assert found.data["peft_config"] == {"name": "lora", "r": 8}
    assert found.data["template"] == "qwen3_nothink"
    assert reason(found, "template") == "default of llamafactory 0.9.5"
    reasons = {entry.path: entry.reason for entry in found.entries}
    assert reasons["peft_config", "name"] is None
    assert "texts are read" in str(reasons["peft_config", "r"])
    assert "dist_config" not in found.data
    assert "weight_decay" not in found.data


def test_texts_of_sections_are_read_at_any_depth() -> None:
    written = "{name: fsdp2, cp_size: '2', more: {1: {x: 'True'}, rate: '.5', words: ['1', a]}}"
    read = {
        "name": "fsdp2",
        "cp_size": 2,
        "more": {1: {"x": True}, "rate": 0.5, "words": ["1", "a"]},
    }
    assert made(f"{V1}dist_config: {written}\n").data["dist_config"] == read
    as_json = '\'{"name": "fsdp2", "cp_size": "2", "timeout": null}\''
    found = made(f"{V1}dist_config: {as_json}\n")
    assert found.data["dist_config"] == {"name": "fsdp2", "cp_size": 2, "timeout": None}
    assert made(f"{V1}optim_config: muon\n").data["optim_config"] == "muon"


def test_the_v1_layout_differs_by_release() -> None:
    before, after = (
        made("model: a/b\npeft_config: {name: lora}\n", f"llamafactory=={release}")
        for release in ("0.9.4", "0.9.5")
    )
    assert (before.data["bf16"], after.data["bf16"]) == (False, True)
    assert before.data["global_batch_size"] == 1
    assert "global_batch_size" not in after.data
    # What exports an adapter counts no batches.
    assert {one.path for one in after.undecided} == {("output_dir",)}


@each(
    ("text", "gpus", "size"),
    [
        ("", 1, 3),
        ("", 8, 24),
        ("dist_config: {name: fsdp2, cp_size: '2'}\n", 8, 12),
        ("dist_config: {name: fsdp2, cp_size: 2}\n", 1, 3),
        ("dist_config: {name: fsdp2, cp_size: 3}\n", 8, None),
        ("global_batch_size: 6\n", 8, 6),
        ("global_batch_size: null\n", 2, 6),
    ],
)
def test_the_batch_of_the_v1_layout(text: str, gpus: int, size: int | None) -> None:
    found = made(V1 + text, gpus=gpus)
    assert found.data.get("global_batch_size") == size
    assert type(found.data.get("global_batch_size")) is type(size)


def test_what_the_v1_layout_leaves_open() -> None:
    open_ = {one.path[0]: one.needs for one in made(V1).undecided}
    assert open_ == {"output_dir": ("chance",), "global_batch_size": ("gpus",)}
    assert made(V1 + "output_dir: out\nglobal_batch_size: 6\n").undecided == ()
    assert made(V1 + "output_dir: null\n", gpus=1).undecided == ()


def test_what_the_machine_decides() -> None:
    open_ = {one.path[0]: one.needs for one in made(TRAINING).undecided}
    assert open_ == {
        "ddp_find_unused_parameters": ("gpus",),
        "optim": ("torch",),
    }
    assert made(TRAINING, gpus=8).data["ddp_find_unused_parameters"] is False
    assert "ddp_find_unused_parameters" not in made(TRAINING, gpus=1).data
    found = made(TRAINING + "do_train: true\n", "llamafactory==0.9.3", gpus=1)
    assert {one.path[0]: one.needs for one in found.undecided} == {
        "local_rank": ("rank",),
        "logging_dir": ("clock",),
        "report_to": ("loggers",),
        "resume_from_checkpoint": ("output",),
    }
