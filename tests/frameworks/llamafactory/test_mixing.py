"""Shares of mixed datasets, one for each."""

from __future__ import annotations

import pytest

from cfglint import Linter

_FILE = """\
model_name_or_path: Qwen/Qwen2.5-7B-Instruct
template: qwen
stage: sft
do_train: true
finetuning_type: lora
output_dir: out
"""


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("dataset: a,b\nmix_strategy: interleave_over\ninterleave_probs: 0.5,0.5", []),
        ("dataset: a,b,c\nmix_strategy: interleave_over\ninterleave_probs: 0.5,0.5", ["LLF861"]),
        ("dataset: [a, b]\nmix_strategy: interleave_over\ninterleave_probs: 0.5,0.5\neval_dataset: a", ["LLF861"]),
        ("dataset: a,b\nmix_strategy: interleave_over\ninterleave_probs: x,y", []),
        ("dataset: a\nmix_strategy: concat\ninterleave_probs: 0.5,0.5", []),
        ("dataset: {a: b}\nmix_strategy: interleave_over\ninterleave_probs: [0.5, 0.5]", []),
        ("dataset:\nmix_strategy: interleave_over\ninterleave_probs: 0.5,0.5", []),
    ],
)  # fmt: skip
def test_there_are_as_many_shares_as_datasets(lines: str, expected: list[str]) -> None:
    linter = Linter(target=["llamafactory==0.9.5"], select=["LLF861"], framework="llamafactory")
    assert [one.code for one in linter.lint(_FILE + lines + "\n").diagnostics] == expected
