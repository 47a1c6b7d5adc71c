"""Objects that a trainer refuses."""

from __future__ import annotations

import pytest

from cfglint import Linter


def found(text: str, *target: str) -> list[str]:
    codes = ["TRP719", "TRP720", "TRP722", "TRP723", "TRP726", "TRP727"]
    result = Linter(target=list(target), settings=False, select=codes).lint(text, "train.py")
    return [one.code for one in result.diagnostics]


STOPS = """\
from transformers import EarlyStoppingCallback, Trainer, TrainingArguments
args = TrainingArguments(output_dir="out"{})
{}
Trainer(model=model, args=args, train_dataset=rows, callbacks=[EarlyStoppingCallback(3)])
"""


def test_what_stops_needs_a_metric() -> None:
    assert found(STOPS.format(', eval_strategy="epoch"', "")) == ["TRP723"]
    assert not found(STOPS.format(', metric_for_best_model="loss"', ""))
    assert not found(STOPS.format("", 'args.metric_for_best_model = "loss"'))
    assert not found(STOPS.format(", **options", ""))


def test_a_patched_trainer_is_left_alone() -> None:
    text = STOPS.format("", "")
    assert found(text)
    assert not found("import unsloth\n" + text)


@pytest.mark.parametrize(
    ("model", "codes"),
    [
        ('AutoModel.from_pretrained("a/b")', ["TRP722"]),
        ('AutoModel.from_pretrained("a/b").to("cuda")', ["TRP722"]),
        ('AutoModel.from_pretrained("a/b", trust_remote_code=True)', []),
        ('AutoModelForCausalLM.from_pretrained("a/b")', []),
    ],
)
def test_a_model_without_a_head(model: str, codes: list[str]) -> None:
    head = "from transformers import AutoModel, AutoModelForCausalLM, Trainer, TrainingArguments\n"
    call = "Trainer(model=model, args=TrainingArguments(output_dir='out'), train_dataset=rows)\n"
    assert found(f"{head}model = {model}\n{call}") == codes


def test_the_release_decides_whether_packed_answers_are_refused() -> None:
    text = """\
from trl import DataCollatorForCompletionOnlyLM, SFTTrainer
collator = DataCollatorForCompletionOnlyLM("A:", tokenizer=tokenizer)
SFTTrainer(model="a/b", train_dataset=rows, packing=True, data_collator=collator)
"""
    assert found(text, "trl==0.12.2") == ["TRP726"]
    assert not found(text, "trl==0.15.2")
    assert not found(text.replace("True", "False"), "trl==0.12.2")
