"""In how many bytes ms-swift loads the weights: `model_args.py`, `quant_args.py`."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.base.type_names import Final
from cfglint.frameworks.swift.fit.model import RENAMED_SINCE, model_key
from cfglint.runs.memory.base import NF4, NF4_PLAIN_SCALES, PACKED, Base, as_checkpoint_packs
from cfglint.runs.memory.parts import Kind
from cfglint.runs.memory.run import Because
from cfglint.runs.memory.values import Values

_FULL: Final = ("float32", "fp32")
_MOST_BITS: Final = 8
#: Methods that take the number of bits; a scale for each group comes on top.
_BY_BITS = ("hqq", "quanto")


class LoadedWeights(Record):
    """How the base model's weights lie there."""

    plain: float
    packed: dict[Kind, float]
    because: Because
    #: Whether they are quantized, so that they cannot be trained.
    quantized: bool = False


def weights(values: Values, base: Base, *, trains_all: bool) -> LoadedWeights:
    """How the base model is loaded: in the precision of the checkpoint where nothing is written, which has 2 bytes at the least.

    Args:
        trains_all: whether all parameters are trained.
    """
    if base.quantization is not None:
        packed, because = as_checkpoint_packs(base.quantization, model_key(values))
        return LoadedWeights(2.0, packed, because, True)
    key = "torch_dtype" if values.since(RENAMED_SINCE) else "dtype"
    written = values.at(key)
    # Up to 2.6, 16 bits without the range of 32 are for adapters alone.
    plain = 4.0 if written in _FULL or (written == "fp16" and trains_all) else 2.0
    method, bits, path = quantization(values)
    if not method:
        least = "" if written else " at the least"
        return LoadedWeights(plain, {}, Because(f"{plain:.0f} bytes a parameter{least}", (key,)))
    each = _packed(method, bits, values)
    shown = f"{each:.2f} bytes a weight of linear layers" if each else "packed linear layers"
    return LoadedWeights(plain, dict.fromkeys(PACKED, each), Because(shown, path), True)


def quantization(values: Values) -> tuple[str, object, tuple[str, ...]]:
    """How the weights are quantized while the model is loaded: method, bits, and the key that says so; no method without.

    From 3.0 on, bits alone quantize nothing.
    """
    method = values.at("quant_method")
    if values.since(RENAMED_SINCE):
        return str(method or ""), _number(values.at("quant_bits")), ("quant_bits",)
    bits = _number(values.at("quantization_bit"))
    if not bits:
        return "", None, ()
    return str(method or ("bnb" if bits in (4, 8) else "hqq")), bits, ("quantization_bit",)


def _number(bits: object) -> object:
    """Bits that are written as a text."""
    return int(bits) if isinstance(bits, str) and bits.isdecimal() and len(bits) == 1 else bits


def _packed(method: str, bits: object, values: Values) -> float:
    """Bytes of a packed weight; 0 for what is not known."""
    if method == "bnb" and bits == 4:
        return NF4 if values.at("bnb_4bit_use_double_quant") is not False else NF4_PLAIN_SCALES
    if method in ("fp8", "eetq") or (method == "bnb" and bits == 8):
        return 1.0
    if method in _BY_BITS:
        if isinstance(bits, int) and 0 < bits <= _MOST_BITS:
            return bits / _MOST_BITS
        return 1.0 if bits == "float8" else 0.0
    return 0.0
