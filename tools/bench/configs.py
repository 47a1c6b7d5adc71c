"""Training configs as people write them, made up: the same ones for the same seed."""

from __future__ import annotations

import random
from pathlib import Path

_MODELS = (
    "NousResearch/Llama-3.2-1B",
    "mistralai/Mistral-7B-v0.3",
    "Qwen/Qwen2.5-7B-Instruct",
    "google/gemma-2-9b",
)
_TYPES = ("alpaca", "completion", "chat_template", "sharegpt")


def write_configs(folder: Path, count: int, seed: int) -> list[Path]:
    """Write configs of some fifty to a hundred lines each."""
    made = []
    chance = random.Random(seed)
    for number in range(count):
        path = folder / f"train-{number:04}.yml"
        path.write_text(_config(chance, number), encoding="utf-8")
        made.append(path)
    return made


def _config(chance: random.Random, number: int) -> str:
    model = chance.choice(_MODELS)
    lines = [
        f"base_model: {model}",
        "# optionally might have model_type or tokenizer_type",
        "model_type: AutoModelForCausalLM",
        "tokenizer_type: AutoTokenizer",
        "",
        f"load_in_8bit: {_flag(chance)}",
        "load_in_4bit: false",
        "strict: false",
        "",
        "datasets:",
    ]
    for part in range(chance.randint(1, 5)):
        lines += [
            f"  - path: ./data/part-{part}.jsonl  # {chance.randint(1, 900)}k rows",
            f"    type: {chance.choice(_TYPES)}",
        ]
    lines += [
        f"dataset_prepared_path: last_run_prepared_{number}",
        f"val_set_size: {chance.choice(('0.0', '0.01', '0.05'))}",
        f"output_dir: ./outputs/run-{number}",
        "",
        f"sequence_len: {chance.choice((2048, 4096, 8192))}",
        f"sample_packing: {_flag(chance)}",
        "eval_sample_packing: false",
        "pad_to_sequence_len: true",
        "",
    ]
    if chance.random() < 0.7:
        lines += [
            "adapter: lora",
            "lora_model_dir:",
            f"lora_r: {chance.choice((8, 16, 32, 64))}",
            "lora_alpha: 16",
            "lora_dropout: 0.05",
            "lora_target_linear: true",
            "lora_target_modules:",
            *(f"  - {name}_proj" for name in ("q", "k", "v", "o", "gate", "up", "down")),
            "",
        ]
    lines += [
        "wandb_project:",
        "wandb_entity:",
        "wandb_watch:",
        f"wandb_name: run-{number}",
        "wandb_log_model:",
        "",
        f"gradient_accumulation_steps: {chance.choice((1, 2, 4, 8))}",
        f"micro_batch_size: {chance.choice((1, 2, 4))}",
        f"num_epochs: {chance.randint(1, 4)}",
        "optimizer: adamw_bnb_8bit",
        "lr_scheduler: cosine",
        f"learning_rate: 0.000{chance.randint(1, 9)}",
        "",
        "train_on_inputs: false",
        "group_by_length: false",
        "bf16: auto",
        "fp16:",
        "tf32: false",
        "",
        "gradient_checkpointing: true",
        "early_stopping_patience:",
        "resume_from_checkpoint:",
        "local_rank:",
        "logging_steps: 1",
        "xformers_attention:",
        "flash_attention: true",
        "",
        f"warmup_steps: {chance.randint(0, 200)}",
        "evals_per_epoch: 4",
        "saves_per_epoch: 1",
        "debug:",
        f"deepspeed: {chance.choice(('', 'deepspeed_configs/zero2.json'))}".rstrip(),
        "weight_decay: 0.0",
        "fsdp:",
        "fsdp_config:",
        "special_tokens:",
        '  pad_token: "<|end_of_text|>"',
    ]
    return "\n".join(lines) + "\n"


def _flag(chance: random.Random) -> str:
    return chance.choice(("true", "false"))


#: What the newest releases of Axolotl bring along, so that both runs check for the same.
_PINNED = {"axolotl": "0.21.0", "torch": "2.14.0", "transformers": "5.20.1", "trl": "1.14.1"}


def write_lock(folder: Path, count: int, seed: int) -> Path:
    """Write a `uv.lock` in the shape that uv gives it, with so many packages."""
    chance = random.Random(seed)
    versions = dict(_PINNED)
    while len(versions) < count:
        versions[f"package-{len(versions):03}"] = f"{chance.randint(0, 9)}.{chance.randint(0, 40)}"
    parts = ['version = 1\nrevision = 3\nrequires-python = ">=3.12"\n']
    parts += [_locked(name, versions, chance) for name in sorted(versions)]
    path = folder / "uv.lock"
    path.write_text("\n".join(parts), encoding="utf-8")
    return path


def _locked(name: str, versions: dict[str, str], chance: random.Random) -> str:
    needed = sorted(chance.sample(sorted(versions), chance.randint(0, 8)))
    lines = [
        "[[package]]",
        f'name = "{name}"',
        f'version = "{versions[name]}"',
        'source = { registry = "simple" }',
        "dependencies = [",
        *(f'    {{ name = "{other}" }},' for other in needed),
        "]",
        "wheels = [",
        *(
            f'    {{ filename = "{name}-{number}.whl", hash = "sha256:{chance.getrandbits(256):064x}" }},'
            for number in range(chance.randint(1, 6))
        ),
        "]",
    ]
    return "\n".join(lines) + "\n"
