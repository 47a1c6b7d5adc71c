"""What is said of a schedule of evaluations that LLaMA-Factory does not take."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run

TEXT = """\
model_name_or_path: Qwen/Qwen3-8B
stage: sft
do_train: true
finetuning_type: lora
dataset: tickets
template: qwen3
val_size: 0.1
output_dir: out
"""


@pytest.mark.parametrize(
    ("line", "unused"),
    [
        ("eval_strategy: stepss", False),
        ("evaluation_strategy: steps", False),
        ('eval_strategy: "no"', True),
        ("", True),
    ],
)
def test_a_wrong_schedule_is_one_finding(tmp_path: Path, line: str, unused: bool) -> None:
    config = tmp_path / "train.yaml"
    config.write_text(f"{TEXT}{line}\n")
    out = run(config, "--isolated", "--target", "llamafactory==0.9.5").out
    assert ("LLF143" in out) is unused
    assert "stepss" not in line or "TYP002" in out
