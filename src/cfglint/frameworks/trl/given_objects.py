"""What a program shows of the objects that a trainer is given: what made them, and what may have changed them since."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.base.type_names import Final
from cfglint.knowledge.rules.knowledge import load_knowledge
from cfglint.source.calls import GivenObject, call_of
from cfglint.source.document import Mapping
from cfglint.source.python_objects import ANYTHING

GET_PEFT_MODEL: Final = "get_peft_model"
PREPARE: Final = "prepare_model_for_kbit_training"
#: What is done with a model without making another one of it; any other function may give it an adapter.
_HARMLESS: Final = frozenset(
    {
        *("print", "str", "repr", "type", "len", "isinstance", "hasattr", "getattr", "id"),
        *("print_trainable_parameters", "count_parameters", "print_model_size"),
        *(GET_PEFT_MODEL, PREPARE),
    }
)
_HARMLESS_METHODS: Final = frozenset(
    {
        *("config", "generation_config", "device", "dtype", "hf_device_map", "name_or_path"),
        *("parameters", "named_parameters", "modules", "named_modules", "state_dict"),
        *("num_parameters", "get_memory_footprint", "print_trainable_parameters", "generate"),
        *("gradient_checkpointing_enable", "gradient_checkpointing_disable", "train", "eval"),
        *("enable_input_require_grads", "resize_token_embeddings", "tie_weights", "to", "cuda"),
        *("get_input_embeddings", "get_output_embeddings", "requires_grad_", "is_loaded_in_4bit"),
        *("save_pretrained", "is_parallelizable", "model_parallel", "warnings_issued"),
    }
)
#: The methods of `TrainingArguments` that set others of its values, and what does so for any object.
_SETTERS: Final = (".set_", ".__")
#: What gives an object whatever it is given: classes, and what loads and copies models.
_MAKERS: Final = frozenset({"from_pretrained", "create_reference_model"})

#: What names of adapters and of half-trained models have in them.
_TRAINED: Final = re.compile(r"lora|adapter|peft|dora|checkpoint|tune|sft|dpo", re.IGNORECASE)


def is_base_model(name: str) -> bool:
    """Whether the name of a model is surely that of a whole one, which is known."""
    last = name.rstrip("/").rpartition("/")[2]
    return _TRAINED.search(name) is None and load_knowledge("trl").model(last) is not None


def is_object(part: GivenObject) -> bool:
    """Whether what makes an object surely gives one; a function such as `get_peft_config` may give None."""
    package, _, name = full_name(part.made).rpartition(".")
    return bool(package) and (name[:1].isupper() or name in _MAKERS)


def full_name(made: Mapping) -> str:
    call = call_of(made)
    return "" if call is None else call.name


def last_part(made: Mapping) -> str:
    return full_name(made).rpartition(".")[2]


def part_of(made: Mapping, parameter: str) -> GivenObject | None:
    call = call_of(made)
    parts: Iterator[GivenObject] = iter(()) if call is None else iter(call.parts)
    return next((one for one in parts if one.parameter == parameter), None)


def stored_in(part: GivenObject) -> frozenset[str]:
    """The attributes that the program sets after it has made an object."""
    return frozenset(one[1:] for one in part.used if one.startswith("="))


def is_handed_on(part: GivenObject) -> bool:
    """Whether a config goes to something that may change it, or has a method that does."""
    return any(
        one.startswith(_SETTERS)
        or (one[0] not in ".=" and one not in _HARMLESS and not _takes_configs(one))
        for one in part.used
    )


def _takes_configs(name: str) -> bool:
    """Whether a function is one that reads a config: a trainer, or what loads a model."""
    return name.endswith("Trainer") or name == "from_pretrained"


def is_plain(model: GivenObject) -> bool:
    """Whether nothing was done with a model that may have given it an adapter."""
    if ANYTHING in model.used:
        return False
    return all(
        one[1:] in _HARMLESS_METHODS if one[0] in ".=" else one in _HARMLESS for one in model.used
    )
