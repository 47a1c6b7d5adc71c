"""Keys and words that are newer than a release which is stated, or only follows from others."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

PROGRAM = """\
from transformers import TrainingArguments
from trl import SFTTrainer

args = TrainingArguments(output_dir="out", eval_strategy="steps")
SFTTrainer(model=model, args=args, train_dataset=data).train()
"""


@pytest.mark.parametrize(
    ("requirements", "is_reported"),
    [
        # The newest transformers alongside TRL 0.8.6 is older; so a newer one runs.
        ("trl<0.9.0\n", False),
        ("trl==0.8.6\n", False),
        ("transformers==4.40.0\ntrl==0.8.6\n", True),
        ("transformers<4.41\ntrl<0.9.0\n", True),
        ("transformers>=4.38\ntrl==0.8.6\n", False),
    ],
)
def test_a_key_that_is_newer_than_a_release(
    requirements: str, is_reported: bool, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text(requirements)
    program = tmp_path / "train.py"
    program.write_text(PROGRAM)
    found = [one.code for one in lint_file(program, select=["KEY006"]).diagnostics]
    assert found == (["KEY006"] if is_reported else [])


@pytest.mark.parametrize(
    ("beside", "is_reported"),
    [
        ("", True),
        # transformers 5 asks for a later one, and pip installs the newest that does not.
        ("huggingface-hub<1.0\n", False),
        ("huggingface-hub==0.36.0\n", False),
        ("huggingface-hub>=0.36\n", True),
        ("huggingface-hub==1.31.0\n", True),
        ("tokenizers==0.22.1\n", True),
        ("tokenizers==0.21.4\n", False),
    ],
)
def test_what_holds_a_package_before_the_release_that_removed_a_key(
    beside: str, is_reported: bool, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text(f"transformers>=4.40\n{beside}")
    program = tmp_path / "train.py"
    program.write_text(
        "from transformers import Trainer, TrainingArguments\n\n"
        'Trainer(model=model, args=TrainingArguments("out"), tokenizer=tokenizer).train()\n'
    )
    found = [one.code for one in lint_file(program, select=["KEY005"]).diagnostics]
    assert found == (["KEY005"] if is_reported else [])
