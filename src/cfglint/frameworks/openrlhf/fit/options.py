"""The options of OpenRLHF's programs that decide about memory, under their present and their former names."""

from __future__ import annotations

from cfglint.base.type_names import Any, Final
from cfglint.runs.memory.values import Values
from cfglint.source.document import Path

#: The release that sorted the options into sections.
_SECTIONS_SINCE: Final = "0.10.2"
#: What is asked for -> the path of the option, and its former name.
_PATHS: Final[dict[str, tuple[Path, str]]] = {
    "model": (("model", "model_name_or_path"), "pretrain"),
    "reference": (("ref", "model_name_or_path"), "ref_pretrain"),
    "reference_off": (("ref", "offload"), "ref_offload"),
    "stage": (("ds", "zero_stage"), "zero_stage"),
    "states_off": (("ds", "adam_offload"), "adam_offload"),
    "overlap": (("ds", "overlap_comm"), "overlap_comm"),
    "tensor_parallel": (("ds", "tensor_parallel_size"), "ds_tensor_parallel_size"),
    "ring": (("ds", "ring_attn_size"), "ring_attn_size"),
    "compiled": (("ds", "deepcompile"), "deepcompile"),
    "attention": (("ds", "attn_implementation"), "attn_implementation"),
    "four_bits": (("ds", "load_in_4bit"), "load_in_4bit"),
    "rank": (("ds", "lora", "rank"), "lora_rank"),
    "targets": (("ds", "lora", "target_modules"), "target_modules"),
    "checkpoints": (("model", "gradient_checkpointing_enable"), "gradient_checkpointing"),
    "length": (("data", "max_len"), "max_len"),
    "batch": (("train", "micro_batch_size"), "micro_train_batch_size"),
    "global_batch": (("train", "batch_size"), "train_batch_size"),
}


def path_of(name: str, values: Values) -> Path:
    """The path of an option as it is written, or as the release calls it."""
    path, former = _PATHS[name]
    if values.at(former) is not None:
        return (former,)
    return path if values.since(_SECTIONS_SINCE) else (former,)


def option(name: str, values: Values, default: Any = None) -> Any:
    """The value of an option; the default where it is not written."""
    found = values.at(*map(str, path_of(name, values)))
    return default if found is None else found


def spoken(name: str, values: Values) -> str:
    """An option as it is written, without its dashes."""
    return ".".join(map(str, path_of(name, values)))
