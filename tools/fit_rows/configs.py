"""Makes an Axolotl config of a published measurement, as far as it tells one."""

from __future__ import annotations

import re
from typing import Any

#: Rows come from runs of several programs. Where a row does not say otherwise, a setting is left
#: out, so that it counts as nothing or as the release's default.
Row = dict[str, Any]

#: Models as sources call them -> a name that `rules/shapes.yaml` has.
_MODELS = {
    "llama2-7b": "NousResearch/Llama-2-7b-hf",
    "llama2-7b (llama-7b)": "NousResearch/Llama-2-7b-hf",
    "llama2-70b": "NousResearch/Llama-2-70b-hf",
    "llama-2-70b": "NousResearch/Llama-2-70b-hf",
    "llama3-70b": "NousResearch/Meta-Llama-3-70B",
    "mistral-7b": "mistralai/Mistral-7B-v0.1",
    "google/gemma-3-4b": "google/gemma-3-4b-it",
    "qwen2-vl-72b": "Qwen/Qwen2-72B",  # its language model
}
#: PEFT's comparison makes the optimizers of torch itself; other sources do not say which of the
#: two implementations they use, and the fused one needs less.
_OPTIMIZERS = {"adamw": "adamw_torch_fused", "adamw8bit": "adamw_bnb_8bit"}
_PEFT_OPTIMIZERS = {"adamw": "adamw_torch"}
#: What a stack of torchtune's README has; each line adds to those before it.
_STACK = ("+packed", "+chunked CE", "+optim in bwd", "+8bit AdamW", "QLoRA")
#: Its `train.py` loads the model without a `dtype`.
_IN_32_BITS = "tatsu-lab/stanford_alpaca"
#: What the sources of some rows say beside their keys: that of Ling names the file that it ran.
_TOLD: dict[str, dict[str, Any]] = {
    "axolotl/ling-3.0-flash-qlora": {
        "lora_r": 16,
        "lora_target_modules": [
            "q_proj", "k_proj", "v_proj", "o_proj", "kv_a_proj_with_mqa", "kv_b_proj", "dense",
        ],
        "lora_target_parameters": ["gate_up_proj", "down_proj"],
        "optimizer": "adamw_torch_4bit",
        "gradient_accumulation_steps": 2,
        "pad_to_sequence_len": True,
        "gradient_checkpointing": True,
    },
    # LongLoRA's fine-tune.py joins texts to full sequences.
    "odyn-longlora": {
        "lora_r": 8,
        "lora_target_modules": ["q_proj", "k_proj", "v_proj", "o_proj"],
        "pad_to_sequence_len": True,
        "gradient_checkpointing": True,
    },
}  # fmt: skip
#: torchtune's only config of a model and a method has this rank. Its recipes put adapters into the
#: precision of the model.
_TORCHTUNE_RANKS = {
    ("llama-3.1-8b", "lora"): 8,
    ("llama-3.1-405b", "qlora"): 16,
    ("llama-3.2-3b", "qlora"): 64,
}
_TORCHTUNE_TARGETS = ["q_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
#: Measurements of one run at growing lengths: the memory grows with each, so its sequences are full.
_FULL = "lf-wiki/seq"
#: How a row says in words that layers keep all that they compute.
_NO_CHECKPOINTS = "no act ckpt"
#: Of optimizers that are not known, nothing counts. torchtune's recipes have one each.
_NOT_TOLD = "not_told"


def config_of(row: Row) -> dict[str, Any]:
    """The config that a row describes."""
    config: dict[str, Any] = {
        "base_model": _base_model(str(row["model"])),
        "datasets": [{"path": "acme/tickets", "type": "alpaca"}],
        "bf16": row.get("precision") != "fp32" and not str(row["source"]).startswith(_IN_32_BITS),
        **_batch(row),
        **_method(row),
        **_optimizer(row),
        **_stack(row),
        **_torchtune(row),
        **_sharding(row),
        **(row.get("config") or {}),
        **_TOLD.get(str(row["id"]), {}),
    }
    if row.get("precision") == "fp16":
        config.update(bf16=False, fp16=True)
    if row.get("compile"):
        config["torch_compile"] = True
    if row.get("loss") == "liger_fused_linear_cross_entropy":
        config["plugins"] = ["axolotl.integrations.liger.LigerPlugin"]
    return config


def tells_checkpoints(row: Row) -> bool:
    """Whether it is told if the layers are checkpointed, which Unsloth does by itself."""
    known = row.get("grad_ckpt") is not None or row.get("stack") is not None
    return known or is_unsloth(row)


def is_unsloth(row: Row) -> bool:
    """Whether Unsloth ran it, whose kernels compute a module with its adapter at once."""
    return "unsloth" in str(row["id"]).lower()


def _base_model(name: str) -> str:
    found = _MODELS.get(name.lower(), name)
    return found if "/" in found else f"acme/{found}"


def _batch(row: Row) -> dict[str, Any]:
    """The tokens of a batch; every sequence is full where the row says that they are packed."""
    config: dict[str, Any] = {"micro_batch_size": row.get("batch") or 1}
    if row.get("seq"):
        config["sequence_len"] = row["seq"]
    if row.get("ga"):
        config["gradient_accumulation_steps"] = row["ga"]
    if row.get("packed") or str(row["id"]).startswith(_FULL):
        config["pad_to_sequence_len"] = True
    if row.get("grad_ckpt") is not None:
        config["gradient_checkpointing"] = row["grad_ckpt"]
    elif is_unsloth(row):
        config.update(gradient_checkpointing=True, unsloth_cross_entropy_loss=True)
        # It computes a checkpointed layer with kernels of its own.
        config.update(unsloth_lora_mlp=True, unsloth_lora_qkv=True, unsloth_lora_o=True)
    elif row.get("packed"):
        # Checkpoints, which keep less, unless the row says that there are none.
        config["gradient_checkpointing"] = _NO_CHECKPOINTS not in str(row.get("note"))
    return config


def _method(row: Row) -> dict[str, Any]:
    """What is trained. Of adapters that Axolotl does not have, only the base model counts."""
    words = re.split(r"[^a-z0-9_-]+", str(row["method"]).lower())
    preference = next((word for word in words if word in ("dpo", "grpo")), None)
    config: dict[str, Any] = {} if preference is None else {"rl": preference}
    if words[0] in ("full", "full-finetuning", "sft", "galore") or words[-1] == "full":
        return config
    kind = next((word for word in words if word in ("qlora", "lora")), words[0])
    config["adapter"] = kind
    if kind == "qlora":
        config["load_in_4bit"] = True
    elif "8bit" in words:
        config["load_in_8bit"] = True
    if (kind == "qlora" or "8bit" in words) and "config" not in row:
        # Other programs may have experts that are packed like other layers.
        config["quantize_moe_experts"] = True
    in_name = (int(word[1:]) for word in words if re.fullmatch(r"r\d+", word))
    rank = row.get("lora_r") or next(in_name, None)
    targets = row.get("lora_targets")
    # PEFT's comparison has variants of LoRA of which other matrices are trained.
    if rank and str(row["id"]).rpartition("-")[2] not in ("bdlora", "lorafa"):
        config["lora_r"] = rank
        if targets == "all":
            config["lora_target_linear"] = True
        elif isinstance(targets, list):
            config["lora_target_modules"] = targets
    return config


def _optimizer(row: Row) -> dict[str, Any]:
    if str(row["method"]) == "galore":
        return {"optimizer": "galore_adamw"}
    name = row.get("optimizer")
    if name is None:
        return {"optimizer": _NOT_TOLD} if row["id"].startswith("torchtune/") else {}
    known = {**_OPTIMIZERS, **_PEFT_OPTIMIZERS} if row["id"].startswith("peft/") else _OPTIMIZERS
    return {"optimizer": known.get(str(name).lower(), name)}


def _torchtune(row: Row) -> dict[str, Any]:
    if not str(row["id"]).startswith("torchtune/"):
        return {}
    config: dict[str, Any] = {"peft_autocast_adapter_dtype": False}
    rank = _TORCHTUNE_RANKS.get((str(row["model"]).lower(), str(row["method"])))
    if rank is not None:
        config.update(lora_r=rank, lora_target_modules=_TORCHTUNE_TARGETS)
    return config


def _stack(row: Row) -> dict[str, Any]:
    stack = row.get("stack")
    if stack is None:
        return {}
    has = _STACK[: _STACK.index(stack) + 1]
    config: dict[str, Any] = {"pad_to_sequence_len": True}
    if "+chunked CE" in has:
        config["chunked_cross_entropy"] = True
        # Between packing and this, the README compiles the model; activations are checkpointed from
        # the next line on.
        config["torch_compile"] = True
    if steps_in_backward(row):
        config["gradient_checkpointing"] = True
    # Before this line, the README has one for the offloading of activations.
    config["activation_offloading"] = "+8bit AdamW" in has
    return config


def steps_in_backward(row: Row) -> bool:
    """Whether each gradient is gone as soon as it is there, which Axolotl does not do."""
    stack = row.get("stack")
    return stack in _STACK[_STACK.index("+optim in bwd") :]


def _sharding(row: Row) -> dict[str, Any]:
    """DeepSpeed or FSDP, with the offload that the row or its note tells."""
    text = str(row.get("sharding") or "none")
    way = text.partition("+")[0]
    offload = "offload" in text or "offload" in str(row.get("note", "")).lower()
    if way.startswith("zero"):
        # A stage that is not told is none that can be read.
        stage = int(way[4:]) if way[4:].isdigit() else None
        section: dict[str, Any] = {"stage": stage}
        if offload:
            section["offload_optimizer"] = section["offload_param"] = {"device": "cpu"}
        return {"deepspeed": {"zero_optimization": section, "bf16": {"enabled": "auto"}}}
    if way.startswith("fsdp"):
        version = int(way[4:] or 1)
        config = {"offload_params": offload, "auto_wrap_policy": "TRANSFORMER_BASED_WRAP"}
        return {"fsdp_version": version, "fsdp_config": config}
    return {}
