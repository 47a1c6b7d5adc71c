"""Objects that a trainer refuses."""

from __future__ import annotations

import pytest

from cfglint import Linter
from tests.draws import each


def found(text: str, *target: str) -> list[str]:
    codes = ["TRP719", "TRP720", "TRP722", "TRP723", "TRP726", "TRP727", "TRP888", "TRP889"]
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
    assert not found(STOPS.format(', lr_scheduler_type="reduce_lr_on_plateau"', ""))
    own = STOPS.format("", "").replace(
        ", TrainingArguments", "\nfrom mine import TrainingArguments"
    )
    assert not found(own)


def test_a_patched_trainer_is_left_alone() -> None:
    text = STOPS.format("", "")
    assert found(text)
    assert not found("import unsloth\n" + text)


@each(
    ("model", "codes"),
    [
        ('AutoModel.from_pretrained("Qwen/Qwen3-0.6B")', ["TRP722"]),
        ('AutoModel.from_pretrained("Qwen/Qwen3-0.6B").to("cuda")', ["TRP722"]),
        ('AutoModel.from_pretrained("Qwen/Qwen3-0.6B", trust_remote_code=True)', []),
        ('AutoModel.from_pretrained("Qwen/Qwen3-0.6B", **options)', []),
        ('AutoModel.from_pretrained("openai/clip-vit-base-patch32")', []),
        ('AutoModelForCausalLM.from_pretrained("Qwen/Qwen3-0.6B")', []),
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
    assert not found(f"{text}args.packing = False\n", "trl==0.12.2")


@pytest.mark.parametrize(
    ("made", "codes"),
    [
        ('AutoModelForCausalLM.from_pretrained("a/b")', ["TRP719"]),
        # Two models are loaded by one name.
        ('"a/b"', []),
        ("os.environ.get('MODEL')", []),
    ],
)
def test_the_model_as_its_own_reference(made: str, codes: list[str]) -> None:
    text = f"""\
import os
from transformers import AutoModelForCausalLM
from trl import DPOTrainer
model = {made}
DPOTrainer(model=model, ref_model=model, train_dataset=rows)
"""
    assert found(text, "trl==0.24.0") == codes


@each(
    ("shape", "codes"),
    [("lambda row: row['a']", ["TRP720"]), ("None", []), ("options.shape", []), ("shape", [])],
)
def test_a_formatter_beside_completions(shape: str, codes: list[str]) -> None:
    text = f"""\
from trl import SFTConfig, SFTTrainer
config = SFTConfig(completion_only_loss=True)
def train(options, shape=None):
    SFTTrainer(model="a/b", args=config, train_dataset=rows, formatting_func={shape})
"""
    assert found(text, "trl==0.24.0") == codes
    assert not found(text + "config.completion_only_loss = False\n", "trl==0.24.0")


@each(
    ("given", "codes"),
    [
        ('"Qwen/Qwen3-0.6B"', ["TRP727"]),
        ('"meta-llama/Llama-3.1-8B-Instruct"', ["TRP727"]),
        ('"Qwen/Qwen3-0.6B", id2label=names', []),
        ('"Qwen/Qwen2.5-Math-RM-72B"', []),
        ('"out/Qwen3-0.6B"', []),
    ],
)
def test_a_reward_of_two_numbers(given: str, codes: list[str]) -> None:
    text = f"""\
from transformers import AutoModelForSequenceClassification
from trl import RewardConfig, RewardTrainer
model = AutoModelForSequenceClassification.from_pretrained({given})
RewardTrainer(model=model, args=RewardConfig(output_dir="out"), train_dataset=rows)
"""
    assert found(text, "trl==1.9.0") == codes


HALF = """\
import torch
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments
model = AutoModelForCausalLM.from_pretrained("Qwen/Qwen3-0.6B", {dtype})
args = TrainingArguments(output_dir="out", {options})
Trainer(model=model, args=args, train_dataset=rows).train()
"""


@each(
    ("dtype", "options", "codes"),
    [
        ("torch_dtype=torch.float16", "fp16=True", ["TRP888"]),
        ("dtype=torch.half", "fp16=True", ["TRP888"]),
        ("torch_dtype=torch.bfloat16", "fp16=True", []),
        ("torch_dtype=torch.float16", "bf16=True", []),
        ("torch_dtype=torch.float16", "fp16=half", []),
        ("torch_dtype=torch.float16", 'fp16=True, deepspeed="ds.json"', []),
        ("torch_dtype=torch.float16, load_in_8bit=True", "fp16=True", []),
    ],
)
def test_the_scaler_takes_no_half_weights(dtype: str, options: str, codes: list[str]) -> None:
    text = HALF.format(dtype=dtype, options=options)
    assert found(text) == codes
    assert not found("import peft\n" + text)


METRICS = """\
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments
def score(prediction):
    return {{}}
model = AutoModelForCausalLM.from_pretrained("Qwen/Qwen3-0.6B")
args = TrainingArguments(output_dir="out", {options})
Trainer(model=model, args=args, train_dataset=rows, eval_dataset=others{given}).train()
"""


@each(
    ("options", "given", "codes"),
    [
        ('eval_strategy="steps"', ", compute_metrics=score", ["TRP889"]),
        ('evaluation_strategy="epoch"', ", compute_metrics=score", ["TRP889"]),
        ('eval_strategy="no"', ", compute_metrics=score", []),
        ('eval_strategy="steps"', "", []),
        ('eval_strategy="steps"', ", compute_metrics=chosen", []),
        ('eval_strategy="steps", prediction_loss_only=True', ", compute_metrics=score", []),
        (
            'eval_strategy="steps"',
            ", compute_metrics=score, preprocess_logits_for_metrics=best",
            [],
        ),
    ],
)
def test_logits_are_kept(options: str, given: str, codes: list[str]) -> None:
    assert found(METRICS.format(options=options, given=given)) == codes


LOAD = 'AutoModelForCausalLM.from_pretrained("Qwen/Qwen3-0.6B"'
SCORE = 'from transformers import AutoModelForSequenceClassification\nfrom trl import RewardTrainer\nmodel = AutoModelForSequenceClassification.from_pretrained("Qwen/Qwen3-0.6B")\n'


@each(
    ("text", "target", "code"),
    [
        (STOPS.format("", ""), "trl==1.9.0", "TRP723"),
        (HALF.format(dtype="dtype=torch.half", options="fp16=True"), "trl==1.9.0", "TRP888"),
        (
            METRICS.format(options='eval_strategy="steps"', given=", compute_metrics=score"),
            "trl==1.9.0",
            "TRP889",
        ),
        (
            f"from transformers import AutoModelForCausalLM\nfrom trl import DPOTrainer\n"
            f"model = {LOAD})\nDPOTrainer(model=model, ref_model=model, train_dataset=rows)\n",
            "trl==0.24.0",
            "TRP719",
        ),
        (f"{SCORE}RewardTrainer(model=model, train_dataset=rows)\n", "trl==1.9.0", "TRP727"),
        (
            "from trl import SFTConfig, SFTTrainer\nconfig = SFTConfig(completion_only_loss=True)\n"
            'SFTTrainer(model="a/b", args=config, formatting_func=lambda row: row["a"])\n',
            "trl==0.24.0",
            "TRP720",
        ),
    ],
)
def test_another_run_before_does_not_hide_it(text: str, target: str, code: str) -> None:
    assert found(text, target) == [code]
    trainer = next(name for name in text.split() if "Trainer(" in name).partition("(")[0]
    for other in (
        "",
        "model=own(), args=own(), ",
        "args=own(), ",
        f"model={LOAD.partition('(')[0]}, ",
    ):
        before = f"{trainer}({other}train_dataset=rows)\n"
        assert found(text.replace(f"{trainer}(", f"{before}{trainer}(", 1), target) == [code]
