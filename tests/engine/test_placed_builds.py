"""Packages from a commit, and those that another package keeps below a release."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

#: Two days after 0.17.0, with what 0.18.0 removed.
SOON = "trl @ git+https://github.com/huggingface/trl.git@1bca49515ecd5b85d16e68c42c76670e252e19f1\n"
CALL = "from trl import GRPOConfig\n\nGRPOConfig(output_dir='a', max_prompt_length=8{more})\n"
TRAINING = "from transformers import TrainingArguments\n\nTrainingArguments(output_dir='a', warmup_ratio=0.1)\n"


def codes(folder: Path, program: str, requirements: str) -> list[str]:
    (folder / ".git").mkdir()
    (folder / "requirements.txt").write_text(requirements)
    (folder / "train.py").write_text(program)
    return [one.code for one in lint_file(folder / "train.py").diagnostics]


@pytest.mark.parametrize(
    ("requirements", "expected"),
    [("trl\n", ["KEY005"]), (SOON, []), ("trl==0.29.0\n", ["KEY005"])],
)
def test_a_build_soon_after_a_release_has_what_that_one_has(
    tmp_path: Path, requirements: str, expected: list[str]
) -> None:
    program = CALL.format(more=", vllm_device='auto'" if requirements == SOON else "")
    assert codes(tmp_path, program, requirements) == expected


@pytest.mark.parametrize(
    ("requirements", "expected"),
    [
        ("transformers>=4.40\n", ["KEY005"]),
        # All of its releases ask for an older one.
        ("transformers>=4.40\nllamafactory>=0.9.0\n", []),
        # 0.6.0 asks for no upper bound.
        ("transformers>=4.40\nllamafactory>=0.6.0\n", ["KEY005"]),
    ],
)
def test_a_package_that_another_one_keeps_below_a_release(
    tmp_path: Path, requirements: str, expected: list[str]
) -> None:
    assert codes(tmp_path, TRAINING, requirements) == expected
