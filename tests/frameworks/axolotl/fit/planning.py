"""Runs of Axolotl from texts."""

from __future__ import annotations

import json
from typing import Any

from cfglint.roles.framework import load_framework
from cfglint.runs.memory.planning import Planner
from cfglint.runs.memory.run import GIB, MemoryRun
from cfglint.runs.memory.terms import Bound, bound
from cfglint.runs.memory.values import Values, values_of
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.runs.memory.planners import planner_of

BASE: dict[str, Any] = {
    "base_model": "NousResearch/Meta-Llama-3-8B",
    "datasets": [{"path": "acme/tickets", "type": "alpaca"}],
    "sequence_len": 2048,
    "micro_batch_size": 1,
    "gradient_accumulation_steps": 2,
    "optimizer": "adamw_torch_fused",
    "bf16": True,
}
#: Parameters of that model.
SIZE = 8_030_261_248


def values(config: dict[str, Any], release: str = "0.21.0") -> Values:
    """The values of a config that has these alone."""
    document = language("yaml").read(SourceText(json.dumps(config)))
    return values_of(document, load_framework("axolotl"), release)


def planner(release: str = "0.18.0", /, **config: Any) -> Planner:
    """The planner of the base config with other values."""
    return planner_of("axolotl", release, {**BASE, **config})


def run(gpus: int, release: str = "0.18.0", /, **config: Any) -> MemoryRun | None:
    return planner(release, **config).run(gpus)


def needed(gpus: int, release: str = "0.18.0", /, **config: Any) -> Bound:
    found = run(gpus, release, **config)
    assert found is not None
    return bound(found)


def per_parameter(gpus: int, release: str = "0.18.0", /, **config: Any) -> float:
    """Bytes on each GPU for a parameter of the model, rounded; less those that FSDP gathers."""
    found = needed(gpus, release, **config)
    return round((found.total - found.size("gathered")) / SIZE, 2)


def gigabytes(gpus: int, release: str = "0.18.0", /, **config: Any) -> float:
    return needed(gpus, release, **config).total / GIB
