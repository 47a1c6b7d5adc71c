"""Config files of TRL: valid ones of every command with one to three changes.

    python -m tools.framework_parity.trl generate --count 2000 --seed 1 FOLDER
    python -m tools.framework_parity.trl compare FOLDER --theirs ROWS.jsonl --ours CFGLINT.json
    python -m tools.framework_parity.trl record FOLDER VERSION=ROWS.jsonl... --out FIXTURE.json.gz

The first command writes a folder for each command (the command of a file is told by its folder) and
`manifest.jsonl`, which says what was changed in each file. Their verdicts are JSON lines with
`file`, `ok` and `error` of one release, from 0.18 on of its command `trl COMMAND --config FILE` up to
where the script has parsed the file: what `trl` hands to accelerate's launcher decides about unknown
keys, and the script's parser alone does not. Ours is the output of `cfglint --format json --target
trl==VERSION --target transformers==VERSION FOLDER`.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.framework_parity.commands import Files, Generated, run

Config = dict[str, Any]

_TABLES = Path("rules/trl/tables")
_HEAD: Config = {
    "model_name_or_path": "Qwen/Qwen2.5-0.5B",
    "dataset_name": "trl-lib/Capybara",
    "output_dir": "out",
    "per_device_train_batch_size": 4,
    "per_device_eval_batch_size": 8,
    "gradient_accumulation_steps": 4,
    "learning_rate": 2.0e-5,
    "num_train_epochs": 1,
    "logging_steps": 10,
    "save_strategy": "steps",
    "save_steps": 100,
    "lr_scheduler_type": "cosine",
    "bf16": True,
    "report_to": "none",
    "seed": 1,
}
#: Command -> what its files have beside the head.
BASES: dict[str, Config] = {
    "sft": {"packing": False, "use_peft": True, "lora_r": 16, "lora_alpha": 32},
    "dpo": {"beta": 0.1, "max_length": 1024, "loss_type": "sigmoid"},
    "kto": {"beta": 0.1, "max_length": 1024, "desirable_weight": 1.0},
    "grpo": {"num_generations": 4, "max_completion_length": 256, "temperature": 0.9},
    "reward": {"max_length": 1024},
    "rloo": {"num_generations": 4, "max_completion_length": 256, "beta": 0.05},
}
#: Codes of what is refused only when data or a trainer is made, where theirs has ended.
LATER = frozenset({"TRL011", "TRL014", "TRL033", "TRL035", "TRL037"})
#: Keys that need a process group, the network, or a version of accelerate before anything is said
#: about the file.
_NOT_TRIED = frozenset({"data_seed", "ddp_backend", "push_to_hub_model_id"})
_WRONG: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, 7, -1, 1.5, 8.0, 1e8, "", "no", "yes", "true", "auto", "none"),
    *("8", "1e-4", "2.0", "x", [], ["a"], {}, {"a": 1}, "steps", "epoch", "bfloat16"),
)
_PAIRS: tuple[Config, ...] = (
    {"load_best_model_at_end": True},
    {"load_best_model_at_end": True, "eval_strategy": "steps", "eval_steps": 50},
    {"load_best_model_at_end": True, "eval_strategy": "steps", "eval_steps": 30},
    {"load_best_model_at_end": True, "eval_strategy": "epoch"},
    {"load_best_model_at_end": True, "eval_strategy": "epoch", "save_strategy": "epoch"},
    {"load_best_model_at_end": True, "eval_strategy": "epoch", "save_strategy": "no"},
    {"fp16": True},
    {"fp16": True, "bf16": False},
    {"fp16_full_eval": True, "bf16_full_eval": True},
    {"load_in_8bit": True, "load_in_4bit": True},
    {"dataloader_prefetch_factor": 2},
    {"dataloader_prefetch_factor": 2, "dataloader_num_workers": 2},
    {"lr_scheduler_type": "reduce_lr_on_plateau"},
    {"lr_scheduler_type": "reduce_lr_on_plateau", "eval_strategy": "steps", "eval_steps": 10},
    {"logging_steps": 0},
    {"logging_steps": 0, "logging_strategy": "no"},
    {"logging_steps": 0.1},
    {"torch_empty_cache_steps": 0},
    {"evaluation_strategy": "steps", "eval_steps": 10},
    {"torch_dtype": "bfloat16"},
    {"max_seq_length": 512},
    {"max_prompt_length": 512},
    {"warmup_ratio": 0.1},
    {"warmup_ratio": 2.0},
    {"warmup_steps": -5},
    {"group_by_length": True},
    {"num_generations": 1},
    {"generation_batch_size": 16, "steps_per_generation": 4},
    {"generation_batch_size": 16},
    {"generation_batch_size": 18},
    {"log_completions_hub_repo": "me/x"},
    {"loss_type": ["sigmoid", "sft"], "loss_weights": [1.0]},
    {"auto_find_batch_size": True},
    {"num_processes": 4},
)


def generate(
    count: int, seed: int, tables: dict[str, Config]
) -> list[tuple[str, Config, list[str]]]:
    """Files as (folder and name, content, keys that were changed); the same for the same seed."""
    chance = random.Random(seed)
    out: list[tuple[str, Config, list[str]]] = []
    for number in range(count):
        command = sorted(BASES)[number % len(BASES)]
        config = {**copy.deepcopy(_HEAD), **copy.deepcopy(BASES[command])}
        changes: list[str] = []
        for _ in range(chance.choice((0, 1, 1, 1, 2, 3)) if number >= len(BASES) else 0):
            changes += _change(config, tables[command], chance)
        name = f"{command}/{number:05d}-{command}.yaml"
        out.append((name, config, sorted(set(changes))))
    return out


def _change(config: Config, table: Config, chance: random.Random) -> list[str]:
    """One change of one kind; the keys that it touched."""
    kind = chance.choices(
        ("known", "unknown", "value", "choice", "missing", "pair"), (3, 1, 5, 3, 1, 5)
    )[0]
    keys = sorted(table)
    if kind == "known":
        return [_set(config, chance.choice(keys), chance.choice(_WRONG))]
    if kind == "unknown":
        wrong = chance.choice(sorted(config)) + chance.choice(("s", "_x", "1"))
        return [_set(config, wrong, chance.choice(_WRONG))]
    if kind == "value":
        return [_set(config, chance.choice(sorted(config)), chance.choice(_WRONG))]
    if kind == "choice":
        key = chance.choice([one for one in keys if table[one].get("enum")])
        value = str(chance.choice(table[key]["enum"]))
        return [_set(config, key, chance.choice((value, value, value.upper(), value + "s")))]
    if kind == "missing":
        key = chance.choice(sorted(config))
        del config[key]
        return [key]
    return [_set(config, key, value) for key, value in chance.choice(_PAIRS).items()]


def _set(config: Config, key: str, value: Any) -> str:
    config[key] = copy.deepcopy(value)
    return key


def _tables() -> dict[str, Config]:
    """Command -> its keys, those of transformers included."""
    below = _keys("transformers")
    return {command: {**below, **_keys(command)} for command in BASES}


def _keys(name: str) -> Config:
    data: Config = json.loads((_TABLES / f"{name}.json").read_text(encoding="utf-8"))["keys"]
    return {
        key: info for key, info in data.items() if info["type"] != "any" and key not in _NOT_TRIED
    }


def _files(options: argparse.Namespace) -> Files:
    return generate(options.count, options.seed, _tables())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; `compare` ends with 1 when a verdict differs."""
    return run(Generated("trl", _files, 2000, later=",".join(sorted(LATER))), arguments)


if __name__ == "__main__":
    sys.exit(main())
