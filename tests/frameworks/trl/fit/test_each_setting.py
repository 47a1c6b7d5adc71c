"""What is certain of a run of TRL, and what could be changed: each setting by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.frameworks.trl.fit.test_trl_run import planner
from tests.report.building import check_snapshot
from tests.runs.memory.shown import effects_of, lines_of

SNAPSHOTS = Path(__file__).parent / "snapshots"
LORA: dict[str, Any] = {"use_peft": True, "lora_target_modules": ["all-linear"]}
#: Command, release, settings beside those of the base config, the numbers of GPUs.
CASES: list[tuple[str, str, dict[str, Any], tuple[int, ...]]] = [
    ("sft", "1.9.0", {}, (1, 4)),
    ("sft", "1.9.0", {"dtype": "float32", "optim": "adamw_torch"}, (1, 2)),
    ("sft", "1.9.0", {"dtype": "-"}, (1,)),
    ("sft", "1.9.0", {"torch_dtype": "float16", "dtype": "-"}, (1,)),
    ("sft", "1.9.0", {"optim": "adamw_8bit", "optim_args": "a=1"}, (1,)),
    ("sft", "1.9.0", {"gradient_accumulation_steps": 4}, (1,)),
    ("sft", "1.9.0", {"per_device_train_batch_size": 2}, (1,)),
    ("sft", "1.9.0", {"per_device_train_batch_size": 1, "auto_find_batch_size": True}, (1,)),
    ("sft", "1.9.0", {"max_length": 2048, "gradient_checkpointing": False}, (1,)),
    ("sft", "1.9.0", {"loss_type": "nll"}, (1,)),
    ("sft", "1.9.0", {"loss_type": "nll", "use_liger_kernel": True}, (1,)),
    ("sft", "1.16.0", {"loss_type": "nll"}, (1,)),
    ("sft", "1.16.0", {"label_smoothing_factor": 0.1}, (1,)),
    ("sft", "1.9.0", {"attn_implementation": "eager"}, (1,)),
    ("sft", "1.9.0", {"padding_free": True}, (1,)),
    ("sft", "1.9.0", LORA, (1, 2)),
    ("sft", "1.9.0", {**LORA, "lora_r": 64, "lora_modules_to_save": ["lm_head"]}, (1,)),
    ("sft", "1.9.0", {**LORA, "lora_r": 0}, (1,)),
    ("sft", "1.9.0", {**LORA, "lora_target_modules": ["q_proj"]}, (1,)),
    ("sft", "1.9.0", {**LORA, "lora_target_modules": "-"}, (1,)),
    ("sft", "1.9.0", {**LORA, "use_dora": True}, (1,)),
    ("sft", "1.9.0", {**LORA, "load_in_4bit": True}, (1, 2)),
    ("sft", "1.9.0", {**LORA, "load_in_4bit": True, "use_bnb_nested_quant": True}, (1,)),
    ("sft", "1.9.0", {**LORA, "load_in_8bit": True}, (1,)),
    ("sft", "1.9.0", {"load_in_4bit": True}, (1,)),
    ("sft", "1.9.0", {"deepspeed": {"zero_optimization": {"stage": 2}}}, (2,)),
    ("sft", "1.9.0", {"deepspeed": {"zero_optimization": {"stage": 3}}, **LORA}, (2,)),
    ("sft", "1.9.0", {"deepspeed": "unknown.json"}, (2,)),
    ("sft", "1.9.0", {"model_name_or_path": "acme/unknown"}, (1,)),
    ("sft", "1.9.0", {"max_memory": {0: "1GB"}}, (1,)),
    ("dpo", "1.9.0", {}, (1,)),
    ("dpo", "1.9.0", LORA, (1,)),
    ("dpo", "1.9.0", {"precompute_ref_log_probs": True}, (1,)),
    ("grpo", "1.9.0", {"beta": 0.04}, (1,)),
    ("grpo", "1.9.0", {"beta": 0.0}, (1,)),
    ("reward", "1.9.0", {}, (1,)),
    ("sft", "0.15.0", {"max_seq_length": 512, "dtype": "-", "torch_dtype": "bfloat16"}, (1, 2)),
    ("sft", "0.15.0", {"dtype": "-"}, (1,)),
    ("sft", "0.20.0", {"dtype": "-"}, (1,)),
    ("sft", "0.24.0", {"dtype": "-"}, (1,)),
]


def test_each_setting() -> None:
    planners = [
        (f"{command} {release} {config}", planner(command, release, **config), counts)
        for command, release, config, counts in CASES
    ]
    check_snapshot("settings.txt", "\n".join(lines_of(planners)) + "\n", SNAPSHOTS)


def test_what_each_change_makes_of_it() -> None:
    cases: list[tuple[str, str, dict[str, Any], int]] = [
        ("sft", "1.9.0", {"dtype": "float32", "per_device_train_batch_size": 4}, 1),
        ("sft", "1.9.0", {**LORA, "loss_type": "nll", "optim": "adamw_torch"}, 2),
    ]
    shown = []
    for command, release, config, gpus in cases:
        found = planner(command, release, **config)
        shown += [f"--- {command} {release} {config}", *effects_of(found, gpus)]
    check_snapshot("effects.txt", "\n".join(shown) + "\n", SNAPSHOTS)
