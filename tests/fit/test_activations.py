"""The bound of a training step against what torch held while it computed one."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from cfglint.fit.families import shape
from cfglint.fit.run import Run, Shards
from cfglint.fit.terms import bound

RECORDED: dict[str, Any] = json.loads(
    Path(__file__).with_name("activations_recorded.json").read_text(encoding="utf-8")
)
STEPS: list[dict[str, Any]] = RECORDED["steps"]


def run(step: dict[str, Any], tokens: int = RECORDED["tokens"]) -> Run:
    found = shape(step["config"])
    assert found is not None
    each = float(step["bytes"])
    return Run(
        found,
        Shards(),
        2.0,
        trained=step["trained"],
        trained_bytes=each,
        gradient_bytes=each,
        beside=step["adapter"] is not None,
        state_bytes=2 * each,
        tokens=tokens,
        keeps_layers=True,
        keeps_inside=not step["checkpointing"],
        logit_bytes=12.0,
    )


def name(step: dict[str, Any]) -> str:
    adapter = "adapter" if step["adapter"] else "whole"
    checkpoints = "checkpoints" if step["checkpointing"] else "all kept"
    return f"{step['config']['model_type']}, {adapter}, {checkpoints}"


@pytest.mark.parametrize("step", STEPS, ids=name)
def test_never_more_than_torch_holds(step: dict[str, Any]) -> None:
    needed = bound(run(step))
    assert needed.moment == "forward"
    assert needed.total <= step["peak"]


@pytest.mark.parametrize("step", STEPS, ids=name)
def test_weights_and_states_are_all_that_is_held_between_steps(step: dict[str, Any]) -> None:
    held = bound(run(step, tokens=0).replaced(gradient_bytes=0.0)).total
    # Buffers, as of rotary positions, are not counted.
    assert 0.97 * step["held"] < held <= step["held"]


def test_most_is_certain() -> None:
    ratios = {
        checkpointing: [
            bound(run(step)).total / step["peak"]
            for step in STEPS
            if step["checkpointing"] is checkpointing
        ]
        for checkpointing in (False, True)
    }
    assert median(ratios[True]) > 0.95
    assert median(ratios[False]) > 0.6
