"""Datasets that a trainer is given."""

from __future__ import annotations

import pytest

from cfglint import Linter
from tests.draws import each

SPLITS = """\
from datasets import load_dataset
from trl import SFTConfig, SFTTrainer

{}
SFTTrainer(model="a/b", args=SFTConfig(output_dir="out"), train_dataset={}).train()
"""
LABELS = """\
from datasets import load_dataset
from transformers import {}, AutoTokenizer, Trainer, TrainingArguments
tokenizer = AutoTokenizer.from_pretrained("a/b")
model = {}.from_pretrained("a/b")
rows = load_dataset("text", data_files="a.txt", split="train"){}
Trainer(model=model, args=TrainingArguments(output_dir="out"), train_dataset=rows{}).train()
"""
TOKENIZED = ".map(lambda row: tokenizer(row['text']))"


def found(text: str, code: str) -> list[str]:
    result = Linter(settings=False, select=[code]).lint(text, "train.py")
    return [one.message for one in result.diagnostics]


@each(
    ("made", "given"),
    [
        ('rows = load_dataset("json", data_files="a.jsonl")', "rows"),
        ('rows = load_dataset("a/b")\nrows = rows.map(shape).shuffle(seed=1)', "rows"),
        ('rows = load_dataset("a/b", split="train").train_test_split(0.1)', "rows"),
        ("", 'load_dataset("a/b", streaming=True)'),
        ('def rows():\n    return load_dataset("a/b")\n', "rows()"),
    ],
)
def test_all_splits_at_once(made: str, given: str) -> None:
    assert len(found(SPLITS.format(made, given), "TRP710")) == 1


@each(
    ("made", "given"),
    [
        ('rows = load_dataset("a/b")', 'rows["train"]'),
        ('rows = load_dataset("a/b", split="train")', "rows"),
        ('rows = load_dataset("a/b", None, None, None, "train")', "rows"),
        ('rows = load_dataset("a/b", **options)', "rows"),
        ('rows = load_dataset("a/b")\nif whole:\n    rows = rows["train"]', "rows"),
        ('rows = load_dataset("a/b").with_own_method()', "rows"),
        (
            "from sklearn.model_selection import train_test_split\nrows = train_test_split(frame)",
            "rows",
        ),
        ('rows, others = load_dataset("a/b", split=["train", "test"])', "rows"),
    ],
)
def test_one_split_or_what_is_not_known(made: str, given: str) -> None:
    assert not found(SPLITS.format(made, given), "TRP710")


@pytest.mark.parametrize("model", ["AutoModelForCausalLM", "AutoModelForMaskedLM"])
def test_rows_without_labels(model: str) -> None:
    text = LABELS.format(model, model, TOKENIZED, "")
    assert len(found(text, "TRP711")) == 1
    assert not found(
        text.replace("import load_dataset", "import load_dataset\nimport mine"), "TRP711"
    )


@each(
    ("model", "mapped", "further"),
    [
        ("AutoModelForCausalLM", TOKENIZED, ", data_collator=collator"),
        ("AutoModelForCausalLM", "", ""),
        ("AutoModelForCausalLM", ".map(lambda row: {'input_ids': row['input_ids'][:512]})", ""),
        ("AutoModelForCausalLM", ".map(lambda row: {**tokenizer(row['text']), 'labels': []})", ""),
        ("AutoModelForSequenceClassification", TOKENIZED, ""),
    ],
)
def test_rows_that_may_have_labels(model: str, mapped: str, further: str) -> None:
    assert not found(LABELS.format(model, model, mapped, further), "TRP711")
