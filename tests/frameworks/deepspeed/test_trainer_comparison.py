"""Numbers that DeepSpeed's settings and a config name both."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.deepspeed.trainer_comparison import differences
from tests.draws import each

#: DeepSpeed's settings, the config, the number of GPUs, and what is different.
CASES: list[tuple[dict[str, Any], dict[str, Any], int | None, list[tuple[str, str]]]] = [
    (
        {"train_micro_batch_size_per_gpu": 2},
        {"micro_batch_size": 1},
        None,
        [("train_micro_batch_size_per_gpu", "micro_batch_size: 1")],
    ),
    (
        {"scheduler": {"params": {"warmup_num_steps": 100}}},
        {"warmup_steps": 50},
        None,
        [("scheduler.params.warmup_num_steps", "warmup_steps: 50")],
    ),
    ({"scheduler": {"params": {"warmup_num_steps": 100}}}, {"warmup_steps": 0}, None, []),
    ({"scheduler": {"params": {"warmup_num_steps": 100}}}, {"warmup_steps": 0.1}, None, []),
    (
        {"scheduler": {"params": {"warmup_num_steps": 100}}},
        {"warmup_steps": 0, "warmup_ratio": 0.1},
        None,
        [],
    ),
    (
        {"optimizer": {"params": {"eps": 1e-8}}},
        {"adam_epsilon": 1e-6},
        None,
        [("optimizer.params.eps", "adam_epsilon: 1e-06")],
    ),
    ({"bf16": {"enabled": True}}, {"bf16": False, "bf16_full_eval": True}, None, []),
    ({"train_micro_batch_size_per_gpu": 2}, {"micro_batch_size": 2}, None, []),
    ({"train_micro_batch_size_per_gpu": "auto"}, {"micro_batch_size": 1}, None, []),
    ({"train_micro_batch_size_per_gpu": True}, {"micro_batch_size": 2}, None, []),
    (
        {"train_micro_batch_size_per_gpu": 2},
        {"micro_batch_size": 1, "auto_find_batch_size": True},
        None,
        [],
    ),
    (
        {"train_batch_size": 16},
        {"micro_batch_size": 2, "gradient_accumulation_steps": 4},
        8,
        [("train_batch_size", "2 * 4 steps * 8 GPUs = 64")],
    ),
    ({"train_batch_size": 64}, {"micro_batch_size": 2, "gradient_accumulation_steps": 4}, 8, []),
    ({"train_batch_size": 16}, {"micro_batch_size": 2, "gradient_accumulation_steps": 4}, None, []),
    ({"train_batch_size": 16}, {"gradient_accumulation_steps": 4}, 8, []),
    (
        {"train_batch_size": 16},
        {"micro_batch_size": float("nan"), "gradient_accumulation_steps": float("inf")},
        8,
        [],
    ),
    ({"train_batch_size": 16}, {"micro_batch_size": 2}, 8, []),
    (
        {"train_batch_size": 16},
        {"micro_batch_size": 2, "gradient_accumulation_steps": 4, "context_parallel_size": 2},
        8,
        [],
    ),
    (
        {"train_batch_size": 16},
        {
            "micro_batch_size": 2,
            "gradient_accumulation_steps": 4,
            "context_parallel_size": 1,
            "dp_shard_size": None,
        },
        8,
        [("train_batch_size", "2 * 4 steps * 8 GPUs = 64")],
    ),
    (
        {"gradient_accumulation_steps": 2},
        {"gradient_accumulation_steps": 4},
        None,
        [("gradient_accumulation_steps", "gradient_accumulation_steps: 4")],
    ),
    ({"gradient_clipping": 1.0}, {}, None, []),
    (
        {"gradient_clipping": 0.5},
        {},
        None,
        [("gradient_clipping", "max_grad_norm: 1.0 by default")],
    ),
    ({"gradient_clipping": 0.5}, {"max_grad_norm": 0.5}, None, []),
    (
        {"gradient_clipping": 0.5},
        {"max_grad_norm": 1},
        None,
        [("gradient_clipping", "max_grad_norm: 1")],
    ),
    ({"gradient_clipping": 0.5}, {"max_grad_norm": 0}, None, []),
    ({"gradient_clipping": 0.5}, {"max_grad_norm": "x"}, None, []),
    (
        {
            "optimizer": {"params": {"lr": 0.1, "weight_decay": 0.1, "betas": [0.9, 0.99]}},
            "scheduler": {"params": {"warmup_max_lr": 0.1}},
        },
        {"learning_rate": "1e-4", "weight_decay": 0.0, "adam_beta1": 0.9, "adam_beta2": 0.999},
        None,
        [
            ("optimizer.params.lr", "learning_rate: 0.0001"),
            ("scheduler.params.warmup_max_lr", "learning_rate: 0.0001"),
            ("optimizer.params.weight_decay", "weight_decay: 0.0"),
            ("optimizer.params.betas", "adam_beta1: 0.9` and `adam_beta2: 0.999"),
        ],
    ),
    (
        {"optimizer": {"params": {"lr": 0.0001, "weight_decay": 0.0, "betas": [0.9, 0.999]}}},
        {"learning_rate": "1e-4", "weight_decay": 0.0, "adam_beta1": 0.9, "adam_beta2": 0.999},
        None,
        [],
    ),
    (
        {"optimizer": {"params": {"betas": ["auto", "auto"]}}},
        {"adam_beta1": 0.9, "adam_beta2": 0.999},
        None,
        [],
    ),
    ({"optimizer": {"params": {"betas": [0.9, 0.99]}}}, {"adam_beta1": 0.9}, None, []),
    (
        {"optimizer": {"params": {"betas": "auto"}}},
        {"adam_beta1": 0.9, "adam_beta2": 0.1},
        None,
        [],
    ),
    ({"optimizer": {"params": 3}}, {"learning_rate": 0.1}, None, []),
    ({"optimizer": {"params": {"lr": 0.1}}}, {"learning_rate": "x"}, None, []),
    (
        {"optimizer": {"params": {"lr": 0.1}}},
        {"learning_rate": "0000000000000000000000000000001"},
        None,
        [],
    ),
    (
        {"optimizer": {"params": {"lr": 0.1}}},
        {"learning_rate": "000000000000000000000000000001"},
        None,
        [("optimizer.params.lr", "learning_rate: 1.0")],
    ),
    ({"optimizer": {"params": {"weight_decay": 0.1}}}, {"weight_decay": "0.2"}, None, []),
    (
        {"bf16": {"enabled": False}, "fp16": {"enabled": True}},
        {"bf16": True},
        None,
        [("bf16.enabled", "bf16: true"), ("fp16.enabled", "bf16: true")],
    ),
    ({"bf16": {"enabled": True}, "fp16": {"enabled": False}}, {"bf16": True}, None, []),
    ({"bf16": {"enabled": False}}, {"bf16": "full"}, None, [("bf16.enabled", "bf16: full")]),
    ({"bf16": {"enabled": True}}, {"bf16": "auto"}, None, []),
    ({"bf16": {"enabled": True}}, {}, None, []),
    (
        {"bf16": {"enabled": True}, "fp16": {"enabled": True}},
        {"bf16": False, "fp16": True},
        None,
        [("bf16.enabled", "bf16: false")],
    ),
    (
        {"bf16": {"enabled": True}, "fp16": {"enabled": True}},
        {"bf16": False, "fp16": False},
        None,
        [("bf16.enabled", "bf16: false"), ("fp16.enabled", "fp16: false")],
    ),
    ({"fp16": {"enabled": True}}, {"bf16": False}, None, []),
    ({"bf16": {"enabled": False}}, {"bf16": True, "bfloat16": True}, None, []),
    ({"bf16": {"enabled": False}}, {"bf16": True, "float16": True}, None, []),
    ({"bf16": {"enabled": False}}, {"bf16": True, "fp8": True}, None, []),
    ({"bf16": {"enabled": "auto"}}, {"bf16": True}, None, []),
]


@each(("settings", "config", "gpus", "expected"), CASES)
def test_differences(
    settings: dict[str, Any],
    config: dict[str, Any],
    gpus: int | None,
    expected: list[tuple[str, str]],
) -> None:
    found = [
        (".".join(one.path), one.config)
        for one in differences(settings, config, gpus, "micro_batch_size")
    ]
    assert found == expected
