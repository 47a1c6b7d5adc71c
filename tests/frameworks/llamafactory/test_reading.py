"""What LLaMA-Factory makes of a file."""

from __future__ import annotations

import pytest

from cfglint.effective.resolve import Effective, resolve
from cfglint.environment.environment import build_environment
from cfglint.frameworks.llamafactory.framework import LLaMAFactory
from cfglint.reading.base import NotToldError
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText

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


def test_files_of_the_newer_layout_are_not_followed() -> None:
    text = "model: a/b\ntrain_dataset: x.yaml\npeft_config: {name: lora}\noutput_dir: out\n"
    with pytest.raises(NotToldError, match=r"files of LLaMA-Factory \(v1\) yet"):
        made(text)


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
