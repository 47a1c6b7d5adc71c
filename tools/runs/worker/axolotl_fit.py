"""Fits a validated Axolotl config to a CPU, two small datasets and a few steps.

Only after validation: that has to see the file as it is. Each change that hides something that the
file says is noted; numbers that are only made smaller are not.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Collection
from importlib import import_module
from typing import Any

from tools.runs.worker.protocol import Record

STEPS = 3
#: The most that a run takes of a number, so that three steps are seconds.
_MOST = {
    "sequence_len": 256,
    "eval_sequence_len": 256,
    "micro_batch_size": 2,
    "eval_batch_size": 2,
    "gradient_accumulation_steps": 2,
    "dataset_num_proc": 1,
    "dataset_processes": 1,
    "dataloader_num_workers": 1,
}
#: With `rl` it stays above TRL's own 512 for prompts, which older trainers compare it with.
_LONGEST_PAIR = 640
_EVERY = ("eval_steps", "save_steps", "logging_steps")
#: What needs a GPU, several processes, or the network. All of it is off.
_OFF = {
    "its kernels are for a GPU": (
        *(f"lora_{part}_kernel" for part in ("mlp", "qkv", "o", "embedding")),
        *(f"unsloth_{part}" for part in ("lora_mlp", "lora_qkv", "lora_o", "cross_entropy_loss")),
        *("unsloth_rms_norm", "unsloth_rope", "use_kernels", "use_scattermoe", "use_sonicmoe"),
        *(f"liger_{part}" for part in ("rope", "rms_norm", "glu_activation", "layer_norm")),
        *("liger_fused_linear_cross_entropy", "liger_cross_entropy", "liger_rms_norm_gated"),
        *("cut_cross_entropy", "fused_attn_kernel", "flash_optimum", "large_head_attention"),
        *(f"flash_attn_{part}" for part in ("cross_entropy", "rms_norm", "fuse_qkv", "fuse_mlp")),
    ),
    "needs a GPU": (
        "torch_compile",
        "tf32",
        "fp8",
        "fp8_config",
        "fp8_enable_fsdp_float8_all_gather",
    ),
    "needs several processes": ("deepspeed", "fsdp", "fsdp_config"),
    "needs a server": ("vllm", "use_ray"),
    "needs the network": (
        *("hub_model_id", "hub_strategy", "push_dataset_to_hub", "use_otel_metrics"),
        *("use_wandb", "wandb_project", "use_mlflow", "mlflow_tracking_uri", "use_comet"),
        *("use_swanlab", "use_trackio", "trackio_project_name"),
    ),
}
_ATTENTION = ("flash", "xformers", "sage", "flex", "s2")
_OLD_ATTENTION = tuple(f"{name}_attention" for name in _ATTENTION)
#: bitsandbytes has these for a GPU only.
_OPTIMIZERS = {"lion": "lion_pytorch", "": "adamw_torch"}


def fit(cfg: Any, record: Record, written: Collection[str]) -> None:
    """Change what came out of validation, before anything is made of it.

    Args:
        written: the keys of the file; of the others no change is noted.
    """
    seen = Record()
    _attention(cfg, seen)
    _switch_off(cfg, seen)
    _optimizer(cfg, seen)
    _sizes(cfg)
    _workers(cfg, written)
    _splits(cfg, seen)
    _functions(cfg, seen)
    record.replaced += [text for text in seen.replaced if text.partition(":")[0] in written]


def _attention(cfg: Any, record: Record) -> None:
    implementation = cfg.get("attn_implementation")
    name = implementation if isinstance(implementation, str) else ""
    if any(part in name for part in (*_ATTENTION, "/", "fa2", "fa3", "fa4")):
        record.replace("attn_implementation", "its kernels are for a GPU")
        cfg["attn_implementation"] = "sdpa"
    for key in _OLD_ATTENTION:
        if cfg.get(key):
            record.replace(key, "its kernels are for a GPU")
            cfg[key] = None
            if not name:
                cfg["sdp_attention"] = True


def _switch_off(cfg: Any, record: Record) -> None:
    for why, keys in _OFF.items():
        for key in keys:
            if cfg.get(key):
                record.replace(key, why)
                cfg[key] = None
    trl = cfg.get("trl")
    if isinstance(trl, dict):
        if trl.get("use_vllm"):
            record.replace("trl", "vLLM needs a GPU")
            trl["use_vllm"] = False
            trl["vllm_mode"] = None
        trl["max_completion_length"] = min(trl.get("max_completion_length") or 16, 16)


def _optimizer(cfg: Any, record: Record) -> None:
    optimizer = cfg.get("optimizer")
    name = str(getattr(optimizer, "value", optimizer) or "")
    if "8bit" in name or name.startswith("paged"):
        record.replace("optimizer", "bitsandbytes has it for a GPU only")
        cfg["optimizer"] = next(to for part, to in _OPTIMIZERS.items() if part in name)


def _sizes(cfg: Any) -> None:
    generates = cfg.get("rl") in ("grpo", "gdpo", "ebft")
    for key, usual in _MOST.items():
        most = usual
        value = cfg.get(key)
        if cfg.get("rl") and key.endswith("sequence_len"):
            most = _LONGEST_PAIR
        if _is_number(value) and value > most and not (generates and "batch" in key):
            cfg[key] = most
    if cfg.get("dataset_num_proc") is None:
        cfg["dataset_num_proc"] = 1
    if not cfg.get("max_steps") or cfg["max_steps"] > STEPS:
        cfg["max_steps"] = STEPS
    for key in _EVERY:
        if _is_number(cfg.get(key)) and cfg[key] > 2:
            cfg[key] = 2
    share = cfg.get("val_set_size")
    if _is_number(share) and share:
        # so few rows that a hundredth of them is none
        cfg["val_set_size"] = min(share, 32) if share >= 1 else max(share, 0.2)


def _workers(cfg: Any, written: Collection[str]) -> None:
    """Processes that read the data take longer to start than a run; the file's own stay."""
    if not any(key.startswith("dataloader_") for key in written):
        cfg["dataloader_num_workers"] = 0
        cfg["dataloader_prefetch_factor"] = None


def _splits(cfg: Any, record: Record) -> None:
    """A file of rows has one split."""
    for entry in (*(cfg.get("datasets") or ()), *(cfg.get("test_datasets") or ())):
        if not isinstance(entry, dict):
            continue
        split = entry.get("split")
        if isinstance(split, str) and split.partition("[")[0] != "train":
            record.replace("datasets", "the data here has one split")
            entry["split"] = "train"
        if _is_number(entry.get("shards")) and entry["shards"] > 4:
            entry["shards"] = 4


def _functions(cfg: Any, record: Record) -> None:
    """Stand-ins for the user's own functions: rewards, and what makes a prompt of a row."""
    rewards = (cfg.get("trl") or {}).get("reward_funcs") or ()
    for name in rewards if isinstance(rewards, list) else ():
        _stand_in(name, _reward, record)
    if cfg.get("rl") in ("grpo", "gdpo"):
        for entry in cfg.get("datasets") or ():
            _stand_in(entry.get("type") if isinstance(entry, dict) else None, _transform, record)


def _reward(completions: list[Any], **columns: Any) -> list[float]:
    return [float(len(str(text)) % 7) for text in completions]


def _transform(cfg: Any, *given: Any, **named: Any) -> Any:
    return lambda row, tokenizer=None: row


def _stand_in(name: Any, function: Callable[..., Any], record: Record) -> None:
    """Make `module.function` importable, where it is not there."""
    module, _, short = name.rpartition(".") if isinstance(name, str) else ("", "", "")
    if not module or module.startswith(("axolotl", "trl", "chat_template")):
        return
    try:
        found = import_module(module)
    except ImportError:
        found = sys.modules[module] = types.ModuleType(module)
    if not hasattr(found, short):

        def stand_in(*given: Any, **named: Any) -> Any:
            return function(*given, **named)

        stand_in.__name__ = short
        setattr(found, short, stand_in)
        record.replace("trl" if function is _reward else "datasets", f"a stand-in for {name}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
