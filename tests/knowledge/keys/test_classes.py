"""The classes whose calls have parameters that are known."""

from __future__ import annotations

import pytest

from cfglint.knowledge.keys.classes import (
    fields_in,
    is_below,
    known_classes,
    other_class,
    parameters_of,
    table_of,
)
from cfglint.roles.framework import load_framework
from tests.draws import each


@each(
    ("name", "expected"),
    [
        # Its parameters are those of others, or it has them from that one.
        ("transformers.TrainingArguments", True),
        ("transformers.Seq2SeqTrainingArguments", True),
        ("trl.SFTConfig", True),
        ("trl.GRPOConfig", True),
        ("peft.LoraConfig", False),
        ("accelerate.Accelerator", False),
        ("trl.ModelConfig", False),
        ("nobody.Knows", False),
    ],
)
def test_what_is_made_from_the_arguments_of_the_trainer(name: str, expected: bool) -> None:
    assert is_below("trl", name) is expected


def test_parameters() -> None:
    above = parameters_of("trl", "transformers.TrainingArguments")
    own = parameters_of("trl", "trl.SFTConfig")
    assert above is not None
    assert own is not None
    assert own[: len(above)] == above
    assert "packing" in own
    assert "packing" not in above
    assert len(set(own)) == len(own)
    assert parameters_of("trl", "nobody.Knows") is None


def test_tables() -> None:
    table = table_of("trl", "trl.SFTConfig")
    inherited, added = table.info("", "learning_rate"), table.info("", "packing")
    assert inherited is not None
    assert added is not None
    above = table_of("trl", "transformers.TrainingArguments")
    assert above.info("", "learning_rate") is not None
    assert above.info("", "packing") is None
    with pytest.raises(KeyError):
        table_of("trl", "nobody.Knows")


def test_names() -> None:
    assert "trl.SFTConfig" in known_classes("trl")
    assert known_classes("nothing") == ()
    assert other_class("trl", "nobody.Knows") is None
    assert other_class("trl", "ModelConfig") == other_class("trl", "trl.ModelConfig")


@each(
    ("release", "there", "not_there"),
    [
        ("0.9.6", {"use_peft", "torch_dtype", "lora_task_type"}, {"use_rslora", "dtype"}),
        ("0.16.0", {"use_rslora", "use_dora", "torch_dtype"}, {"lora_target_parameters"}),
        ("0.27.0", {"use_dora", "lora_target_parameters"}, {"torch_dtype"}),
    ],
)
def test_fields_of_a_release(release: str, there: set[str], not_there: set[str]) -> None:
    keys = load_framework("trl").release_keys(release)
    found = fields_in("trl", "trl.ModelConfig", keys)
    assert there <= found
    assert not found & not_there
    assert fields_in("trl", "nobody.Knows", keys) == frozenset()
