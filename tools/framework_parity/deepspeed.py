"""DeepSpeed files: valid ones of every kind with one to three changes.

    python -m tools.framework_parity.deepspeed generate --count 5000 --seed 1 FOLDER
    python -m tools.framework_parity.deepspeed compare FOLDER --theirs ROWS.jsonl... --ours CFGLINT.json
    python -m tools.framework_parity.deepspeed record FOLDER VERSION=ROWS.jsonl... --out FIXTURE.json.gz

The first command writes the files, some with slips that JSON does not allow, and `manifest.jsonl`,
which says for each what was changed and who reads it: `deepspeed` opens it itself, `trainer` means
that transformers and accelerate load it and fill "auto" in. Their verdicts are JSON lines with
`file`, `ok`, `error` and `mode` (`raw` or `hf`), one release a file, for eight processes; ours is
the output of `cfglint --format json --gpus 8 --target deepspeed==VERSION FOLDER`. `record` writes the first files
with their verdicts, as a fixture for the test; a version is named once for each of its modes.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tools.framework_parity import folders
from tools.framework_parity.commands import add_compared, add_recorded
from tools.framework_parity.recorded import record
from tools.framework_parity.verdicts import Verdict, compare, read_ours, read_theirs, report

Config = dict[str, Any]

_TABLE = Path("rules/deepspeed/tables/deepspeed.json")
_ADAM: Config = {"type": "AdamW", "params": {"lr": 2e-5, "betas": [0.9, 0.95], "eps": 1e-8}}
_SIZES: Config = {"train_batch_size": 64, "train_micro_batch_size_per_gpu": 2}
_AUTO: Config = {
    "train_batch_size": "auto",
    "train_micro_batch_size_per_gpu": "auto",
    "gradient_accumulation_steps": "auto",
    "gradient_clipping": "auto",
    "bf16": {"enabled": "auto"},
}
#: Valid files of every kind.
BASES: dict[str, Config] = {
    "zero1": {**_SIZES, "bf16": {"enabled": True}, "zero_optimization": {"stage": 1}},
    "zero2": {
        **_SIZES,
        "gradient_accumulation_steps": 4,
        "gradient_clipping": 1.0,
        "steps_per_print": 100,
        "wall_clock_breakdown": False,
        "optimizer": _ADAM,
        "fp16": {
            "enabled": True,
            "loss_scale": 0,
            "loss_scale_window": 1000,
            "initial_scale_power": 16,
            "hysteresis": 2,
            "min_loss_scale": 1,
        },
        "zero_optimization": {
            "stage": 2,
            "allgather_partitions": True,
            "allgather_bucket_size": 2e8,
            "overlap_comm": True,
            "reduce_scatter": True,
            "reduce_bucket_size": 500000000,
            "contiguous_gradients": True,
            "offload_optimizer": {"device": "cpu", "pin_memory": True},
        },
    },
    "zero3": {
        **_SIZES,
        "bf16": {"enabled": True},
        "communication_data_type": "fp32",
        "scheduler": {
            "type": "WarmupDecayLR",
            "params": {"warmup_num_steps": 10, "warmup_max_lr": 2e-5, "total_num_steps": 1000},
        },
        "zero_optimization": {
            "stage": 3,
            "sub_group_size": 1e9,
            "stage3_prefetch_bucket_size": 50000000,
            "stage3_param_persistence_threshold": 100000,
            "stage3_max_live_parameters": 1e9,
            "stage3_max_reuse_distance": 1e9,
            "stage3_gather_16bit_weights_on_model_save": True,
            "offload_optimizer": {"device": "nvme", "nvme_path": "/local_nvme"},
            "offload_param": {"device": "cpu", "buffer_count": 5},
            "zero_hpz_partition_size": 8,
        },
        "aio": {"block_size": 1048576, "queue_depth": 8, "single_submit": False},
    },
    "watched": {
        **_SIZES,
        "gradient_accumulation_steps": 4,
        "zero_allow_untested_optimizer": True,
        "activation_checkpointing": {"partition_activations": True, "number_checkpoints": 4},
        "flops_profiler": {"enabled": True, "profile_step": 5, "module_depth": -1},
        "comms_logger": {"enabled": True, "verbose": False, "prof_ops": ["all_reduce"]},
        "tensorboard": {"enabled": True, "output_path": "logs", "job_name": "run"},
        "wandb": {"enabled": True, "project": "tickets", "group": "a", "team": None},
        "csv_monitor": {"enabled": False, "output_path": "csv"},
        "checkpoint": {"tag_validation": "Warn", "use_node_local_storage": False},
        "data_efficiency": {"enabled": True, "seed": 42, "data_sampling": {"num_workers": 2}},
    },
    "hybrid": {
        "train_batch_size": 8,
        "fp16": {"enabled": True, "loss_scale_window": 100},
        "hybrid_engine": {"enabled": True, "max_out_tokens": 512, "inference_tp_size": 1},
        "zero_optimization": {
            "stage": 3,
            "memory_efficient_linear": False,
            "round_robin_gradients": True,
        },
    },
    "auto2": {
        **_AUTO,
        "optimizer": {"type": "AdamW", "params": {"lr": "auto", "betas": "auto", "eps": "auto"}},
        "zero_optimization": {
            "stage": 2,
            "overlap_comm": True,
            "reduce_bucket_size": "auto",
            "contiguous_gradients": True,
        },
    },
    "auto3": {
        **_AUTO,
        "fp16": {"enabled": "auto", "loss_scale": 0, "initial_scale_power": 16},
        "scheduler": {
            "type": "WarmupDecayLR",
            "params": {
                "total_num_steps": "auto",
                "warmup_min_lr": "auto",
                "warmup_max_lr": "auto",
                "warmup_num_steps": "auto",
            },
        },
        "zero_optimization": {
            "stage": 3,
            "offload_optimizer": {"device": "cpu", "pin_memory": True},
            "offload_param": {"device": "cpu", "pin_memory": True},
            "sub_group_size": 1e9,
            "reduce_bucket_size": "auto",
            "stage3_prefetch_bucket_size": "auto",
            "stage3_param_persistence_threshold": "auto",
            "stage3_gather_16bit_weights_on_model_save": True,
        },
    },
}
#: What transformers and accelerate put in where the file says "auto".
FILLED = (
    *("train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"),
    *("gradient_clipping", "steps_per_print", "bf16.enabled", "fp16.enabled"),
    *(f"optimizer.params.{name}" for name in ("lr", "betas", "eps", "weight_decay")),
    *(f"scheduler.params.warmup_{name}" for name in ("min_lr", "max_lr", "num_steps")),
    "scheduler.params.total_num_steps",
)
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, 3, 7, -1, 1.5, 8.0, 1e8, 0.5),
    *("", "auto", "none", "8", "2.0", "true", "x"),
    *([], ["a"], [1], {}, {"a": 1}, "cpu", "nvme", "AdamW"),
)
_PAIRS: tuple[Config, ...] = (
    {"zero_optimization.cpu_offload": True},
    {"zero_optimization.cpu_offload": True, "zero_optimization.offload_optimizer": {}},
    {"zero_optimization.stage3_gather_fp16_weights_on_model_save": True},
    {"zero_optimization.prefetch_bucket_size": 5, "zero_optimization.max_live_parameters": 7},
    {"zero_optimization.offload_param": {"device": "nvme"}},
    {"zero_optimization.offload_param": {"device": "nvme", "nvme_path": "/data"}},
    {"zero_optimization.offload_optimizer": {"device": "cpu", "ratio": 0.5}},
    {"zero_optimization.stage": 2, "zero_optimization.elastic_checkpoint": True},
    {"fp16.enabled": True, "bf16.enabled": True},
    {"fp16.enabled": True, "fp16.fp16_master_weights_and_grads": True},
    {"train_batch_size": 64, "gradient_accumulation_steps": 3},
    {"train_batch_size": 7},
    {"train_batch_size": 64, "train_micro_batch_size_per_gpu": 3},
    {"optimizer.params.max_grad_norm": 1.0},
    {"curriculum_learning": {"enabled": False}},
    {"amp": {"enabled": False}},
    {"sparse_gradients": True},
    {"compression_training": {}},
    {"elasticity": {"enabled": False}},
    {"progressive_layer_drop": {"enabled": True, "theta": 0.5}},
    {"my_own_key": 1},
    {"data_types": {"grad_accum_dtype": "fp32"}},
    {"compile": {"deepcompile": True}},
    {"torch_autocast": {"enabled": True, "dtype": "bfloat16"}},
    {"zero_optimization": True},
    {"zero_optimization": {"stage": 1}, "bf16": {"enabled": True, "immediate_grad_update": True}},
)
#: Rules about what fails only after the configuration was read: the scheduler, the swapping.
LATER = frozenset({"DSP022", "DSP023", "DSP031", "DSP032", "DSP033", "DSP034", "DSZ004"})
#: Refusals that refer to the training arguments or of the machine, not of the file.
_NOT_THE_FILE = (
    *("that mismatch TrainingArguments", "GDS currently only supported"),
    *("object is not subscriptable", "list index out of range", "process: 0"),
)
#: Keys that can only be wrong together: a finding is at one of them.
_TOGETHER = (
    ("train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"),
    ("fp16", "bf16", "bfloat16"),
)
#: Where it is said that there is no batch size.
_WITHOUT_SIZE = ("zero_optimization", "bf16", "fp16", "optimizer")


class Generated(NamedTuple):
    """A file: its name, its text, the paths of what was changed, who reads it."""

    name: str
    text: str
    changes: list[str]
    reader: str


def generate(count: int, seed: int, table: Config) -> list[Generated]:
    """The same files for the same seed."""
    chance = random.Random(seed)
    keys = sorted(table["keys"])
    out = []
    for number in range(count):
        kind = sorted(BASES)[number] if number < len(BASES) else chance.choice(sorted(BASES))
        config = copy.deepcopy(BASES[kind])
        changes: list[str] = []
        for _ in range(chance.choice((0, 1, 1, 1, 1, 2, 3)) if number >= len(BASES) else 0):
            changes += _change(config, keys, table["keys"], chance)
        text = json.dumps(config, indent=4) + "\n"
        if number >= len(BASES) and chance.random() < 0.05:
            text, path = _slip(text, chance)
            changes.append(path)
        reader = (
            "trainer" if any(_value(config, path) == "auto" for path in FILLED) else "deepspeed"
        )
        out.append(Generated(f"{number:05d}-{kind}.json", text, sorted(set(changes)), reader))
    return out


def _change(config: Config, keys: list[str], table: Config, chance: random.Random) -> list[str]:
    """One change of one kind; the paths that it touched."""
    kind = chance.choices(
        ("known", "unknown", "value", "choice", "missing", "pair"), (4, 2, 4, 2, 2, 4)
    )[0]
    written = sorted(_paths(config))
    if kind == "known":
        path = chance.choice(keys).replace("*", "group")
        return [_set(config, path, chance.choice(_VALUES))]
    if kind == "unknown":
        path = chance.choice(written) + chance.choice(("s", "_x", "1"))
        return [_set(config, path, chance.choice(_VALUES))]
    if kind == "value":
        return [_set(config, chance.choice(written), chance.choice(_VALUES))]
    if kind == "choice":
        path = chance.choice([one for one in keys if table[one].get("enum")])
        value = chance.choice(table[path]["enum"])
        if isinstance(value, str):
            value = chance.choice((value, value, value.lower(), value.upper(), value + "s"))
        return [_set(config, path.replace("*", "group"), value)]
    if kind == "missing":
        path = chance.choice(written)
        home, name = _home(config, path)
        home.pop(name)
        return [path]
    return [_set(config, path, value) for path, value in chance.choice(_PAIRS).items()]


def _slip(text: str, chance: random.Random) -> tuple[str, str]:
    """The text with something that JSON does not allow, or a key twice; the key's path."""
    path = ""
    lines = text.splitlines()
    number = chance.randrange(1, len(lines) - 1)
    kind = chance.choice(("comment", "hash", "comma", "twice"))
    if kind == "comment":
        lines.insert(number, "    // tried out last week")
    elif kind == "hash":
        lines.insert(number, "    # tried out last week")
    elif kind == "comma":
        lines[-2] = lines[-2].removesuffix(",") + ","
    else:
        simple = [one for one in lines if re.fullmatch(r'    "\w+": [^\[{]*', one)]
        if simple:
            lines.insert(1, simple[0].removesuffix(",") + ",")
            path = simple[0].split('"')[1]
    return "\n".join(lines) + "\n", path


def _paths(config: Config, above: str = "") -> list[str]:
    found = []
    for name, value in config.items():
        found.append(above + name)
        if isinstance(value, dict):
            found += _paths(value, f"{above}{name}.")
    return found


def _home(config: Config, path: str) -> tuple[Config, str]:
    """The mapping that a key is in; made when it is not there, or is none."""
    *above, name = path.split(".")
    for part in above:
        if not isinstance(config.get(part), dict):
            config[part] = {}
        config = config[part]
    return config, name


def _set(config: Config, path: str, value: Any) -> str:
    home, name = _home(config, path)
    home[name] = copy.deepcopy(value)
    return path


def _value(config: Any, path: str) -> Any:
    for part in path.split("."):
        if not isinstance(config, dict):
            return None
        config = config.get(part)
    return config


def read_verdicts(paths: Sequence[Path], readers: dict[str, str]) -> dict[str, Verdict]:
    """Their verdicts, each file's from the mode in which it is read."""
    found: dict[str, Verdict] = {}
    for path in paths:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        modes = {row.get("mode", "raw") for row in rows}
        reader = "trainer" if modes == {"hf"} else "deepspeed"
        verdicts = read_theirs(path)
        found |= {
            name: one
            for name, one in verdicts.items()
            if readers.get(name) == reader and not any(part in one.reason for part in _NOT_THE_FILE)
        }
    return found


def to_blame(changes: list[str]) -> list[str]:
    """The keys at which a finding about these changes may stand."""
    more = [key for group in _TOGETHER if _touches(changes, group) for key in group]
    if _touches(changes, _TOGETHER[0]):
        more += _WITHOUT_SIZE
    return [*changes, *more]


def _touches(changes: list[str], group: tuple[str, ...]) -> bool:
    return any(change.partition(".")[0] in group for change in changes)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; `compare` ends with 1 when a verdict differs."""
    options = _parser().parse_args(arguments)
    if options.command == "compare":
        rows = folders.rows(options.folder)
        changed = {row["file"]: to_blame(row["changes"]) for row in rows}
        theirs = read_verdicts(options.theirs, _readers(options.folder))
        result = compare(theirs, read_ours(options.ours, LATER), changed)
        sys.stdout.write(report(result, options.show))
        return 1 if result.differing else 0
    if options.command == "record":
        paths: dict[str, list[Path]] = {}
        for version, path in options.rows:
            paths.setdefault(version, []).append(path)
        readers = _readers(options.folder)
        theirs_by_release = {one: read_verdicts(paths[one], readers) for one in paths}
        count = record(options.folder, theirs_by_release, options.count, options.out)
        sys.stdout.write(f"{count} files\n")
        return 0
    table = json.loads(options.table.read_text(encoding="utf-8"))
    made = generate(options.count, options.seed, table)
    more = {one.name: {"reader": one.reader} for one in made}
    files = ((one.name, one.text, one.changes) for one in made)
    sys.stdout.write(f"{folders.write(options.folder, files, more)} files\n")
    return 0


def _readers(folder: Path) -> dict[str, str]:
    """File name -> who reads it."""
    return {row["file"]: row["reader"] for row in folders.rows(folder)}


def _rows(argument: str) -> tuple[str, Path]:
    version, _, path = argument.partition("=")
    return version, Path(path)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.framework_parity.deepspeed")
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("generate", help="write files and what was changed in each")
    make.add_argument("folder", type=Path)
    make.add_argument("--count", type=int, default=5000)
    make.add_argument("--seed", type=int, default=1)
    make.add_argument("--table", type=Path, default=_TABLE, help="the table of keys")
    keep = commands.add_parser("record", help="files and their verdicts for the test")
    add_recorded(keep, 400)
    keep.add_argument("rows", type=_rows, nargs="+", metavar="VERSION=ROWS", help="verdicts")
    check = commands.add_parser("compare", help="their verdicts with ours, of one release")
    add_compared(check)
    check.add_argument("--theirs", type=Path, required=True, nargs="+", help="JSON lines")
    return parser


if __name__ == "__main__":
    sys.exit(main())
