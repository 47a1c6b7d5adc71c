"""The classes of Unsloth that extend TRL's."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

PROGRAM = """\
from unsloth import FastLanguageModel, UnslothTrainer, UnslothTrainingArguments
model, tokenizer = FastLanguageModel.from_pretrained("a/b", max_seq_length=2048)
args = UnslothTrainingArguments({words})
UnslothTrainer(model=model, tokenizer=tokenizer, train_dataset=None, args=args).train()
"""
OWN = "output_dir='o', embedding_learning_rate=1e-5, q_galore_config=None"
REFUSED = "eval_strategy='steps', load_best_model_at_end=True, save_strategy='epoch'"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (OWN, []),
        (f"{OWN}, {REFUSED}", ["TRL002"]),
        # The first that is given without a name is its own.
        (f"1e-5, None, 'o', {REFUSED}", []),
        # What a patched class takes beside its own keywords is not known.
        (f"{OWN}, made_up=1", []),
    ],
)
def test_keywords(tmp_path: Path, words: str, expected: list[str]) -> None:
    program = tmp_path / "train.py"
    program.write_text(PROGRAM.format(words=words))
    report = lint_file(program, target=["transformers==4.50.0", "trl==0.15.2"])
    assert report.framework == "trl_programs"
    found = [one.code for one in report.diagnostics if one.severity != "note"]
    assert found == expected
