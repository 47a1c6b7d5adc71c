"""What is certain of a run of Axolotl, and what could be changed: each setting by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.frameworks.axolotl.fit.planning import planner
from tests.report.building import check_snapshot
from tests.runs.memory.shown import effects_of, lines_of

SNAPSHOTS = Path(__file__).parent / "snapshots"
LORA: dict[str, Any] = {"adapter": "lora", "lora_r": 16, "lora_target_linear": True}
CUT = "axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin"
#: Settings beside those of the base config -> the numbers of GPUs.
CASES: list[tuple[dict[str, Any], tuple[int, ...]]] = [
    ({}, (1, 4)),
    ({"bf16": False}, (1,)),
    ({"bf16": False, "fp16": True, "optimizer": "adamw_torch"}, (1, 2)),
    ({"optimizer": "adamw_8bit", "gradient_accumulation_steps": 1}, (1, 2)),
    ({"optimizer": "paged_adamw_8bit", "gradient_checkpointing": True}, (1,)),
    ({"optimizer": "muon", "torch_compile": True}, (1,)),
    ({"micro_batch_size": 4, "batch_size": 8}, (1,)),
    ({"sequence_len": 4096, "sample_packing": True, "pad_to_sequence_len": True}, (1, 2)),
    (
        {"sample_packing": True, "pad_to_sequence_len": True, "gradient_checkpointing": True},
        (1,),
    ),
    (LORA, (1, 4)),
    ({**LORA, "load_in_8bit": True}, (1, 2)),
    ({**LORA, "load_in_4bit": True, "adapter": "qlora"}, (1, 2)),
    ({**LORA, "load_in_4bit": True, "adapter": "qlora", "bf16": False}, (1,)),
    ({**LORA, "lora_modules_to_save": ["lm_head"]}, (1,)),
    ({**LORA, "lora_target_linear": False, "lora_target_modules": ["q_proj", "v_proj"]}, (1,)),
    ({**LORA, "peft_autocast_adapter_dtype": False}, (1,)),
    ({**LORA, "lora_r": 0}, (1,)),
    ({**LORA, "peft_use_dora": True}, (1,)),
    ({**LORA, "deepspeed": "deepspeed_configs/zero3_bf16.json"}, (4,)),
    ({"deepspeed": "deepspeed_configs/zero1.json"}, (2,)),
    ({"deepspeed": "deepspeed_configs/zero2.json"}, (2,)),
    ({"deepspeed": "deepspeed_configs/zero3_bf16_cpuoffload_params.json"}, (2,)),
    ({"deepspeed": "mine.json"}, (2,)),
    ({"deepspeed": {"zero_optimization": {"stage": 3}}, "tensor_parallel_size": 2}, (4,)),
    ({"deepspeed": {"zero_optimization": {"stage": 2}}, "embedding_lr": 1e-5}, (4,)),
    ({"fsdp": ["full_shard", "auto_wrap", "offload"]}, (2,)),
    ({"fsdp": ["full_shard"], "fsdp_config": {"fsdp_offload_params": True}}, (2,)),
    ({"fsdp_version": 2, "fsdp_config": {"offload_params": "no"}, "dp_replicate_size": 2}, (4,)),
    ({"fsdp_config": {"auto_wrap_policy": "SIZE_BASED_WRAP"}, "dp_replicate_size": 3}, (4,)),
    ({"fsdp_config": {"transformer_layer_cls_to_wrap": "LlamaDecoderLayer"}, "fp8": True}, (4,)),
    ({"fsdp_config": {"transformer_layer_cls_to_wrap": "LlamaMLP", "version": "1"}}, (4,)),
    ({**LORA, "fsdp_config": {"transformer_layer_cls_to_wrap": ["LlamaDecoderLayer"]}}, (4,)),
    ({"dp_shard_size": 2}, (4,)),
    ({"device_map": "auto"}, (2,)),
    ({"use_ray": True}, (2,)),
    ({"rl": "dpo"}, (1, 2)),
    ({**LORA, "rl": "grpo", "trl": {"use_vllm": True, "vllm_mode": "colocate"}}, (2,)),
    ({"plugins": [CUT]}, (1,)),
    ({"plugins": ["mine.Plugin"]}, (1,)),
    ({"max_memory": {0: "1GB"}}, (1,)),
    ({"unfrozen_parameters": ["lm_head"]}, (1,)),
    ({"gptq": True}, (1,)),
    ({"base_model": "acme/unknown"}, (1,)),
    ({"base_model": "openai/gpt-oss-20b"}, (1,)),
    (
        {
            "base_model": "openai/gpt-oss-20b",
            "model_quantization_config_kwargs": {"dequantize": True},
        },
        (1,),
    ),
    ({"base_model": "Qwen/Qwen3-30B-A3B", **LORA, "load_in_4bit": True}, (1,)),
    (
        {
            "base_model": "Qwen/Qwen3-30B-A3B",
            **LORA,
            "load_in_4bit": True,
            "quantize_moe_experts": True,
        },
        (1,),
    ),
]
OLDER: list[tuple[str, dict[str, Any], tuple[int, ...]]] = [
    ("0.4.1", {}, (1, 4)),
    ("0.4.1", {**LORA, "load_in_4bit": True}, (1, 4)),
    ("0.6.0", {}, (2,)),
    ("0.8.0", {"fsdp": ["full_shard"]}, (2,)),
    ("0.9.2", {"fsdp_config": {"offload_params": False}}, (2,)),
]


def test_each_setting() -> None:
    planners = [(str(config), planner(**config), counts) for config, counts in CASES]
    planners += [
        (f"{release} {config}", planner(release, **config), counts)
        for release, config, counts in OLDER
    ]
    check_snapshot("planner.txt", "\n".join(lines_of(planners)) + "\n", SNAPSHOTS)


def test_what_each_change_makes_of_it() -> None:
    cases: list[tuple[dict[str, Any], int]] = [
        ({"micro_batch_size": 4, "bf16": False}, 1),
        ({"optimizer": "adamw_torch"}, 4),
        ({**LORA, "load_in_8bit": True}, 1),
    ]
    shown = []
    for config, gpus in cases:
        shown += [f"--- {config}", *effects_of(planner(**config), gpus)]
    check_snapshot("effects.txt", "\n".join(shown) + "\n", SNAPSHOTS)
