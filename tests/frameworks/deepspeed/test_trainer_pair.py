"""Settings of DeepSpeed inside a trainer's file, against its arguments."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.frameworks.deepspeed.trainer_pair import CHECKS
from tests.draws import each
from tests.linting import lint_in, messages
from tests.shipped import codes_of

CODES = codes_of(CHECKS)
BASE = "model_name_or_path: Qwen/Qwen3-8B\ndataset_name: a/b\noutput_dir: out\nper_device_train_batch_size: 2\nlearning_rate: 1.0e-4\n"


def said(words: str, release: str, files: Mapping[str, str]) -> list[str]:
    target = (f"trl=={release}",) if release else ()
    found = lint_in(
        files, BASE + words, name="sft.yaml", framework="trl", select=CODES, target=target
    )
    return messages(found)


@each(
    ("words", "release", "files", "expected"),
    [
        ("deepspeed:\n  zero_optimization: {stage: 2}\n", "1.9.0", {}, []),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  train_micro_batch_size_per_gpu: 4\n",
            "1.9.0",
            {},
            [
                'error: Write `"auto"` to take the value of the file that names this one: `train_micro_batch_size_per_gpu` is 4 here but `per_device_train_batch_size: 2` there, and the trainer refuses values that differ.'
            ],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  train_micro_batch_size_per_gpu: 2\n",
            "1.9.0",
            {},
            [],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  gradient_accumulation_steps: 8\n",
            "1.9.0",
            {},
            [
                'error: Write `"auto"` to take the value of the file that names this one: `gradient_accumulation_steps` is 8 here but `gradient_accumulation_steps: 1 by default` there, and the trainer refuses values that differ.'
            ],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  gradient_accumulation_steps: 1\n",
            "1.9.0",
            {},
            [],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  gradient_accumulation_steps: 8\ngradient_accumulation_steps: 8\n",
            "1.9.0",
            {},
            [],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  gradient_accumulation_steps: 8\ngradient_accumulation_steps: '4'\n",
            "1.9.0",
            {},
            [
                'error: Write `"auto"` to take the value of the file that names this one: `gradient_accumulation_steps` is 8 here but `gradient_accumulation_steps: 4` there, and the trainer refuses values that differ.'
            ],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  bf16: {enabled: true}\nfp16: true\n",
            "1.9.0",
            {},
            [
                'error: Write `"auto"` to take the value of the file that names this one: `bf16.enabled` is true here but `bf16: false by default` there, and the trainer refuses values that differ.'
            ],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  bf16: {enabled: true}\nbf16: false\n",
            "1.9.0",
            {},
            [
                'error: Write `"auto"` to take the value of the file that names this one: `bf16.enabled` is true here but `bf16: false` there, and the trainer refuses values that differ.'
            ],
        ),
        ("deepspeed:\n  zero_optimization: {stage: 2}\n  fp16: {enabled: true}\n", "1.9.0", {}, []),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  gradient_clipping: 0.5\n",
            "1.9.0",
            {},
            [
                'error: Write `"auto"` to take the value of the file that names this one: `gradient_clipping` is 0.5 here but `max_grad_norm: 1.0 by default` there, and the trainer refuses values that differ.'
            ],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  gradient_clipping: 0.5\nmax_grad_norm: 0.5\n",
            "1.9.0",
            {},
            [],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  gradient_clipping: 0.5\nmax_grad_norm: 1\n",
            "1.9.0",
            {},
            [
                'error: Write `"auto"` to take the value of the file that names this one: `gradient_clipping` is 0.5 here but `max_grad_norm: 1` there, and the trainer refuses values that differ.'
            ],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  optimizer: {type: AdamW, params: {lr: 2e-4, betas: [0.9, 0.95]}}\nadam_beta2: 0.99\n",
            "1.9.0",
            {},
            [],
        ),
        ("deepspeed:\n  zero_optimization: {stage: 2}\n  train_batch_size: 7\n", "1.9.0", {}, []),
        ("deepspeed: {}\n", "1.9.0", {}, []),
        ("deepspeed: x.json\n", "1.9.0", {}, []),
    ],
)
def test_findings(words: str, release: str, files: Mapping[str, str], expected: list[str]) -> None:
    assert said(words, release, files) == expected
