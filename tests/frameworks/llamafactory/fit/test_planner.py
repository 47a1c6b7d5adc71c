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


@each(
    ("stage", "is_offered"),
    [(None, True), (2, True), (3, False)],
)
def test_zero_3_is_offered_where_the_weights_are_whole(stage: int | None, is_offered: bool) -> None:
    settings: dict[str, Any] = {"deepspeed": {"zero_optimization": {"stage": stage}}}
    planned = planner(**(settings if stage is not None else {}))
    assert isinstance(planned, LLaMAFactoryPlanner)
    titles = [title for title, _ in planned.alternatives(4)]
    titles += [one.title for choice in planned.measures(4) for one in choice]
    assert sum("ZeRO-3" in title for title in titles) == 2 * is_offered
