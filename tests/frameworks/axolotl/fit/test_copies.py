"""Copies of the base model's weights besides those that are trained."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.axolotl.fit.copies import generators, references
from tests.draws import each
from tests.frameworks.axolotl.fit.planning import values

COLOCATED = {"use_vllm": True, "vllm_mode": "colocate"}


@each(
    ("config", "expected"),
    [
        ({}, 0),
        ({"rl": "dpo"}, 1),
        ({"rl": "ipo"}, 1),
        ({"rl": "kto"}, 1),
        ({"rl": "orpo"}, 0),
        # An adapter's base model serves as one, and so does what was computed before.
        ({"rl": "dpo", "adapter": "lora"}, 0),
        ({"rl": "dpo", "precompute_ref_log_probs": True}, 0),
        ({"rl": "grpo"}, 0),
        ({"rl": "grpo", "trl": {"beta": 0.1}}, 1),
        ({"rl": "grpo", "trl": {"beta": 0}}, 0),
        ({"rl": "grpo", "trl": {"beta": "x"}}, 0),
        ({"rl": "grpo", "rl_beta": 0.1}, 1),
        ({"rl": "grpo", "rl_beta": 0.1, "trl": {"beta": 0.0}}, 0),
    ],
)
def test_reference_models(config: dict[str, Any], expected: int) -> None:
    assert references(values(config), quantized=False) == expected
    assert references(values(config), quantized=True) == 0


@each(
    ("config", "expected"),
    [
        ({"rl": "grpo", "trl": COLOCATED}, 1),
        ({"rl": "grpo", "trl": COLOCATED, "vllm": {"tensor_parallel_size": 1}}, 1),
        ({"rl": "grpo", "trl": COLOCATED, "vllm": {"tensor_parallel_size": 4}}, 0.25),
        ({"rl": "grpo", "trl": COLOCATED, "vllm": {"tensor_parallel_size": 0}}, 0),
        ({"rl": "grpo", "trl": COLOCATED, "vllm": {"tensor_parallel_size": "x"}}, 0),
        ({"rl": "grpo", "trl": {**COLOCATED, "vllm_enable_sleep_mode": True}}, 0),
        ({"rl": "grpo", "trl": {**COLOCATED, "vllm_mode": "server"}}, 0),
        ({"rl": "grpo", "trl": {**COLOCATED, "use_vllm": False}}, 0),
        ({"rl": "dpo", "trl": COLOCATED}, 0),
        ({}, 0),
    ],
)
def test_models_that_generate(config: dict[str, Any], expected: float) -> None:
    assert generators(values(config), quantized=False) == expected
    assert generators(values(config), quantized=True) == 0
