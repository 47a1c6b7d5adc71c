"""What a config trains: everything, an adapter, or parts that are not counted."""

from __future__ import annotations

from cfglint.frameworks.axolotl.fit.precision import FUSED_SINCE
from cfglint.runs.memory.adapters import (
    copies,
    linear_names,
    low_rank,
    named_by,
    on_experts,
)
from cfglint.runs.memory.parts import Shape
from cfglint.runs.memory.run import Because
from cfglint.runs.memory.trained import Trained, all_of, known_rank, of_adapter
from cfglint.runs.memory.values import Values

_LOW_RANK = ("lora", "qlora")
#: Kinds of preference training whose trainers train the model as supervised training does.
_KNOWN_RL = (None, "dpo", "ipo", "kto", "orpo", "simpo", "grpo")
#: Keys with which only some of the parameters are trained, or some of the modules adapted.
_SOME_PARAMETERS = ("unfrozen_parameters", "lisa_n_layers", "lisa_step_interval")
_SOME_MODULES = (
    "peft_layers_to_transform", "lora_rank_pattern", "relora", "relora_steps", "peft_layers_pattern",
)  # fmt: skip


def trained(values: Values, shape: Shape, *, quantized: bool) -> Trained:
    """How many parameters are trained for certain."""
    adapter = values.at("adapter")
    if not adapter:
        if quantized:
            because = Because("quantized weights are not trained", ("base_model",))
            return Trained(0, False, because)
        if values.at("rl") not in _KNOWN_RL:
            return Trained(0, False, Because("what its trainer trains is not counted", ("rl",)))
        for key in _SOME_PARAMETERS:
            if values.at(key):
                return Trained(0, False, Because("which parameters is not counted", (key,)))
        matrices = sum(part.weights for part in shape.parts if part.kind != "other")
        grouped = matrices / max(shape.parameters, 1)
        return all_of(shape, ("base_model",)).replaced(grouped=grouped)
    path = ("adapter",)
    rank = known_rank(values.at("lora_r"))
    # An adapter that is there already has a rank and modules of its own.
    if adapter not in _LOW_RANK or rank is None or values.at("lora_model_dir"):
        return Trained(0, True, Because("what the adapter trains is not counted", path))
    written = values.at("lora_target_modules")
    if isinstance(written, str):
        targets = named_by(written, shape)
    else:
        targets = frozenset(values.names("lora_target_modules"))
    some = any(values.at(key) for key in _SOME_MODULES)
    if some:
        targets = frozenset()
    elif values.at("lora_target_linear"):
        targets = linear_names(shape)
    dora = bool(values.at("peft_use_dora"))
    count = low_rank(shape, rank, targets, dora=dora)
    if values.since(FUSED_SINCE) and not some:
        count += on_experts(shape, rank, values.names("lora_target_parameters"))
    count += copies(shape, values.names("lora_modules_to_save"))
    return of_adapter(count, shape, targets, path)
