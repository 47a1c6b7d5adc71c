"""What costs nothing before an upgrade is counted, and listed to those who ask."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint import lint_file
from tests.cli.running import run
from tests.linting import lint_result

#: Of what Axolotl 0.21.0 still takes, two keys by their older names.
TEXT = """\
base_model: Qwen/Qwen3-8B
datasets:
  - path: ./data/tickets.jsonl
    type: chat_template
sequence_len: 2048
micro_batch_size: 2
gradient_accumulation_steps: 4
num_epochs: 3
learning_rate: 0.00001
optimizer: adamw_torch
output_dir: ./out
val_set_size: 0.05
evaluation_strategy: epoch
dataset_processes: 16
"""


def test_it_is_counted_and_not_found() -> None:
    result = lint_result(TEXT, select=("SAV203", "DAT203"))
    assert (len(result.diagnostics), result.due) == (2, 0)
    assert all(one.due and one.harmless for one in result.diagnostics)
    result = lint_result(TEXT, select=("SAV", "DAT"))
    assert (result.diagnostics, result.due) == ([], 2)


def test_a_comment_that_silences_it_takes_it_off_the_count() -> None:
    text = TEXT.replace("epoch\n", "epoch  # cfglint: ignore[SAV203]\n")
    assert lint_result(text, select=("SAV", "DAT")).due == 1


@pytest.mark.parametrize(
    ("count", "sentence"),
    [
        (1, "1 note is about the next upgrade; --min-confidence low lists it."),
        (2, "2 notes are about the next upgrade; --min-confidence low lists them."),
    ],
)
def test_the_summary_says_how_many(tmp_path: Path, count: int, sentence: str) -> None:
    path = tmp_path / "train.yml"
    path.write_text(TEXT if count == 2 else TEXT.replace("dataset_processes", "dataset_num_proc"))
    assert sentence in run(str(path), "--select", "SAV,DAT").out
    report = json.loads(run(str(path), "--select", "SAV,DAT", "--format", "json").out)
    assert report["summary"]["due"] == count
    assert "due" not in run(str(path), "--select", "SAV,DAT", "--min-confidence", "low").out


#: `tokenizer` went with TRL 0.16; since 0.21 the function is called with a row.
PROGRAM = """\
from trl import SFTTrainer


def texts(rows):
    found = []
    for question in rows["question"]:
        found.append(question)
    return found


trainer = SFTTrainer("Qwen/Qwen3-8B", train_dataset=rows, tokenizer=words, formatting_func=texts)
trainer.train()
"""


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (PROGRAM, []),
        (PROGRAM.replace("tokenizer=words, ", ""), ["TRP725"]),
    ],
)
def test_what_is_wrong_with_the_same_newer_releases_waits_as_well(
    tmp_path: Path, program: str, expected: list[str]
) -> None:
    (tmp_path / "train.py").write_text(program)
    assert [one.code for one in lint_file(tmp_path / "train.py").diagnostics] == expected
    # Where a release is stated, it counts.
    (tmp_path / "requirements.txt").write_text("trl==0.24.0\n")
    stated = {one.code for one in lint_file(tmp_path / "train.py").diagnostics}
    assert "TRP725" in stated
    assert ("KEY005" in stated) is ("tokenizer" in program)
