"""What is certain of a run of ms-swift, and what could be changed: each setting by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.frameworks.swift.fit.planned import OLD, RELEASE, planner
from tests.report.building import check_snapshot
from tests.runs.memory.shown import effects_of, lines_of

SNAPSHOTS = Path(__file__).parent / "snapshots"
LORA: dict[str, Any] = {"tuner_type": "lora", "max_length": 2048}
QWEN, IMAGES = "Qwen/Qwen3-8B", "Qwen/Qwen2.5-VL-7B-Instruct"
SEVERAL = {"starts": "NPROC_PER_NODE=4 CUDA_VISIBLE_DEVICES=0,1,2,3 swift sft train.yaml\n"}
TUNING = {"starts": "CUDA_VISIBLE_DEVICES=0 swift rlhf train.yaml\n"}
#: Settings beside those of the base config -> the numbers of GPUs.
CASES: list[tuple[dict[str, Any], tuple[int, ...]]] = [
    ({}, (1, 4)),
    ({"starts": ""}, (1, 4)),
    (SEVERAL, (1, 4)),
    ({**SEVERAL, **LORA}, (4,)),
    ({"starts": "NPROC_PER_NODE=2 CUDA_VISIBLE_DEVICES=0,1,2,3 swift sft train.yaml\n"}, (2,)),
    ({"torch_dtype": "-", "max_length": 2048}, (1,)),
    ({"torch_dtype": "float32", "optim": "adamw_torch"}, (1,)),
    ({"max_length": 2048, "gradient_checkpointing": False}, (1,)),
    ({"use_galore": True, "max_length": 2048}, (1,)),
    ({"optimizer": "muon", "max_length": 2048}, (1,)),
    ({"freeze_parameters_ratio": 0.9, "max_length": 2048}, (1,)),
    (LORA, (1,)),
    ({**LORA, "lora_rank": 16, "use_dora": True}, (1,)),
    ({**LORA, "lora_dtype": "bfloat16"}, (1,)),
    ({**LORA, "tuner_backend": "unsloth"}, (1,)),
    ({**LORA, "adapters": ["old"]}, (1,)),
    ({**LORA, "quant_method": "bnb", "quant_bits": 4}, (1,)),
    ({**LORA, "quant_method": "bnb", "quant_bits": 4, "bnb_4bit_use_double_quant": False}, (1,)),
    ({**LORA, "quant_method": "bnb", "quant_bits": 8}, (1,)),
    ({**LORA, "quant_method": "hqq", "quant_bits": 3}, (1,)),
    ({**LORA, "quant_method": "eetq", "quant_bits": 8}, (1,)),
    ({**LORA, "quant_method": "quanto", "quant_bits": "float8"}, (1,)),
    ({**LORA, "quant_method": "fp8"}, (1,)),
    ({**LORA, "model": QWEN, "use_liger_kernel": True}, (1,)),
    ({**LORA, "packing": True, "packing_length": 8192, "attn_impl": "flash_attn"}, (1,)),
    ({**LORA, "model": IMAGES}, (1,)),
    ({"tuner_type": "llamapro"}, (1,)),
    ({**SEVERAL, "deepspeed": "zero0"}, (4,)),
    ({**SEVERAL, "deepspeed": "zero1"}, (4,)),
    ({**SEVERAL, "deepspeed": "zero2", **LORA}, (4,)),
    ({**SEVERAL, "deepspeed": "zero3"}, (4,)),
    ({**SEVERAL, "deepspeed": "zero2_offload"}, (4,)),
    ({**SEVERAL, "deepspeed": "zero3_offload"}, (4,)),
    ({**SEVERAL, "fsdp": "fsdp2", "max_length": 2048}, (4,)),
    ({**SEVERAL, "fsdp": "fsdp2", **LORA}, (4,)),
    ({**SEVERAL, "fsdp": '{"fsdp": "shard_grad_op auto_wrap"}', "max_length": 2048}, (4,)),
    ({**SEVERAL, "fsdp": '{"fsdp_config": {"offload_params": true}}'}, (4,)),
    ({**TUNING}, (1,)),
    ({**TUNING, **LORA}, (1,)),
    ({**TUNING, "rlhf_type": "grpo", "use_vllm": True, "vllm_mode": "colocate"}, (1,)),
    ({**TUNING, "rlhf_type": "rm"}, (1,)),
    ({**TUNING, "rlhf_type": "ppo"}, (1,)),
    ({"starts": "megatron pt train.yaml\n"}, (1,)),
    ({"max_memory": "{0: '20GB'}"}, (1,)),
]
OLDER: list[tuple[str, dict[str, Any], tuple[int, ...]]] = [
    (OLD, {}, (1,)),
    (OLD, {"sft_type": "-", "batch_size": 2}, (1,)),
    (OLD, {"sft_type": "lora", "quantization_bit": 4, "use_liger": True}, (1,)),
    (OLD, {**SEVERAL, "deepspeed": "default-zero3"}, (4,)),
    ("3.0.0", {"tuner_type": "-", "train_type": "lora", "max_length": 1024}, (1,)),
    ("3.4.0", {"tuner_type": "-", "train_type": "full", "max_length": 1024}, (1,)),
]


def test_each_setting() -> None:
    planners = [(f"{RELEASE} {config}", planner(**config), counts) for config, counts in CASES]
    planners += [
        (f"{release} {config}", planner(release, **config), counts)
        for release, config, counts in OLDER
    ]
    check_snapshot("settings.txt", "\n".join(lines_of(planners)) + "\n", SNAPSHOTS)


def test_what_each_change_makes_of_it() -> None:
    cases: list[tuple[str, dict[str, Any], int]] = [
        (RELEASE, {"max_length": 2048, "per_device_train_batch_size": 4}, 1),
        (RELEASE, {**SEVERAL, "gradient_checkpointing": False, "max_length": 2048}, 4),
        (RELEASE, {**LORA, "model": QWEN, "torch_dtype": "float32"}, 1),
        (OLD, {"batch_size": 2}, 1),
    ]
    shown = []
    for release, config, gpus in cases:
        shown += [f"--- {release} {config}", *effects_of(planner(release, **config), gpus)]
    check_snapshot("effects.txt", "\n".join(shown) + "\n", SNAPSHOTS)
