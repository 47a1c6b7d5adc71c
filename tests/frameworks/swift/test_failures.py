"""Failures that users reported, rebuilt: each is named by what is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frameworks.swift.test_scripts import USUAL, found

REPORTED = [
    # The quick start of a newer release: issues 7836 and 8006 of ms-swift.
    ("swift sft", "--tuner_type lora", "3.12.4", "KEY006", "tuner_type"),
    # Arguments of a newer release: issues 5578 and 5979.
    ("swift sft", "--enable_dft_loss true", "3.7.0", "KEY006", "enable_dft_loss"),
    ("swift rlhf", "--rlhf_type dpo --ld_alpha 0.5", "3.7.0", "KEY006", "ld_alpha"),
    # Arguments of 3.x in 2.x: issue 2713.
    ("swift sft", "--train_type sft", "2.6.1", "KEY006", "train_type"),
    # An argument of transformers for Megatron: issue 6570.
    ("megatron sft", "--report_to wandb", "3.10.0", "KEY0", "report_to"),
    # Arguments of LLaMA-Factory, swallowed: issue 6209.
    (
        "swift rlhf",
        "--rlhf_type grpo --stage grpo --ignore_args_error true",
        "3.10.0",
        "KEY002",
        "stage",
    ),
    # One completion for each prompt: issue 3980.
    (
        "swift rlhf",
        "--rlhf_type grpo --num_generations 1 --reward_funcs format",
        "3.12.6",
        "SWF053",
        "refused",
    ),
    # One process for several GPUs: issues 3991 and 5592.
    (
        "CUDA_VISIBLE_DEVICES=0,1,2 swift sft",
        "--deepspeed zero3",
        "3.4.0",
        "SWF092",
        "NPROC_PER_NODE",
    ),
    # Backslashes at the ends of lines that Windows ends: issue 5765.
    ("swift sft", "\\\r\n --deepspeed zero2 \\\r\n --seed 1", "3.8.0", "LCH8", ""),
    # Packing with another attention: issue 5690.
    ("swift pt", "--packing true --attn_impl eager", "3.8.0", "SWF006", "eager"),
]


@pytest.mark.parametrize(("start", "words", "release", "code", "part"), REPORTED)
def test_a_reported_failure_is_named(
    tmp_path: Path, start: str, words: str, release: str, code: str, part: str
) -> None:
    lines = found(tmp_path, f"{start} {USUAL} {words}", release)
    assert [line for line in lines if code in line and part in line], lines
