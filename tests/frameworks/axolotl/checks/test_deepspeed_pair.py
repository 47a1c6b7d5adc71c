"""Settings of DeepSpeed inside a config, against those of the config."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.frameworks.axolotl.checks.deepspeed_pair import CHECKS
from tests.draws import each
from tests.linting import lint_in, messages
from tests.shipped import codes_of

CODES = codes_of(CHECKS)
BASE = "base_model: a/b\nmicro_batch_size: 2\ngradient_accumulation_steps: 4\nnum_epochs: 1\nlearning_rate: 1e-4\noptimizer: adamw_torch\nlr_scheduler: cosine\nbf16: true\ndatasets:\n  - path: x\n    type: alpaca\n"


def said(words: str, release: str, files: Mapping[str, str]) -> list[str]:
    target = (f"axolotl=={release}",) if release else ()
    found = lint_in(
        files, BASE + words, name="train.yml", framework="axolotl", select=CODES, target=target
    )
    return messages(found)


@each(
    ("words", "release", "files", "expected"),
    [
        ("deepspeed:\n  zero_optimization: {stage: 2}\n", "0.18.0", {}, []),
        ("deepspeed: {}\n", "0.18.0", {}, []),
        ("deepspeed: x.json\n", "0.18.0", {}, []),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  train_micro_batch_size_per_gpu: 4\n",
            "0.18.0",
            {},
            [
                'error: `train_micro_batch_size_per_gpu` is 4 here but `micro_batch_size: 2` in the config, and the trainer refuses values that differ. Write `"auto"` to use the config\'s.'
            ],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  train_micro_batch_size_per_gpu: auto\n",
            "0.18.0",
            {},
            [],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  gradient_accumulation_steps: 8\n",
            "0.18.0",
            {},
            [
                'error: `gradient_accumulation_steps` is 8 here but `gradient_accumulation_steps: 4` in the config, and the trainer refuses values that differ. Write `"auto"` to use the config\'s.'
            ],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  gradient_accumulation_steps: 4\n",
            "0.18.0",
            {},
            [],
        ),
        ("deepspeed:\n  zero_optimization: {stage: 2}\n  train_batch_size: 16\n", "0.18.0", {}, []),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  bf16: {enabled: false}\n",
            "0.18.0",
            {},
            [
                'error: `bf16.enabled` is false here but `bf16: true` in the config, and the trainer refuses values that differ. Write `"auto"` to use the config\'s.'
            ],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  bf16: {enabled: auto}\n",
            "0.18.0",
            {},
            [],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  fp16: {enabled: true}\n",
            "0.18.0",
            {},
            [
                'error: `fp16.enabled` is true here but `bf16: true` in the config, and the trainer refuses values that differ. Write `"auto"` to use the config\'s.'
            ],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  gradient_clipping: 0.5\nmax_grad_norm: 1.0\n",
            "0.18.0",
            {},
            [
                'error: `gradient_clipping` is 0.5 here but `max_grad_norm: 1.0` in the config, and the trainer refuses values that differ. Write `"auto"` to use the config\'s.'
            ],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  gradient_clipping: 0.5\n",
            "0.18.0",
            {},
            [
                'error: `gradient_clipping` is 0.5 here but `max_grad_norm: 1.0 by default` in the config, and the trainer refuses values that differ. Write `"auto"` to use the config\'s.'
            ],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  optimizer: {type: AdamW, params: {lr: 1e-4}}\n",
            "0.18.0",
            {},
            [],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  optimizer: {type: AdamW, params: {lr: 2e-4}}\n",
            "0.18.0",
            {},
            [],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  optimizer: {type: AdamW, params: {lr: auto}}\n",
            "0.18.0",
            {},
            [],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  optimizer: {type: Adam}\n",
            "0.18.0",
            {},
            [],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  optimizer: {type: Lion}\n",
            "0.18.0",
            {},
            [
                "warning: `optimizer: adamw_torch` is not used: DeepSpeed's settings bring Lion, and DeepSpeed builds the optimizer where its settings have one. Remove the section from the file to use yours."
            ],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  optimizer: {type: adamw_torch}\n",
            "0.18.0",
            {},
            [],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  optimizer: {type: AdamW}\noptimizer_x: 1\n",
            "0.18.0",
            {},
            [],
        ),
        ("deepspeed:\n  zero_optimization: {stage: 2}\n  optimizer: {type: 3}\n", "0.18.0", {}, []),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  scheduler: {type: WarmupLR}\n",
            "0.18.0",
            {},
            [
                "warning: `lr_scheduler: cosine` is not used: DeepSpeed's settings bring WarmupLR, and DeepSpeed makes the learning rates where its settings have a `scheduler`. Remove the section from the file to use yours."
            ],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  scheduler: {type: WarmupCosineLR}\n",
            "0.18.0",
            {},
            [],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  scheduler: {type: WarmupCosineLR, params: {cos_min_ratio: 0.1}}\ncosine_min_lr_ratio: 0.1\n",
            "0.18.0",
            {},
            [],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  scheduler: {type: WarmupCosineLR, params: {cos_min_ratio: 0.2}}\ncosine_min_lr_ratio: 0.1\n",
            "0.18.0",
            {},
            [
                "warning: `cosine_min_lr_ratio: 0.1` is not used: DeepSpeed's settings bring WarmupCosineLR, and DeepSpeed makes the learning rates where its settings have a `scheduler`. Remove the section from the file to use yours."
            ],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  scheduler: {type: WarmupCosineLR}\nlr_quadratic_warmup: true\n",
            "0.18.0",
            {},
            [
                "warning: `lr_quadratic_warmup: true` is not used: DeepSpeed's settings bring WarmupCosineLR, and DeepSpeed makes the learning rates where its settings have a `scheduler`. Remove the section from the file to use yours."
            ],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  scheduler: {type: warmupcosinelr}\n",
            "0.18.0",
            {},
            [],
        ),
        (
            "deepspeed:\n  zero_optimization: {stage: 2}\n  scheduler: {type: Own}\n",
            "0.18.0",
            {},
            [
                "warning: `lr_scheduler: cosine` is not used: DeepSpeed's settings bring Own, and DeepSpeed makes the learning rates where its settings have a `scheduler`. Remove the section from the file to use yours."
            ],
        ),
    ],
)
def test_findings(words: str, release: str, files: Mapping[str, str], expected: list[str]) -> None:
    assert said(words, release, files) == expected
