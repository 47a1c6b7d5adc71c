"""Classes whose files the author of a program has changed by hand."""

from __future__ import annotations

import pytest

from cfglint import lint_text

PROGRAM = "{head}\nfrom trl import DPOTrainer\n\nDPOTrainer(model, train_dataset=data, {word}=50)\n"


@pytest.mark.parametrize(
    ("head", "word", "expected"),
    [
        ("# Runs with a modified dpo_trainer.py.", "lamda", []),
        ("# Runs with dpo_trainer.py.", "lamda", ["KEY001"]),
        ("# Modified from dpo_trainer.py.", "lamda", ["KEY001"]),
        ("# Runs with a modified sft_trainer.py.", "lamda", ["KEY001"]),
        # A slip stays one.
        ("# Runs with a modified dpo_trainer.py.", "eval_dateset", ["KEY001"]),
    ],
)
def test_a_parameter_of_a_class_that_was_changed(head: str, word: str, expected: list[str]) -> None:
    text = PROGRAM.format(head=head, word=word)
    found = lint_text(text, "train.py", target=["trl==0.9.6"]).diagnostics
    assert [one.code for one in found if one.code == "KEY001"] == expected
