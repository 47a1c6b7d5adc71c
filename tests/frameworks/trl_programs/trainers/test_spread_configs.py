"""A config whose attributes are given to a class one by one."""

from __future__ import annotations

import pytest

from cfglint import Linter

PROGRAM = """\
from trl import DPOConfig, DPOTrainer
{}
DPOTrainer(model="a/b", train_dataset=rows, {}).train()
"""


@pytest.mark.parametrize(
    ("made", "given", "is_found"),
    [
        ("c = DPOConfig(output_dir='o')", "**c.__dict__", True),
        ("c = DPOConfig(output_dir='o')", "beta=0.1, **vars(c)", True),
        ("c = DPOConfig(output_dir='o')", "args=c", False),
        ("c = DPOConfig(output_dir='o')", "**c.to_dict()", False),
        ("c = load()", "**vars(c)", False),
        ("c = DPOConfig(output_dir='o') if a else load()", "**vars(c)", False),
        ("def vars(c): return {}\nc = DPOConfig(output_dir='o')", "**vars(c)", False),
        ("import unsloth\nc = DPOConfig(output_dir='o')", "**vars(c)", False),
        ("c = DPOConfig(output_dir='o')", "**vars()", False),
    ],
)
def test_given(made: str, given: str, *, is_found: bool) -> None:
    linter = Linter(settings=False, select=["TRP787"])
    report = linter.lint(PROGRAM.format(made, given), "train.py")
    assert [one.code for one in report.diagnostics] == ["TRP787"] * is_found
