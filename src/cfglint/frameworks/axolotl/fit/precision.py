"""In how many bytes Axolotl loads the weights."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.runs.memory.base import MXFP4, NF4, PACKED, of_checkpoint
from cfglint.runs.memory.parts import Kind
from cfglint.runs.memory.run import Because
from cfglint.runs.memory.values import Values

#: From here on, a release asks for a transformers (5.14) that has the experts of a layer in one tensor.
FUSED_SINCE = "0.18.0"


class Loaded(Record):
    """How the weights lie there."""

    plain: float
    packed: dict[Kind, float]
    because: Because
    #: Whether the weights are quantized, so that they cannot be trained.
    quantized: bool = False


def is_sixteen(values: Values) -> bool:
    """Whether the weights are in 16 bits, unless they are quantized.

    `resolve_dtype` and the lines after it in `utils/config`: bf16 (by default "auto"), then
    fp16, else 32 bits.
    """
    bf16 = values.at("bf16")
    bf16 = "auto" if bf16 is None else bf16
    keys = ("bfloat16", "fp16", "float16", "load_in_8bit")
    return bool(bf16) or any(values.at(key) for key in keys)


def loaded(values: Values, quantization: Any) -> Loaded:
    """How a release loads the base model.

    Args:
        quantization: the `quantization_config` of the checkpoint.
    """
    sixteen = is_sixteen(values)
    plain = 2 if sixteen else 4
    dequantized = _is_dequantized(values)
    if quantization is not None and not dequantized:
        return _from_checkpoint(quantization)
    if values.at("gptq"):
        return Loaded(2, dict.fromkeys(PACKED, 0), _because("packed", "gptq"), True)
    if values.at("load_in_4bit"):
        because = _because("NF4, 0.52 bytes a weight of linear layers", "load_in_4bit")
        return Loaded(2, _packed(values, NF4), because, True)
    if values.at("load_in_8bit"):
        because = _because("1 byte a weight of linear layers", "load_in_8bit")
        return Loaded(2, _packed(values, 1), because, True)
    if values.at("model_quantization_config") and not dequantized:
        because = _because("packed while loading", "model_quantization_config")
        return Loaded(2, dict.fromkeys(PACKED, MXFP4), because, True)
    key = next((key for key in ("bf16", "fp16", "bfloat16", "float16") if values.at(key)), "bf16")
    return Loaded(plain, {}, _because(f"{plain} bytes a parameter", key))


def _packed(values: Values, each: float) -> dict[Kind, float]:
    """What bitsandbytes packs while the model is loaded: linear layers, not fused experts.

    Models with code of their own may have a layer for each expert.
    """
    asked = any(map(values.at, ("quantize_moe_experts", "llama4_linearized_experts")))
    fused = values.since(FUSED_SINCE) and not asked and not values.at("trust_remote_code")
    return {kind: each for kind in PACKED if kind != "experts" or not fused}


def _is_dequantized(values: Values) -> bool:
    return values.at("model_quantization_config_kwargs", "dequantize") is True


def _from_checkpoint(quantization: Any) -> Loaded:
    """Weights as the checkpoint packs them; of methods that are not known, nothing."""
    each = of_checkpoint(quantization)
    packed: dict[Kind, float] = dict.fromkeys(PACKED, each)
    because = _because("as the checkpoint packs them", "base_model")
    return Loaded(2 if each else 0, packed, because, True)


def _because(text: str, key: str) -> Because:
    return Because(text, (key,))
