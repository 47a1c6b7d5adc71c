"""Adapters on models that recompute, as transformers before 5.0, TRL and PEFT treat them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import Linter
from cfglint.files.disk import Disk

PROGRAM = """\
from peft import LoraConfig, PrefixTuningConfig, get_peft_model
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

model = AutoModelForCausalLM.from_pretrained("facebook/opt-125m")
model = get_peft_model(model, LoraConfig(r=8))
args = TrainingArguments(output_dir="out", gradient_checkpointing=True)
Trainer(model=model, args=args).train()
"""
KEPT = 'gradient_checkpointing=True, gradient_checkpointing_kwargs={"use_reentrant": True}'


def found(text: str, *target: str) -> list[str]:
    linter = Linter(target=list(target), settings=False, select=["TRP652", "TRP656"])
    return [f"{one.code} {one.start.line}" for one in linter.lint(text, "train.py").diagnostics]


@pytest.mark.parametrize(
    ("release", "fails"), [("4.36.2", True), ("4.57.1", True), ("5.0.0", False)]
)
def test_until_transformers_sees_to_it(release: str, fails: bool) -> None:
    assert found(PROGRAM, f"transformers=={release}") == (["TRP652 6"] if fails else [])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("args = Tr", "model.enable_input_require_grads()\nargs = Tr"),
        ("model = get", "model = prepare_model_for_kbit_training(model)\nmodel = get"),
        ("model = get", "model.gradient_checkpointing_enable()\nmodel = get"),
        ("ing=True", "ing=flag"),
        ("ing=True", 'ing=True, gradient_checkpointing_kwargs={"use_reentrant": False}'),
        ("ing=True", "ing=True, gradient_checkpointing_kwargs=options"),
        ("r=8", 'r=8, modules_to_save=["lm_head"]'),
        ("r=8", 'task_type="SEQ_CLS"'),
        ("LoraConfig(r=8)", "config"),
        ("Trainer(model=model", "Trainer(model=other"),
    ],
)
def test_what_may_have_gradients(old: str, new: str) -> None:
    assert not found(PROGRAM.replace(old, new), "transformers==4.57.1")


def test_a_reentrance_that_is_written() -> None:
    text = PROGRAM.replace("gradient_checkpointing=True", KEPT)
    assert found(text, "transformers==4.57.1") == ["TRP652 6"]


def test_a_prefix_is_refused_since_peft_0_14() -> None:
    text = PROGRAM.replace("LoraConfig(r=8)", "PrefixTuningConfig(num_virtual_tokens=8)")
    assert found(text, "transformers==4.57.1", "peft==0.14.0") == ["TRP656 6"]
    assert not found(text, "transformers==4.57.1", "peft==0.13.2")
    assert not found(PROGRAM, "transformers==5.0.0", "peft==0.14.0")


def test_a_range_of_peft_is_not_known(tmp_path: Path) -> None:
    text = PROGRAM.replace("LoraConfig(r=8)", "PrefixTuningConfig(num_virtual_tokens=8)")
    program = tmp_path / "train.py"
    program.write_text(text, encoding="utf-8")
    (tmp_path / "requirements.txt").write_text("peft>=0.14\n", encoding="utf-8")
    linter = Linter(settings=False, select=["TRP656"], files=Disk())
    assert not linter.lint_file(str(program)).diagnostics
