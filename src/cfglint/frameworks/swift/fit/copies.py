"""Which models a run of ms-swift has beside the one that it trains: `rlhf_args.py`."""

from __future__ import annotations

from cfglint.base.type_names import Final
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.swift.fit.model import model_key
from cfglint.frameworks.swift.fit.trained import FULL, kind_of
from cfglint.runs.memory.values import Values

#: Methods that compare with a second model where all parameters are trained.
_WITH_REFERENCE = ("dpo", "kto", "grpo")
#: Names of the reference model, if it is another one.
_REFERENCES = ("ref_model", "ref_model_id_or_path", "ref_model_type")
_METHOD: Final = "rlhf_type"
#: Commands that are a method themselves.
_METHODS = ("dpo", "orpo", "simpo")


def method_of(command: str, values: Values, around: Surroundings) -> str:
    """The method of `swift rlhf`; empty for the other commands."""
    if command != "rlhf":
        return ""
    called = {line.command for line in around.launches} & {*_METHODS}
    return str(values.at(_METHOD) or (called.pop() if len(called) == 1 else "dpo"))


def references(method: str, values: Values, *, quantized: bool) -> int:
    """Whether a copy of the model is loaded to compare with.

    Where an adapter is trained, the model without it is compared with.
    """
    if method not in _WITH_REFERENCE or kind_of(values) != FULL or quantized:
        return 0
    own = values.at(*model_key(values))
    others = [value for key in _REFERENCES if (value := values.at(key)) is not None]
    if any(other != own for other in others):
        return 0
    return int(method != "grpo" or values.at("beta") not in (0, 0.0))


def generators(method: str, values: Values, *, quantized: bool) -> float:
    """The share of a copy in 16 bits that vLLM holds in the same process while the model is trained."""
    packed = quantized or values.at("vllm_quantization")
    if method != "grpo" or packed or not values.at("use_vllm"):
        return 0.0
    if values.at("vllm_mode") != "colocate" or values.at("sleep_level") not in (None, 0):
        return 0.0
    return 1 / values.size("vllm_tensor_parallel_size") / values.size("vllm_pipeline_parallel_size")
