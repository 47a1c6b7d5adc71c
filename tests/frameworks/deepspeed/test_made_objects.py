"""The optimizer and the schedule that a file asks for."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.frameworks.deepspeed.made_objects import CHECKS
from tests.draws import each
from tests.linting import lint_in, messages
from tests.shipped import codes_of

CODES = codes_of(CHECKS)
BASE = '{"zero_optimization": {"stage": 2}, "train_micro_batch_size_per_gpu": 1'


def said(words: str, release: str, files: Mapping[str, str]) -> list[str]:
    target = (f"deepspeed=={release}",) if release else ()
    found = lint_in(
        files, BASE + words, name="ds.json", framework="deepspeed", select=CODES, target=target
    )
    return messages(found)


@each(
    ("words", "release", "files", "expected"),
    [
        ("}", "0.18.0", {}, []),
        (', "optimizer": {"type": "Adam", "params": {"lr": 1e-4}}}', "0.18.0", {}, []),
        (', "optimizer": {"type": "adamw", "params": {"lr": 1e-4}}}', "0.18.0", {}, []),
        (
            ', "optimizer": {"type": "AdamX", "params": {"lr": 1e-4}}}',
            "0.18.0",
            {},
            [
                "warning: Neither DeepSpeed nor `torch.optim` has an optimizer `AdamX`. Did you mean `Adamax`?"
            ],
        ),
        (
            ', "optimizer": {"type": "Adamm", "params": {"lr": 1e-4}}}',
            "0.18.0",
            {},
            [
                "warning: Neither DeepSpeed nor `torch.optim` has an optimizer `Adamm`. Did you mean `Adam`?"
            ],
        ),
        (', "optimizer": {"type": "LION", "params": {"lr": 1e-4}}}', "0.18.0", {}, []),
        (
            ', "optimizer": {"type": "sgd", "params": {"lr": 1e-4}}}',
            "0.18.0",
            {},
            [
                "error: Neither DeepSpeed nor `torch.optim` has an optimizer `sgd`. Did you mean `SGD`?"
            ],
        ),
        (', "optimizer": {"type": "SGD", "params": {"lr": 1e-4}}}', "0.18.0", {}, []),
        (
            ', "optimizer": {"type": "nothing", "params": {"lr": 1e-4}}}',
            "0.18.0",
            {},
            ["warning: Neither DeepSpeed nor `torch.optim` has an optimizer `nothing`."],
        ),
        (', "optimizer": {"type": "", "params": {"lr": 1e-4}}}', "0.18.0", {}, []),
        (', "optimizer": {"type": 3}}', "0.18.0", {}, []),
        (', "optimizer": {}}', "0.18.0", {}, []),
        (
            ', "optimizer": {"type": "AdamW", "params": {"lr": 1, "betas": [0.9], "weight_deca": 0, "momentum": 1}}}',
            "0.18.0",
            {},
            [
                "error: `AdamW` takes no `weight_deca`: DeepSpeed hands all of `params` to the class, which ends with a TypeError. Did you mean `weight_decay`?",
                "error: `AdamW` takes no `momentum`: DeepSpeed hands all of `params` to the class, which ends with a TypeError.",
            ],
        ),
        (
            ', "optimizer": {"type": "AdamW", "params": {"weight_decay": 0, "weight_deca": 0}}}',
            "0.18.0",
            {},
            [
                "error: `AdamW` takes no `weight_deca`: DeepSpeed hands all of `params` to the class, which ends with a TypeError. Did you mean `weight_decay`?"
            ],
        ),
        (', "optimizer": {"type": "AdamW", "params": {"max_grad_norm": 1}}}', "0.18.0", {}, []),
        (', "optimizer": {"type": "Lamb", "params": {"odd": 1}}}', "0.18.0", {}, []),
        (', "optimizer": {"type": "AdamW", "params": []}}', "0.18.0", {}, []),
        (', "scheduler": {"type": "WarmupLR", "params": {}}}', "0.18.0", {}, []),
        (', "scheduler": {"type": "warmuplr", "params": {}}}', "0.18.0", {}, []),
        (
            ', "scheduler": {"type": "WarmupLRR", "params": {}}}',
            "0.18.0",
            {},
            [
                "error: Neither DeepSpeed nor `torch.optim.lr_scheduler` has a schedule `WarmupLRR`. Did you mean `WarmupLR`?"
            ],
        ),
        (', "scheduler": {"type": "CosineAnnealingLR", "params": {}}}', "0.18.0", {}, []),
        (
            ', "scheduler": {"type": "cosineannealinglr", "params": {}}}',
            "0.18.0",
            {},
            [
                "error: Neither DeepSpeed nor `torch.optim.lr_scheduler` has a schedule `cosineannealinglr`. Did you mean `CosineAnnealingLR`?"
            ],
        ),
        (
            ', "scheduler": {"type": "nothing_like_it", "params": {}}}',
            "0.18.0",
            {},
            [
                "warning: Neither DeepSpeed nor `torch.optim.lr_scheduler` has a schedule `nothing_like_it`."
            ],
        ),
        (
            ', "scheduler": {"type": "WarmupLR", "params": {"warmup_min_lr": 0, "total_num_steps": 9}}}',
            "0.18.0",
            {},
            [
                "error: `WarmupLR` takes no `total_num_steps`: DeepSpeed hands all of `params` to the class, which ends with a TypeError."
            ],
        ),
        (
            ', "scheduler": {"type": "WarmupDecayLR", "params": {"total_num_steps": 9}}}',
            "0.18.0",
            {},
            [],
        ),
        (
            ', "scheduler": {"type": "WarmupDecayLR", "params": {"totl_num_steps": 9}}}',
            "0.18.0",
            {},
            [
                "error: `WarmupDecayLR` takes no `totl_num_steps`: DeepSpeed hands all of `params` to the class, which ends with a TypeError. Did you mean `total_num_steps`?"
            ],
        ),
        (
            ', "scheduler": {"type": "OneCycle", "params": {"cycle_min_lr": 0, "cycle_first_step_size": 1, "cycle_first_stair": 1, "decay_lr_rate": 0}}}',
            "0.18.0",
            {},
            [
                "error: `OneCycle` takes no `cycle_first_stair`: DeepSpeed hands all of `params` to the class, which ends with a TypeError. Did you mean `cycle_first_stair_count`?"
            ],
        ),
        (
            ', "scheduler": {"type": "LRRangeTest", "params": {"lr_range_test_min_lr": 0, "lr_range_min": 1}}}',
            "0.18.0",
            {},
            [
                "error: `LRRangeTest` takes no `lr_range_min`: DeepSpeed hands all of `params` to the class, which ends with a TypeError."
            ],
        ),
        (
            ', "scheduler": {"type": "WarmupCosineLR", "params": {"cos_min_ratio": 0, "warmup_min_lr": 1}}}',
            "0.18.0",
            {},
            [
                "error: `WarmupCosineLR` takes no `warmup_min_lr`: DeepSpeed hands all of `params` to the class, which ends with a TypeError. Did you mean `warmup_min_ratio`?"
            ],
        ),
        (', "scheduler": {"type": "StepLR", "params": {"odd": 1}}}', "0.18.0", {}, []),
    ],
)
def test_findings(words: str, release: str, files: Mapping[str, str], expected: list[str]) -> None:
    assert said(words, release, files) == expected
