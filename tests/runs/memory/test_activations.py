"""The bound of a training step against what torch held while it computed one."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from cfglint.runs.memory.families import shape
from cfglint.runs.memory.run import MemoryRun, Shards
from cfglint.runs.memory.terms import bound, sizes
from tests.draws import each

RECORDED: dict[str, Any] = json.loads(
    Path(__file__).with_name("activations_recorded.json").read_text(encoding="utf-8")
)
STEPS: list[dict[str, Any]] = RECORDED["steps"]


def run(step: dict[str, Any], tokens: int = RECORDED["tokens"]) -> MemoryRun:
    found = shape(step["config"])
    assert found is not None
    each = float(step["bytes"])
    return MemoryRun(
        found,
        Shards(),
        2.0,
        trained=step["trained"],
        trained_bytes=each,
        gradient_bytes=each,
        is_adapter=step["adapter"] is not None,
        state_bytes=2 * each,
        tokens=tokens,
        keeps_layers=True,
        keeps_inside=not step["checkpointing"],
        logit_bytes=12.0,
    )


def without_logits(step: dict[str, Any]) -> MemoryRun:
    """Without gradients, too, so that the fullest moment is that of the activations."""
    recomputes = step["checkpointing"]
    return run(step).replaced(logit_bytes=0.0, gradient_bytes=0.0, recomputes_layers=recomputes)


def name(step: dict[str, Any]) -> str:
    adapter = "adapter" if step["adapter"] else "whole"
    checkpoints = "checkpoints" if step["checkpointing"] else "all kept"
    return f"{step['config']['model_type']}, {adapter}, {checkpoints}"


@each("step", STEPS)
def test_never_more_than_torch_allocates(step: dict[str, Any]) -> None:
    needed = bound(run(step))
    assert needed.moment == "forward"
    assert needed.total <= step["peak"]


@each("step", STEPS)
def test_never_more_than_torch_allocates_without_logits(step: dict[str, Any]) -> None:
    needed = bound(without_logits(step))
    assert needed.moment == ("layer" if step["checkpointing"] else "forward")
    assert needed.total <= step["peak_without_logits"]


@each("step", STEPS)
def test_never_more_than_a_compiled_model_keeps(step: dict[str, Any]) -> None:
    kept = sizes(run(step).replaced(compiled=True))["layers"]
    assert 0 < kept <= step["kept_compiled"]


@each("step", STEPS)
def test_weights_and_states_are_all_that_is_held_between_steps(step: dict[str, Any]) -> None:
    held = bound(run(step, tokens=0).replaced(gradient_bytes=0.0)).total
    # Buffers, as of rotary positions, are not counted.
    assert 0.97 * step["held"] < held <= step["held"]


@pytest.mark.parametrize(
    ("checkpointing", "whole", "without", "compiled"),
    [(True, 0.95, 0.55, 0.5), (False, 0.6, 0.4, 0.4)],
)
def test_most_is_certain(
    checkpointing: bool, whole: float, without: float, compiled: float
) -> None:
    steps = [step for step in STEPS if step["checkpointing"] is checkpointing]
    assert median(bound(run(step)).total / step["peak"] for step in steps) > whole
    assert (
        median(bound(without_logits(step)).total / step["peak_without_logits"] for step in steps)
        > without
    )
    assert (
        median(
            sizes(run(step).replaced(compiled=True))["layers"] / step["kept_compiled"]
            for step in steps
        )
        > compiled
    )
