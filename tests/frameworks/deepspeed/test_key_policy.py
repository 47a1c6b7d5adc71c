"""What becomes of a key of a DeepSpeed file."""

from __future__ import annotations

from collections.abc import Mapping

from tests.draws import each
from tests.linting import lint_in, messages

BASE = '{"zero_optimization": {"stage": 2}, "train_batch_size": 8'


def said(words: str, release: str = "0.18.0", files: Mapping[str, str] = {}) -> list[str]:
    target = (f"deepspeed=={release}",) if release else ()
    text = BASE + words
    found = lint_in(
        files, text, name="ds.json", framework="deepspeed", select=("KEY", "TYP"), target=target
    )
    return messages(found)


@each(
    ("words", "expected"),
    [
        ("}", []),
        (', "bfloat16": {"enabled": true}}', []),
        (', "bf16": {"enabled": true}, "bfloat16": {"enabled": 3}}', []),
        (
            ', "bfloat16": {"enabled": 3}}',
            ["error: `bfloat16.enabled` expects true or false but got the number 3."],
        ),
        (
            ', "bf16": {"enabeld": true}}',
            [
                "error: No release of DeepSpeed since 0.8.0 has a key `enabeld` in `bf16`; DeepSpeed refuses the file. The key with the closest name is `enabled`."
            ],
        ),
        (
            ', "bf16": {"enabeld": "auto"}}',
            [
                "warning: No release of DeepSpeed since 0.8.0 has a key `enabeld` in `bf16`; DeepSpeed silently ignores it."
            ],
        ),
        (
            ', "bf16": {"stage": 1}}',
            [
                "error: `bf16.stage` belongs under `zero_optimization:`; here DeepSpeed refuses the file."
            ],
        ),
        (', "_comment": "x", "//": "y", "Comments": 1, "#z": 2}', []),
        (
            ', "my_own": 1}',
            [
                "note: No release of DeepSpeed since 0.8.0 has a key `my_own` at the top level; DeepSpeed silently ignores it."
            ],
        ),
        (
            ', "gradient_acumulation_steps": 2}',
            [
                "error: No release of DeepSpeed has a key `gradient_acumulation_steps` at the top level; DeepSpeed silently ignores it. Did you mean `gradient_accumulation_steps`?"
            ],
        ),
        (
            ', "overlap_comm": true}',
            [
                "error: `overlap_comm` belongs under `zero_optimization:`; here DeepSpeed silently ignores it."
            ],
        ),
        (
            ', "learning_rate": 1}',
            [
                "warning: `learning_rate` is a key of transformers; DeepSpeed silently ignores it. It is an argument of the trainer; without one, it is lr in optimizer.params."
            ],
        ),
        (
            ', "per_device_train_batch_size": 1}',
            [
                "error: `per_device_train_batch_size` is a key of transformers; DeepSpeed silently ignores it. Use `train_micro_batch_size_per_gpu`."
            ],
        ),
        (
            ', "output_dir": "x"}',
            [
                "warning: `output_dir` is a key of transformers; DeepSpeed silently ignores it. It is an argument of the trainer."
            ],
        ),
        (
            ', "fsdp_config": {}}',
            [
                "warning: `fsdp_config` is a key of accelerate; DeepSpeed silently ignores it. It belongs in accelerate's own YAML file."
            ],
        ),
        (', "aio": {"block_size": 1, "nothing": 1}}', []),
        (', "aio": {"block_size": "x"}}', []),
        (
            ', "offload_param": {"device": "cpu"}}',
            [
                "error: `offload_param` belongs under `zero_optimization:`; here DeepSpeed silently ignores it."
            ],
        ),
        (
            ', "lr": 1}',
            [
                "warning: `lr` is a key of other training tools; DeepSpeed silently ignores it. It stands in optimizer.params."
            ],
        ),
        (
            ', "type": 1}',
            [
                "warning: No release of DeepSpeed since 0.8.0 has a key `type` at the top level; DeepSpeed silently ignores it."
            ],
        ),
        (
            ', "a1": 1, "b2": 2, "c3": 3, "d4": 4, "e5": 5, "f6": 6}',
            [
                "note: No release of DeepSpeed since 0.8.0 has a key `a1` at the top level; another program seems to read this file as well. The same applies to `b2`, `c3`, `d4`, `e5` and `f6`."
            ],
        ),
    ],
)
def test_keys(words: str, expected: list[str]) -> None:
    assert said(words) == expected


@each(
    ("words", "release", "expected"),
    [
        (
            ', "zero_optimization": {"stage": 3, "offload_param": {"device": "nvme"}}, "aio": {"nothing": 1}}',
            "0.18.0",
            [
                "warning: No release of DeepSpeed since 0.8.0 has a key `nothing` in `aio`; DeepSpeed silently ignores it."
            ],
        ),
        (
            ', "bf16": {"check_grad_overflow": true}}',
            "0.14.0",
            [
                "error: `bf16.check_grad_overflow` exists since DeepSpeed 0.17.1, and this file is for 0.14.0 (--target); DeepSpeed silently ignores it."
            ],
        ),
        (', "bf16": {"check_grad_overflow": true}}', "", []),
        (
            ', "bf16": {"nothing": true}}',
            "",
            [
                "error: No release of DeepSpeed since 0.8.0 has a key `nothing` in `bf16`; DeepSpeed refuses the file."
            ],
        ),
    ],
)
def test_releases(words: str, release: str, expected: list[str]) -> None:
    assert said(words, release) == expected
