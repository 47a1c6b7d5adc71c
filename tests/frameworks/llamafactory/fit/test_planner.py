"""The changes that are proposed where a run of LLaMA-Factory does not fit."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.llamafactory.fit.planner import LLaMAFactoryPlanner
from tests.draws import each
from tests.frameworks.llamafactory.fit.test_llamafactory_run import planner

ADAPTER, BITS = "`finetuning_type: lora`", "`quantization_bit: 4`"
BOTH = f"{ADAPTER} with {BITS}"
PURE, LIGER = "`pure_bf16: true`", "`enable_liger_kernel: true`"
#: All that the tests ask for.
ASKED = {ADAPTER, BITS, BOTH, PURE, LIGER}


def proposed(config: dict[str, Any]) -> set[str]:
    planned = planner(**config)
    assert isinstance(planned, LLaMAFactoryPlanner)
    return {measure.title for choice in planned.measures(1) for measure in choice} & ASKED


@each(
    ("config", "expected"),
    [
        ({}, {ADAPTER, BOTH, PURE, LIGER}),
        ({"pure_bf16": True}, {ADAPTER, BOTH, LIGER}),
        ({"enable_liger_kernel": True}, {ADAPTER, BOTH, PURE}),
        ({"quantization_bit": 4}, {ADAPTER, PURE, LIGER}),
        ({"finetuning_type": "lora"}, {BITS, LIGER}),
        ({"finetuning_type": None}, {BITS, LIGER}),
        ({"finetuning_type": "lora", "quantization_bit": 8}, {LIGER}),
        # No adapter, and not all weights: nothing is said of bits.
        ({"finetuning_type": "freeze"}, {LIGER}),
    ],
)
def test_what_is_proposed(config: dict[str, Any], expected: set[str]) -> None:
    assert proposed(config) == expected


@each(
    ("config", "expected"),
    [
        ({}, {ADAPTER, BOTH, PURE}),
        ({"pure_bf16": True}, {ADAPTER, BOTH}),
        ({"quantization_bit": 4}, {ADAPTER, PURE}),
        ({"finetuning_type": "lora"}, {BOTH}),
        ({"finetuning_type": "lora", "quantization_bit": 4}, set()),
    ],
)
def test_what_is_tried(config: dict[str, Any], expected: set[str]) -> None:
    planned = planner(**config)
    assert isinstance(planned, LLaMAFactoryPlanner)
    titles = {title for title, _ in planned.alternatives(1)}
    assert titles & {ADAPTER, BITS, BOTH, PURE} == expected
