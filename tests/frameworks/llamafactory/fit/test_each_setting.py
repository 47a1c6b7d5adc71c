"""What is certain of a run of LLaMA-Factory, and what could be changed: each setting by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.frameworks.llamafactory.fit.test_llamafactory_run import SHIPPED, planner
from tests.report.building import check_snapshot
from tests.runs.memory.shown import effects_of, lines_of

SNAPSHOTS = Path(__file__).parent / "snapshots"
LORA: dict[str, Any] = {"finetuning_type": "lora", "lora_target": "all"}
QWEN = "Qwen/Qwen3-8B"
#: Settings beside those of the base config -> the numbers of GPUs.
CASES: list[tuple[dict[str, Any], tuple[int, ...]]] = [
    ({}, (1, 4)),
    ({"pure_bf16": True, "optim": "adamw_torch"}, (1, 4)),
    ({"bf16": None, "fp16": True}, (1,)),
    ({"optim": "adamw_8bit", "optim_args": "a=1"}, (1,)),
    ({"use_galore": True}, (1,)),
    ({"use_badam": True}, (1,)),
    ({"finetuning_type": None}, (1, 4)),
    ({**LORA, "lora_rank": 16}, (1,)),
    ({**LORA, "lora_rank": 0}, (1,)),
    ({**LORA, "lora_target": "q_proj, v_proj", "use_dora": True}, (1,)),
    ({**LORA, "lora_target": ["down_proj"], "additional_target": "lm_head"}, (1,)),
    ({**LORA, "use_llama_pro": True}, (1,)),
    ({**LORA, "adapter_name_or_path": "old"}, (1,)),
    ({**LORA, "adapter_name_or_path": "old", "create_new_adapter": True}, (1,)),
    ({**LORA, "quantization_bit": 4}, (1, 2)),
    ({**LORA, "quantization_bit": 4, "double_quantization": False}, (1,)),
    ({**LORA, "quantization_bit": 8}, (1,)),
    ({**LORA, "quantization_bit": 2}, (1,)),
    ({**LORA, "quantization_bit": 4, "quantization_method": "hqq"}, (1,)),
    ({"finetuning_type": "freeze"}, (1,)),
    ({"finetuning_type": "oft"}, (1,)),
    ({"freeze_vision_tower": True}, (1,)),
    ({"stage": "pt", "cutoff_len": 4096}, (1,)),
    ({"stage": "pt", "packing": False}, (1,)),
    ({"packing": True}, (1,)),
    ({"packing": True, **LORA}, (1,)),
    ({"packing": True, "cutoff_len": 0}, (1,)),
    ({"neat_packing": True, "disable_gradient_checkpointing": True}, (1,)),
    (
        {"packing": True, "disable_gradient_checkpointing": True, "gradient_checkpointing": True},
        (1,),
    ),
    ({"packing": True, "enable_liger_kernel": True}, (1,)),
    ({"packing": True, "use_unsloth_gc": True}, (1,)),
    ({"packing": True, "flash_attn": "disabled"}, (1,)),
    ({"packing": True, "sequence_parallel_size": 2}, (2,)),
    ({"packing": True, "sequence_parallel_size": 1, "use_dft_loss": True}, (1,)),
    ({"model_name_or_path": QWEN, "packing": True}, (1,)),
    ({"stage": "dpo"}, (1,)),
    ({"stage": "kto", **LORA}, (1,)),
    ({"stage": "rm"}, (1,)),
    ({"stage": "ppo", **LORA}, (1,)),
    ({"per_device_train_batch_size": 2, "gradient_accumulation_steps": 4}, (1,)),
    ({"per_device_train_batch_size": 2, "auto_find_batch_size": True}, (1,)),
    ({"deepspeed": SHIPPED.format(0)}, (2,)),
    ({"deepspeed": SHIPPED.format(2)}, (2,)),
    ({"deepspeed": SHIPPED.format(3)}, (2,)),
    ({"deepspeed": "examples/deepspeed/ds_z3_offload_config.json"}, (2,)),
    ({"deepspeed": {"zero_optimization": {"stage": 3}}, **LORA}, (4,)),
    ({"fsdp": "full_shard"}, (2,)),
    ({"model_name_or_path": "acme/unknown"}, (1,)),
    ({"do_train": False}, (1,)),
    ({"use_unsloth": True}, (1,)),
    ({"infer_backend": "vllm"}, (1,)),
]
OLDER: list[tuple[str, dict[str, Any], tuple[int, ...]]] = [
    ("0.8.0", {"packing": True}, (1, 2)),
    ("0.9.0", {"stage": "pt"}, (1,)),
    ("0.9.0", {"model_name_or_path": QWEN, "packing": True}, (1,)),
]


def test_each_setting() -> None:
    planners = [(str(config), planner(**config), counts) for config, counts in CASES]
    planners += [
        (f"{release} {config}", planner(release, **config), counts)
        for release, config, counts in OLDER
    ]
    check_snapshot("settings.txt", "\n".join(lines_of(planners)) + "\n", SNAPSHOTS)


def test_what_each_change_makes_of_it() -> None:
    cases: list[tuple[dict[str, Any], int]] = [
        ({"packing": True, "per_device_train_batch_size": 4}, 1),
        ({"optim": "adamw_torch", "disable_gradient_checkpointing": True, "packing": True}, 4),
        ({**LORA, "model_name_or_path": QWEN, "packing": True}, 1),
    ]
    shown = []
    for config, gpus in cases:
        shown += [f"--- {config}", *effects_of(planner(**config), gpus)]
    check_snapshot("effects.txt", "\n".join(shown) + "\n", SNAPSHOTS)
