"""What a trainer does in all processes, in a branch for one of them."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

PROGRAM = """\
from transformers import Trainer, TrainingArguments

trainer = Trainer(model=model, args=TrainingArguments("out"), train_dataset=rows)
if trainer.is_world_process_zero():
    trainer.evaluate()
"""


@each(
    ("old", "new", "lines"),
    [
        ("", "", [5]),
        ("trainer.is_world_process_zero()", "local_rank == 0", [5]),
        ("trainer.is_world_process_zero()", "dist.get_rank() == 0", [5]),
        ("trainer.is_world_process_zero()", "accelerator.is_main_process", [5]),
        ("trainer.is_world_process_zero()", "local_rank == 1", []),
        ("trainer.is_world_process_zero()", "local_rank in (-1, 0)", []),
        ("trainer.is_world_process_zero()", "not trainer.is_world_process_zero()", []),
        ("trainer.evaluate()", "trainer.save_model()", []),
        ("trainer.evaluate()", "trainer.evaluate()\nelse:\n    trainer.evaluate()", []),
        ("trainer.evaluate()", "trainer.evaluate()\n    raise SystemExit", []),
        ("trainer.evaluate()", "def later():\n        trainer.evaluate()", []),
        ("if tr", "trainer = other()\nif tr", []),
    ],
)
def test_a_branch(old: str, new: str, lines: list[int]) -> None:
    linter = Linter(settings=False, select=["TRP877"])
    text = PROGRAM.replace(old, new) if old else PROGRAM
    assert [one.start.line for one in linter.lint(text, "train.py").diagnostics] == lines
