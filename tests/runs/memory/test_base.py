"""How many bytes a checkpoint says that each of its weights takes."""

from __future__ import annotations

from typing import Any

from cfglint.runs.memory.base import NF4, of_checkpoint
from tests.draws import each


@each(
    ("quantization", "expected"),
    [
        ({"quant_method": "mxfp4"}, 0.53125),
        ({"quant_method": "fp8"}, 1),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, NF4),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True, "load_in_4bit": False}, 1),
        ({"quant_method": "bitsandbytes"}, 0),
        ({"quant_method": "gptq", "bits": 4}, 0),
        ("fp8", 0),
        (None, 0),
    ],
)
def test_bytes_of_a_packed_weight(quantization: Any, expected: float) -> None:
    assert of_checkpoint(quantization) == expected
