"""What the commands of TRL make of a file."""

from __future__ import annotations

import pytest

from cfglint.answers.resolved.resolve import Effective, resolve
from cfglint.environment.building import build_environment
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.trl.framework import Trl
from cfglint.roles.reading.base import NotDeterminedError
from cfglint.source.text import SourceText

TEXT = "model_name_or_path: a/b\ndataset_name: x/y\noutput_dir: out\n"
FRAMEWORK = Trl()


def made(text: str, *pins: str, command: str = "sft", gpus: int | None = None) -> Effective:
    """What a command of a release makes of a text."""
    target = build_environment(FRAMEWORK.releases, pins=pins or ("trl==1.16.0",), gpus=gpus)
    document = FRAMEWORK.language.read(SourceText(text))
    return resolve(document, FRAMEWORK, target, nowhere().replaced(path=f"{command}/x.yaml"))


def reasons(found: Effective) -> dict[str, str | None]:
    return {str(entry.path[0]): entry.reason for entry in found.entries}


def test_texts_are_converted_and_other_values_are_not() -> None:
    text = 'learning_rate: "1e-5"\npacking: "yes"\nnum_train_epochs: 3\nseed: 7.5\n'
    found = made(TEXT + text)
    data = found.data
    assert (data["learning_rate"], data["packing"]) == (1e-5, True)
    assert (data["num_train_epochs"], data["seed"]) == (3, 7.5)
    assert reasons(found)["learning_rate"] == 'read from "1e-5"'
    assert reasons(found)["num_train_epochs"] is None


def test_a_text_for_a_list_is_converted_as_one_of_its_members() -> None:
    assert made(TEXT + "label_names: a\n").data["label_names"] == "a"


def test_defaults_are_those_of_the_class_that_has_them() -> None:
    found = made(TEXT)
    assert found.data["learning_rate"] == 2e-5
    assert reasons(found)["learning_rate"] == "default of trl 1.16.0"
    assert reasons(found)["weight_decay"] == "default of transformers 5.24.0"
    old = made(TEXT, "trl==0.15.2")
    assert old.data["average_tokens_across_devices"] is False
    assert reasons(old)["average_tokens_across_devices"] == "default of transformers 4.49.0"


def test_the_command_decides_the_classes() -> None:
    assert "packing" in made(TEXT).data
    assert "packing" not in made(TEXT, command="grpo").data
    assert "num_generations" in made(TEXT, command="grpo").data


def test_a_file_of_no_command_is_an_error() -> None:
    with pytest.raises(NotDeterminedError, match="`trl sft --config FILE`"):
        made(TEXT, command="configs")


def test_options_of_the_launcher_are_handed_on() -> None:
    found = made(TEXT + "accelerate_config: zero2\nno_such_key: 1\n")
    assert found.data["accelerate_config"] == "zero2"
    assert reasons(found)["accelerate_config"] == "handed on to the launcher"
    assert found.dropped == (("no_such_key",),)


def test_what_the_number_of_gpus_decides() -> None:
    text = TEXT + "per_device_train_batch_size: 4\ngradient_accumulation_steps: 2\n"
    open_ = {one.path[0]: one.needs for one in made(text, command="grpo").undecided}
    assert open_["generation_batch_size"] == ("gpus",)
    assert made(text, command="grpo", gpus=8).data["generation_batch_size"] == 64
    found = made(text + "generation_batch_size: 96\n", command="grpo", gpus=8)
    assert found.data["steps_per_generation"] == 3
    assert type(found.data["steps_per_generation"]) is int
