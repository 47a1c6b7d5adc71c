"""Config files of LLaMA-Factory: valid ones of every stage and command with one to three changes.

    python -m tools.framework_parity.llamafactory generate --count 3000 --seed 1 FOLDER
    python -m tools.framework_parity.llamafactory compare FOLDER --theirs ROWS.jsonl --ours CFGLINT.json
    python -m tools.framework_parity.llamafactory record FOLDER VERSION=ROWS.jsonl... --out FIXTURE.json.gz

The first command writes the files and `manifest.jsonl`, which says what was changed in each. Their
verdicts are JSON lines with `file`, `ok`, `error` and `string_numbers` (fields of numbers that hold
a text, which the parser lets pass and the trainer does not), one release a file; ours is the output
of `cfglint --format json --gpus 8 --target "llamafactory==VERSION transformers==VERSION" FOLDER`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tools.framework_parity.commands import Files, Generated, run

Config = dict[str, Any]

_TABLE = Path("rules/llamafactory/tables/llamafactory.json")
#: Codes of what is refused only when the model is loaded or trained, where theirs has ended.
LATER = frozenset({"LLF010", "LLF011", "LLF302", "LLF730"})
_TRAINING: Config = {
    "model_name_or_path": "Qwen/Qwen2-7B",
    "stage": "sft",
    "do_train": True,
    "finetuning_type": "lora",
    "dataset": "identity",
    "template": "qwen",
    "cutoff_len": 1024,
    "output_dir": "saves/run",
    "per_device_train_batch_size": 1,
    "gradient_accumulation_steps": 8,
    "learning_rate": 1.0e-4,
    "num_train_epochs": 3.0,
    "lr_scheduler_type": "cosine",
    "bf16": True,
    "logging_steps": 10,
    "save_steps": 500,
}
#: Valid files; what differs from a plain training run. `None` takes a key out.
BASES: dict[str, Config] = {
    "lora": {"lora_rank": 8, "lora_target": "all"},
    "qlora": {"quantization_bit": 4, "lora_rank": 8},
    "full": {"finetuning_type": "full"},
    "freeze": {"finetuning_type": "freeze", "freeze_trainable_layers": 2},
    "galore": {"finetuning_type": "full", "use_galore": True, "pure_bf16": True, "bf16": None},
    "pretraining": {"stage": "pt", "packing": True},
    "dpo": {"stage": "dpo", "pref_beta": 0.1, "pref_loss": "sigmoid"},
    "kto": {"stage": "kto", "pref_beta": 0.1},
    "reward": {"stage": "rm"},
    "ppo": {"stage": "ppo", "reward_model": "saves/reward"},
    "evaluating": {"val_size": 0.1, "eval_strategy": "steps", "eval_steps": 500},
    "streaming": {"streaming": True, "max_steps": 1000},
    "predicting": {
        "do_train": None,
        "dataset": None,
        "do_predict": True,
        "predict_with_generate": True,
        "eval_dataset": "identity",
    },
}
#: What the checks of the parser look at, with values on both sides of each.
_TRIED: dict[str, tuple[Any, ...]] = {
    "stage": ("pt", "sft", "rm", "ppo", "dpo", "kto"),
    "finetuning_type": ("lora", "full", "freeze", "qlora"),
    "do_train": (True, False, None),
    "do_eval": (True, False),
    "do_predict": (True, False),
    "predict_with_generate": (True, False),
    "compute_accuracy": (True,),
    "eval_strategy": ("steps", "epoch", "no", "none"),
    "val_size": (0.1, 0, 100, "0.1"),
    "dataset": ("identity", None, ["identity"], "identity,alpaca_en_demo"),
    "eval_dataset": ("identity", None),
    "streaming": (True, False),
    "max_steps": (1000, -1, None, "1000"),
    "max_samples": (1000, None),
    "mix_strategy": ("concat", "interleave_under"),
    "interleave_probs": ("0.5,0.5", "1.0"),
    "adapter_name_or_path": ("saves/first", "saves/first,saves/second", None),
    "create_new_adapter": (True,),
    "quantization_bit": (4, 8, None),
    "quantization_device_map": ("auto", None),
    "resize_vocab": (True, False),
    "pissa_init": (True,),
    "use_dora": (True, False),
    "use_rslora": (True,),
    "loraplus_lr_ratio": (16.0, None),
    "use_galore": (True, False),
    "galore_layerwise": (True,),
    "use_badam": (True, False),
    "badam_mode": ("layer", "ratio"),
    "use_llama_pro": (True,),
    "use_unsloth": (True,),
    "shift_attn": (True,),
    "reward_model": ("saves/reward", None),
    "reward_model_type": ("lora", "full", "api"),
    "ref_model_quantization_bit": (4, 16, None),
    "pref_loss": ("sigmoid", "ipo", "orpo", "simpo"),
    "dpo_label_smoothing": (0.1, 0.0),
    "neat_packing": (True, False),
    "train_on_prompt": (True,),
    "mask_history": (True,),
    "load_best_model_at_end": (True, False),
    "save_strategy": ("steps", "epoch", "no", "never"),
    "report_to": ("none", "wandb", "mlflow"),
    "infer_backend": ("huggingface", "vllm"),
    "lr_scheduler_type": ("cosine", "reduce_lr_on_plateau", "cosin"),
    "optim": ("adamw_torch", "adamw", "paged_adamw_8bit"),
    "fp16": (True, False),
    "bf16": (True, False),
    "learning_rate": (1.0e-4, "1e-4", "fast"),
    "warmup_steps": (100, -5, "100"),
    "warmup_ratio": (0.1, 1.5),
    "logging_steps": (10, 0, 0.5, "10"),
    "save_steps": (500, 300, "500"),
    "eval_steps": (500, 300, "500"),
    "dataloader_prefetch_factor": (2,),
    "dataloader_num_workers": (0, 4),
    "split_special_tokens": (True,),
    "use_fast_tokenizer": (True, False),
    "export_quantization_bit": (4,),
    "template": ("qwen", "llama3", None, "lama3"),
    "model_name_or_path": ("Qwen/Qwen2-7B", None),
    "overwrite_output_dir": (True,),
    "evaluation_strategy": ("steps", "no"),
    "group_by_length": (True,),
    "save_safetensors": (True,),
    "quantization_method": ("bitsandbytes", "bnb", "hqq"),
    "image_max_pixels": (262144, 512),
}


def generate(
    count: int, seed: int, table: dict[str, Any]
) -> Iterator[tuple[str, Config, list[str]]]:
    """File names, contents, and the keys that were changed in each."""
    chance = random.Random(seed)
    known = {
        name: info["default"]
        for name, info in sorted(table["keys"].items())
        if isinstance(info.get("default"), (bool, int, float, str))
    }
    for number in range(count):
        base = chance.choice(sorted(BASES))
        config = {**_TRAINING, **BASES[base]}
        config = {key: value for key, value in config.items() if value is not None}
        changes = [_change(config, chance, known) for _ in range(chance.choice((1, 1, 2, 2, 3)))]
        yield f"{number:05d}-{base}.yaml", config, changes


def _change(config: Config, chance: random.Random, known: dict[str, Any]) -> str:
    kind = chance.random()
    if kind < 0.08:  # a slip of the finger
        name = chance.choice(sorted(config))
        place = chance.randrange(len(name) - 1)
        slip = name[:place] + name[place + 1] + name[place] + name[place + 2 :]
        config[slip] = config.pop(name)
        return slip
    if kind < 0.2:  # a key of any release, with its default
        name = chance.choice(sorted(known))
        config.setdefault(name, known[name])
        return name
    name = chance.choice(sorted(_TRIED))
    value = chance.choice(_TRIED[name])
    if value is None:
        config.pop(name, None)
    else:
        config[name] = value
    return name


def _files(options: argparse.Namespace) -> Files:
    return generate(
        options.count, options.seed, json.loads(options.table.read_text(encoding="utf-8"))
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; `compare` ends with 1 when a verdict differs."""
    later = ",".join(sorted(LATER))
    return run(Generated("llamafactory", _files, 3000, _TABLE, later), arguments)


if __name__ == "__main__":
    sys.exit(main())
