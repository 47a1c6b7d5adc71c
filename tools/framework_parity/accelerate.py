"""Config files of accelerate: valid ones of every kind with one to three changes.

    python -m tools.framework_parity.accelerate generate --count 5000 --seed 1 FOLDER
    python -m tools.framework_parity.accelerate compare FOLDER --theirs ROWS.jsonl --ours CFGLINT.json
    python -m tools.framework_parity.accelerate record FOLDER VERSION=ROWS.jsonl... --out FIXTURE.json.gz

The first command writes the files and `manifest.jsonl`, which says what was changed in each. Their
verdicts are JSON lines with `file`, `ok` and `error`, one release a file; ours is the output of
`cfglint --format json --target accelerate==VERSION FOLDER`. `record` writes the first files with
the verdicts of several releases for the test that holds cfglint to them.
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

_TABLE = Path("rules/accelerate/tables/accelerate.json")
_HEAD: Config = {
    "compute_environment": "LOCAL_MACHINE",
    "debug": False,
    "machine_rank": 0,
    "main_training_function": "main",
    "num_machines": 1,
    "num_processes": 8,
    "rdzv_backend": "static",
    "same_network": True,
    "use_cpu": False,
}
#: Valid files; what differs from the head.
BASES: dict[str, Config] = {
    "plain": {"distributed_type": "NO", "mixed_precision": "bf16", "num_processes": 1},
    "cpu": {"distributed_type": "MULTI_CPU", "mixed_precision": "no", "num_processes": 4},
    "gpus": {"distributed_type": "MULTI_GPU", "mixed_precision": "fp16", "gpu_ids": "all"},
    "machines": {
        "distributed_type": "MULTI_GPU",
        "mixed_precision": "bf16",
        "num_machines": 2,
        "num_processes": 16,
        "machine_rank": 1,
        "main_process_ip": "10.0.0.1",
        "main_process_port": 29500,
    },
    "compiled": {
        "distributed_type": "MULTI_GPU",
        "mixed_precision": "bf16",
        "dynamo_config": {
            "dynamo_backend": "INDUCTOR",
            "dynamo_mode": "default",
            "dynamo_use_dynamic": False,
            "dynamo_use_fullgraph": False,
        },
    },
    "fp8": {
        "distributed_type": "MULTI_GPU",
        "mixed_precision": "fp8",
        "fp8_config": {
            "backend": "TE",
            "margin": 0,
            "interval": 1,
            "fp8_format": "HYBRID",
            "amax_history_len": 1024,
            "amax_compute_algo": "most_recent",
            "override_linear_precision": [False, False, False],
        },
    },
    "fsdp1": {
        "distributed_type": "FSDP",
        "mixed_precision": "bf16",
        "fsdp_config": {
            "fsdp_auto_wrap_policy": "TRANSFORMER_BASED_WRAP",
            "fsdp_backward_prefetch": "BACKWARD_PRE",
            "fsdp_forward_prefetch": False,
            "fsdp_offload_params": False,
            "fsdp_sharding_strategy": "FULL_SHARD",
            "fsdp_state_dict_type": "SHARDED_STATE_DICT",
            "fsdp_sync_module_states": True,
            "fsdp_use_orig_params": True,
        },
    },
    "fsdp2": {
        "distributed_type": "FSDP",
        "mixed_precision": "bf16",
        "fsdp_config": {
            "fsdp_version": 2,
            "fsdp_auto_wrap_policy": "TRANSFORMER_BASED_WRAP",
            "fsdp_offload_params": False,
            "fsdp_reshard_after_forward": True,
            "fsdp_state_dict_type": "SHARDED_STATE_DICT",
        },
    },
    "mesh": {
        "distributed_type": "FSDP",
        "mixed_precision": "bf16",
        "fsdp_config": {"fsdp_version": 2, "fsdp_state_dict_type": "SHARDED_STATE_DICT"},
        "parallelism_config": {
            "parallelism_config_dp_replicate_size": 1,
            "parallelism_config_dp_shard_size": 4,
            "parallelism_config_tp_size": 1,
            "parallelism_config_cp_size": 2,
        },
    },
    "zero2": {
        "distributed_type": "DEEPSPEED",
        "mixed_precision": "bf16",
        "deepspeed_config": {
            "zero_stage": 2,
            "offload_optimizer_device": "none",
            "offload_param_device": "none",
            "gradient_accumulation_steps": 4,
            "gradient_clipping": 1.0,
            "zero3_init_flag": False,
        },
    },
    "zero3": {
        "distributed_type": "DEEPSPEED",
        "mixed_precision": "bf16",
        "deepspeed_config": {
            "zero_stage": 3,
            "deepspeed_multinode_launcher": "standard",
            "offload_optimizer_device": "cpu",
            "offload_param_device": "cpu",
            "zero3_init_flag": True,
            "zero3_save_16bit_model": True,
        },
    },
    "megatron": {
        "distributed_type": "MEGATRON_LM",
        "mixed_precision": "bf16",
        "megatron_lm_config": {
            "megatron_lm_gradient_clipping": 1.0,
            "megatron_lm_num_micro_batches": 2,
            "megatron_lm_pp_degree": 2,
            "megatron_lm_recompute_activations": True,
            "megatron_lm_sequence_parallelism": False,
            "megatron_lm_tp_degree": 2,
            "megatron_lm_use_distributed_optimizer": True,
        },
    },
}
_WRONG: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, 3, 7, -1, 1.5, 8.0, 1e8),
    *("", "no", "yes", "true", "False", "on", "auto", "none", "8", "1e8", "2.0", "x"),
    *([], ["a"], {}, {"a": 1}, "FULL_SHARD", "full_shard", "SHARD_GRAD_OP", "BF16", "fp32"),
)
_PAIRS: tuple[Config, ...] = (
    {"fsdp_config.fsdp_sync_module_states": False},
    {
        "fsdp_config.fsdp_sync_module_states": False,
        "fsdp_config.fsdp_cpu_ram_efficient_loading": False,
    },
    {"fsdp_config.fsdp_auto_wrap_policy": "SIZE_BASED_WRAP"},
    {
        "fsdp_config.fsdp_auto_wrap_policy": "SIZE_BASED_WRAP",
        "fsdp_config.fsdp_min_num_params": 2000,
    },
    {"fsdp_config.fsdp_version": 2, "fsdp_config.fsdp_reshard_after_forward": "FULL_SHARD"},
    {"fsdp_config.fsdp_state_dict_type": "LOCAL_STATE_DICT"},
    {"fsdp_config.fsdp_state_dict_type": "FULL_STATE_DICT"},
    {"deepspeed_config.offload_param_device": "nvme"},
    {"num_machines": 2},
    {"num_machines": 2, "main_process_ip": "10.0.0.1", "main_process_port": 29500},
    {"num_machines": 3, "num_processes": 8},
    {"gpu_ids": "0"},
    {"gpu_ids": "0,1"},
    {"mixed_precision": "fp8", "fp8_config": {"backend": "TE"}},
    {"dynamo_backend": "INDUCTOR"},
    {"fp16": True},
    {"parallelism_config": {"parallelism_config_tp_size": 2}},
    {"parallelism_config": {"parallelism_config_cp_size": 2, "parallelism_config_sp_size": 2}},
)


#: It decides which of two classes reads the file, and so which other keys are known.
_DECIDING = frozenset({"compute_environment"})


def generate(count: int, seed: int, table: Config) -> list[tuple[str, Config, list[str]]]:
    """Files as (name, content, paths of what was changed); the same ones for the same seed."""
    chance = random.Random(seed)
    keys = sorted(table["keys"])
    out: list[tuple[str, Config, list[str]]] = []
    for number in range(count):
        kind = chance.choice(sorted(BASES))
        config = {**copy.deepcopy(_HEAD), **copy.deepcopy(BASES[kind])}
        changes: list[str] = []
        for _ in range(chance.choice((0, 1, 1, 1, 1, 2, 3)) if number >= len(BASES) else 0):
            changes += _change(config, keys, table["keys"], chance)
        out.append((f"{number:05d}-{kind}.yaml", config, sorted(set(changes))))
    return out


def _change(config: Config, keys: list[str], table: Config, chance: random.Random) -> list[str]:
    """One change of one kind; the paths that it touched."""
    kind = chance.choices(
        ("known", "unknown", "value", "choice", "missing", "pair", "kind", "short"),
        (3, 2, 5, 4, 3, 4, 1, 1),
    )[0]
    written = [path for path in _paths(config) if "." in path or not isinstance(config[path], dict)]
    if kind == "known":
        path = chance.choice(keys)
        return [_set(config, path, chance.choice(_WRONG))]
    if kind == "unknown":
        path = chance.choice(written)
        return [_set(config, path + chance.choice(("s", "_x", "1")), chance.choice(_WRONG))]
    if kind == "value":
        return [_set(config, chance.choice(written), chance.choice(_WRONG))]
    if kind == "choice":
        path = chance.choice([one for one in keys if table[one].get("enum")])
        value = str(chance.choice(table[path]["enum"]))
        value = chance.choice((value, value, value.lower(), value.upper(), value + "S"))
        return [_set(config, path, value)]
    if kind == "missing":
        path = chance.choice(written)
        section, _, name = path.rpartition(".")
        (config[section] if section else config).pop(name)
        return [path]
    if kind == "pair":
        return [_set(config, path, value) for path, value in chance.choice(_PAIRS).items()]
    if kind == "kind":
        kinds = [*table["distributed_type"]["enum"], "TPU", False, "fsdp"]
        return [_set(config, "distributed_type", chance.choice(kinds))]
    sections = [name for name, part in config.items() if isinstance(part, dict) and part]
    if not sections:
        return []
    section = chance.choice(sections)
    name = chance.choice(sorted(config[section]))
    short = name.removeprefix("fsdp_").removeprefix("dynamo_").removeprefix("parallelism_config_")
    config[section][short] = config[section].pop(name)
    return [f"{section}.{short}"]


def _paths(config: Config) -> list[str]:
    inner = [
        f"{name}.{key}" for name, part in config.items() if isinstance(part, dict) for key in part
    ]
    return sorted([*config, *inner])


def _set(config: Config, path: str, value: Any) -> str:
    section, _, name = path.rpartition(".")
    home = config
    if section:
        if not isinstance(config.get(section), dict):
            config[section] = {}
        home = config[section]
    home[name] = copy.deepcopy(value)
    return path


def _files(options: argparse.Namespace) -> Files:
    return generate(
        options.count, options.seed, json.loads(options.table.read_text(encoding="utf-8"))
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; `compare` ends with 1 when a verdict differs."""
    # Theirs has finished before the processes have started.
    later = "ACC033,ACC063"
    return run(Generated("accelerate", _files, 5000, _TABLE, later, _DECIDING), arguments)


if __name__ == "__main__":
    sys.exit(main())
