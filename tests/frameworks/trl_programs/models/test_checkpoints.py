"""Adapters on models that recompute, as transformers before 5.0, TRL and PEFT treat them."""

from __future__ import annotations

import pytest

from cfglint import Linter
from tests.draws import each

PROGRAM = """\
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM
from trl import SFTConfig, SFTTrainer

model = AutoModelForCausalLM.from_pretrained("facebook/opt-125m")
model = get_peft_model(model, LoraConfig(r=8))
args = SFTConfig(output_dir="out", gradient_checkpointing=True)
SFTTrainer(model=model, args=args).train()
"""
KEPT = 'gradient_checkpointing=True, gradient_checkpointing_kwargs={"use_reentrant": True}'


def found(text: str, *target: str) -> list[str]:
    linter = Linter(target=["trl==0.19.1", *target], settings=False, select=["TRP652"])
    return [f"{one.code} {one.start.line}" for one in linter.lint(text, "train.py").diagnostics]


@pytest.mark.parametrize(
    ("release", "fails"), [("4.36.2", True), ("4.57.1", True), ("5.0.0", False)]
)
def test_until_transformers_sees_to_it(release: str, fails: bool) -> None:
    assert found(PROGRAM, f"transformers=={release}") == (["TRP652 7"] if fails else [])


@each(
    ("old", "new"),
    [
        ("args = SF", "model.enable_input_require_grads()\nargs = SF"),
        ("model = get", "model = prepare_model_for_kbit_training(model)\nmodel = get"),
        ("model = get", "model.gradient_checkpointing_enable()\nmodel = get"),
        ("ing=True", "ing=flag"),
        ("ing=True", 'ing=True, gradient_checkpointing_kwargs={"use_reentrant": False}'),
        ("ing=True", "ing=True, gradient_checkpointing_kwargs=options"),
        ("r=8", 'r=8, modules_to_save=["lm_head"]'),
        ("r=8", 'task_type="SEQ_CLS"'),
        ("LoraConfig(r=8)", "config"),
        (", LoraConfig(r=8))", ")"),
        ("Trainer(model=model", "Trainer(model=other"),
        ("args = SF", "ready(model)\nargs = SF"),
    ],
)
def test_what_may_have_gradients(old: str, new: str) -> None:
    assert not found(PROGRAM.replace(old, new), "transformers==4.57.1")


@each(
    ("old", "new"),
    [
        ("model, LoraConfig(r=8)", "model, peft_config=LoraConfig(r=8)"),
        ("args = SF", "print(model)\nargs = SF"),
        ("SFTTrainer(model=model, args=args)", "SFTTrainer(model, args=args)"),
        ("model = get", "other = get_peft_model(base)\nmodel = get"),
    ],
)
def test_other_ways_to_write_it(old: str, new: str) -> None:
    assert found(PROGRAM.replace(old, new), "transformers==4.57.1")


def test_a_reentrance_that_is_written() -> None:
    text = PROGRAM.replace("gradient_checkpointing=True", KEPT)
    assert found(text, "transformers==4.57.1") == ["TRP652 7"]


def test_other_trainers_are_seen_to_elsewhere() -> None:
    text = PROGRAM.replace("SFTTrainer", "Trainer").replace(
        "from trl import SFTConfig, Trainer",
        "from trl import SFTConfig\nfrom transformers import Trainer",
    )
    assert not found(text, "transformers==4.57.1")
