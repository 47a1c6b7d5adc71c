"""What nothing may calculate with."""

from __future__ import annotations

import pytest

from cfglint import Linter

_FILE = """\
model_name_or_path: Qwen/Qwen2.5-7B-Instruct
template: qwen
stage: sft
do_train: true
finetuning_type: full
dataset: tickets
output_dir: out
"""


@pytest.mark.parametrize(
    ("lines", "severity"),
    [
        ("adam_epsilon: 1e-8", "error"),
        ("moe_aux_loss_coef: 1e-3", "warning"),
        ("galore_scale: 1e-1", "warning"),
        ("galore_scale: 1e-1\nuse_galore: true", "error"),
    ],
)
def test_text_that_nothing_may_calculate_with_is_a_warning(lines: str, severity: str) -> None:
    linter = Linter(target=["llamafactory==0.9.3"], select=["YML021"], framework="llamafactory")
    found = linter.lint(_FILE + lines + "\n").diagnostics
    assert [one.severity for one in found] == [severity]
