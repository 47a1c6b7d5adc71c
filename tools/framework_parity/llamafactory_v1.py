"""Config files of LLaMA-Factory's v1 layout: valid ones with one to three changes.

    python -m tools.framework_parity.llamafactory_v1 generate --count 1000 --seed 1 FOLDER
    python -m tools.framework_parity.llamafactory_v1 compare FOLDER --theirs ROWS.jsonl --ours CFGLINT.json
    python -m tools.framework_parity.llamafactory_v1 record FOLDER VERSION=ROWS.jsonl... --out FIXTURE.json.gz

The first command writes the files and `manifest.jsonl`, which says what was changed in each. Their
verdicts are JSON lines with `file`, `ok`, `error` and `string_numbers`, of what `v1.config.get_args` of
a release says and whether its registries have the plugins that are named; ours is the output of
`cfglint --format json --target llamafactory==VERSION FOLDER`.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tools.framework_parity.commands import Files, Generated, run

Config = dict[str, Any]

_TABLE = Path("rules/llamafactory/tables/v1.json")
#: Codes of what is refused only when a model is there, where theirs has ended; and LFV002, which is
#: about what 0.9.4 does before it parses.
LATER = frozenset(
    {"LFV002", "LFV006", "LFV007", "LFV008", "LFV009", "LFV012", "LFV013", "LFV015", "LFV016"}
)
_HEAD: Config = {
    "model": "Qwen/Qwen3-0.6B",
    "model_class": "llm",
    "output_dir": "out",
    "micro_batch_size": 1,
    "learning_rate": 1.0e-4,
    "cutoff_len": 1024,
}
#: Valid files; what they have beside the head.
BASES: dict[str, Config] = {
    "full": {"dist_config": {"name": "fsdp2", "dcp_path": None}, "max_steps": 10},
    "lora": {"peft_config": {"name": "lora", "r": 16, "lora_alpha": 32}, "max_steps": 10},
    "qlora": {
        "peft_config": {"name": "lora", "r": 8},
        "quant_config": {"name": "bnb", "quantization_bit": 4},
    },
    "freeze": {"peft_config": {"name": "freeze", "freeze_trainable_layers": 2}},
    "kernels": {"kernel_config": {"name": "auto", "include_kernels": "auto"}},
    "deepspeed": {"dist_config": {"name": "deepspeed", "config_file": "ds_z3.json"}},
    "early": {"dataset": "data/v1_sft_demo.yaml", "global_batch_size": 8},
}
#: Values on both sides of what the parser and the plugins look at. `None` takes a key out.
_TRIED: dict[str, tuple[Any, ...]] = {
    "model": ("Qwen/Qwen3-4B", None, 7),
    "output_dir": (None,),
    "model_class": ("llm", "cls", "other", "LLM", "causal"),
    "template": ("qwen3", "qwen3_nothink", "chatml", "llama3", "qwen"),
    "flash_attn": ("sdpa", "eager", "flash_attention_2", "fa2", "auto", "flash_attention2"),
    "trust_remote_code": (True, False, "true"),
    "train_dataset": ("data/v1_sft_demo.yaml", None),
    "eval_dataset": ("data/v1_sft_demo.yaml", None),
    "dataset": ("data/v1_sft_demo.yaml", None),
    "batching_strategy": (
        *(
            "normal",
            "padding_free",
            "dynamic_batching",
            "dynamic_padding_free",
            "packing",
            "Normal",
        ),
    ),
    "max_steps": (10, 0, -1, "10", None),
    "save_epochs": (0.5, 1, "1", None),
    "save_steps": (100, "100", None),
    "num_train_epochs": (3, 1, "3"),
    "micro_batch_size": (1, 2, 3, 4, "2"),
    "global_batch_size": (1, 4, 6, 8, 12, "8", None),
    "cutoff_len": (512, 2048, "2048"),
    "learning_rate": (1.0e-4, "1e-4", 1, "fast"),
    "max_grad_norm": (1.0, 0, "1.0"),
    "bf16": (True, False, "false"),
    "enable_activation_checkpointing": (True, False),
    "seed": (1, 42),
    "full_determinism": (False,),
    "logging_steps": (1, 10, "10"),
    "resume_from_checkpoint": ("auto", "out/checkpoint-10", None),
    "save_total_limit": (3, None),
    "save_ckpt_as_hf": (True, False),
    "sample_backend": ("hf", "vllm", "huggingface"),
    "max_new_tokens": (128, "128"),
    "use_fast_processor": (True,),
}
_SECTIONS: dict[str, tuple[Any, ...]] = {
    "peft_config": (
        *({"name": "lora"}, {"name": "freeze"}, {"name": "dora"}, {"r": 8}, "lora", {}, None),
        *('{"name": "lora"}', {"name": "lora", "target_modules": "all"}, ["lora"], True),
        '{"name": "lora", "r": "16", "lora_dropout": "0.1", "use_rslora": "True"}',
        {"name": "lora", "r": "16", "lora_dropout": ".05", "target_modules": ["1", "q_proj"]},
    ),
    "dist_config": (
        *({"name": "fsdp2"}, {"name": "deepspeed", "config_file": "x.json"}, {"name": "fsdp"}),
        *({"name": "ddp"}, "fsdp2", {}, None, {"cp_size": 2}, {"name": "fsdp2", "offload": True}),
        *({"name": "fsdp2", "cp_size": "2"}, '{"name": "fsdp2", "cp_size": 2, "timeout": null}'),
    ),
    "quant_config": (
        *({"name": "bnb", "quantization_bit": 4}, {"name": "auto", "quantization_bit": "8"}),
        *({"name": "gptq"}, {"quantization_bit": 4}, 4, None, {"name": "bnb"}),
    ),
    "kernel_config": (
        *({"name": "auto"}, {"name": "liger_kernel", "include_kernels": "auto"}, {"name": "fla"}),
        *({"include_kernels": "auto"}, "auto", None),
    ),
    "init_config": ({"name": "init_on_rank0"}, {"name": "init_on_cpu"}, {}, None, "init_on_meta"),
    "optim_config": ({"name": "muon"}, {"lr": 1.0e-4}, None),
    "lr_scheduler_config": ({"name": "cosine"}, {"type": "cosine"}, None),
}
#: Keys of the older layout.
_OLDER = (
    *("model_name_or_path", "stage", "finetuning_type", "per_device_train_batch_size"),
    *("gradient_accumulation_steps", "lora_rank", "lr_scheduler_type", "deepspeed"),
)


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
        config = copy.deepcopy({**_HEAD, **BASES[base]})
        if base != "early":
            config["train_dataset"] = "data/v1_sft_demo.yaml"
        changes = [_change(config, chance, known) for _ in range(chance.choice((0, 1, 1, 2, 3)))]
        yield f"{number:05d}-{base}.yaml", config, changes


def _change(config: Config, chance: random.Random, known: dict[str, Any]) -> str:
    kind = chance.random()
    if kind < 0.05:  # a slip of the finger
        name = chance.choice(sorted(config))
        place = chance.randrange(len(name) - 1)
        slip = name[:place] + name[place + 1] + name[place] + name[place + 2 :]
        config[slip] = config.pop(name)
        return slip
    if kind < 0.1:
        name = chance.choice(_OLDER)
        config[name] = 1
        return name
    if kind < 0.2:  # a key of any release, with its default
        name = chance.choice(sorted(known))
        config.setdefault(name, known[name])
        return name
    tried = _SECTIONS if kind < 0.6 else _TRIED
    name = chance.choice(sorted(tried))
    value = chance.choice(tried[name])
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
    return run(Generated("llamafactory_v1", _files, 1000, _TABLE, later), arguments)


if __name__ == "__main__":
    sys.exit(main())
