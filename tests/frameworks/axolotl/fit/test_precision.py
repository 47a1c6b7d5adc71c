"""In how many bytes Axolotl loads the weights."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.axolotl.fit.precision import is_sixteen, loaded
from cfglint.runs.memory.base import MXFP4, NF4
from tests.draws import each
from tests.frameworks.axolotl.fit.planning import values

PACKED_BY_BITS = {"load_in_8bit": True, "load_in_4bit": True}


@each(
    ("config", "expected"),
    [
        ({}, True),
        ({"bf16": "auto"}, True),
        ({"bf16": False}, False),
        ({"bf16": None}, True),
        ({"bf16": False, "fp16": True}, True),
        ({"bf16": False, "float16": True}, True),
        ({"bf16": False, "bfloat16": True}, True),
        ({"bf16": False, "load_in_8bit": True}, True),
        ({"bf16": False, "load_in_4bit": True}, False),
    ],
)
def test_sixteen_bits(config: dict[str, Any], expected: bool) -> None:
    assert is_sixteen(values(config)) is expected


@each(
    ("config", "quantization", "plain", "linear", "quantized", "text", "key"),
    [
        ({}, None, 2, None, False, "2 bytes a parameter", "bf16"),
        ({"bf16": False}, None, 4, None, False, "4 bytes a parameter", "bf16"),
        ({"bf16": False, "fp16": True}, None, 2, None, False, "2 bytes", "fp16"),
        ({"bf16": False, "float16": True}, None, 2, None, False, "2 bytes", "float16"),
        ({"gptq": True}, None, 2, 0, True, "packed", "gptq"),
        ({"load_in_4bit": True}, None, 2, NF4, True, "NF4, 0.52 bytes", "load_in_4bit"),
        (PACKED_BY_BITS, None, 2, NF4, True, "NF4", "load_in_4bit"),
        ({"load_in_8bit": True}, None, 2, 1, True, "1 byte a weight", "load_in_8bit"),
        (
            {"model_quantization_config": "Mxfp4Config"},
            None,
            *(2, MXFP4, True, "packed while loading", "model_quantization_config"),
        ),
        # What the checkpoint is packed with counts over all, unless it is unpacked.
        ({"load_in_4bit": True}, {"quant_method": "fp8"}, 2, 1, True, "checkpoint", "base_model"),
        ({}, {"quant_method": "other"}, 0, 0, True, "checkpoint", "base_model"),
        (
            {"model_quantization_config_kwargs": {"dequantize": True}},
            {"quant_method": "mxfp4"},
            *(2, None, False, "2 bytes", "bf16"),
        ),
        (
            {"model_quantization_config_kwargs": {"dequantize": False}},
            {"quant_method": "mxfp4"},
            *(2, MXFP4, True, "checkpoint", "base_model"),
        ),
        (
            {
                "model_quantization_config": "Mxfp4Config",
                "model_quantization_config_kwargs": {"dequantize": True},
            },
            {"quant_method": "mxfp4"},
            *(2, None, False, "2 bytes", "bf16"),
        ),
    ],
)
def test_how_weights_are_loaded(
    config: dict[str, Any],
    quantization: Any,
    plain: float,
    linear: float | None,
    quantized: bool,
    text: str,
    key: str,
) -> None:
    found = loaded(values(config), quantization)
    assert (found.plain, found.packed.get("linear"), found.quantized) == (plain, linear, quantized)
    assert text in found.because.text
    assert found.because.path == (key,)


@each(
    ("release", "config", "experts"),
    [
        ("0.17.0", {}, True),
        ("0.18.0", {}, False),
        ("0.21.0", {"quantize_moe_experts": True}, True),
        ("0.21.0", {"llama4_linearized_experts": True}, True),
        ("0.21.0", {"trust_remote_code": True}, True),
    ],
)
def test_fused_experts_are_not_packed(release: str, config: dict[str, Any], experts: bool) -> None:
    for bits in ("load_in_4bit", "load_in_8bit"):
        packed = loaded(values({bits: True, **config}, release), None).packed
        assert ("experts" in packed) is experts
        assert {"linear", "router"} <= set(packed)
