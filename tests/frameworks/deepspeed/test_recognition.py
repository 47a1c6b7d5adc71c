"""Which files are taken for DeepSpeed's, among other JSON that lies around."""

from __future__ import annotations

import json
from typing import Any

from cfglint.knowledge.recognition import of_text
from tests.draws import each

DEEPSPEED: dict[str, dict[str, Any]] = {
    "zero only": {"zero_optimization": {"stage": 3}},
    "no zero": {"train_batch_size": 16, "fp16": {"enabled": True}},
    "for the trainer": {
        "bf16": {"enabled": "auto"},
        "zero_optimization": {"stage": 2},
        "gradient_accumulation_steps": "auto",
        "train_micro_batch_size_per_gpu": "auto",
    },
    "monitors": {"train_micro_batch_size_per_gpu": 4, "tensorboard": {"enabled": True}},
    "with another program's keys": {
        "num-layers": 12,
        "pos-emb": "rotary",
        "optimizer": {"type": "Adam"},
        "zero_optimization": {"stage": 1},
    },
}
OTHERS: dict[str, Any] = {
    "package": {"name": "x", "version": "1.0.0", "scripts": {"test": "jest"}, "dependencies": {}},
    "tsconfig": {"compilerOptions": {"strict": True, "target": "ES2022"}, "include": ["src"]},
    "model config": {
        "architectures": ["LlamaForCausalLM"],
        "hidden_size": 4096,
        "model_type": "llama",
        "torch_dtype": "bfloat16",
        "vocab_size": 32000,
    },
    "tokenizer": {
        "version": "1.0",
        "truncation": None,
        "added_tokens": [],
        "model": {"type": "BPE"},
    },
    "trainer state": {"best_metric": None, "epoch": 3.0, "global_step": 120, "log_history": []},
    "generation config": {"bos_token_id": 1, "eos_token_id": 2, "temperature": 0.6},
    "training arguments": {
        "output_dir": "out",
        "per_device_train_batch_size": 4,
        "gradient_accumulation_steps": 8,
        "bf16": True,
        "fp16": False,
        "optim": "adamw_torch",
        "deepspeed": "ds.json",
    },
    "notebook": {"cells": [], "metadata": {"kernelspec": {}}, "nbformat": 4, "nbformat_minor": 5},
    "kubernetes": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": {}},
    "dataset_info": {"alpaca_en": {"hf_hub_url": "a/b", "columns": {"prompt": "instruction"}}},
    "adapter config": {
        "peft_type": "LORA",
        "r": 16,
        "lora_alpha": 32,
        "target_modules": ["q_proj"],
    },
    "wandb": {"wandb": {"project": "x"}, "optimizer": "adam", "epochs": 3},
    "accelerate": {"distributed_type": "DEEPSPEED", "deepspeed_config": {"zero_stage": 2}},
}


@each("name", DEEPSPEED)
def test_its_own(name: str) -> None:
    assert of_text(json.dumps(DEEPSPEED[name], indent=2), "json") == "deepspeed"


@each("name", OTHERS)
def test_others(name: str) -> None:
    assert of_text(json.dumps(OTHERS[name], indent=2), "json") is None
