"""Runs of Axolotl from texts."""

from __future__ import annotations

import json
from typing import Any

from cfglint.engine.session import Options, Session
from cfglint.engine.settings import SettingsFinder
from cfglint.files.memory import InMemory
from cfglint.fit.planning import Planner
from cfglint.fit.run import GIB, Run
from cfglint.fit.terms import Bound, bound
from cfglint.source.text import SourceText

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


def planner(release: str = "0.18.0", /, **config: Any) -> Planner:
    """The planner of the base config with other values."""
    text = json.dumps({**BASE, **config})
    options = Options(target=(f"axolotl=={release}",))
    session = Session(options, SettingsFinder(isolated=True, files=InMemory({})))
    framework = session.framework("axolotl")
    document = framework.language.read(SourceText.from_bytes(text.encode()))
    target, around = session.environment(framework, session.settings("-"), None)
    found = framework.planner(document, target, around)
    assert found is not None
    return found


def run(gpus: int, release: str = "0.18.0", /, **config: Any) -> Run | None:
    return planner(release, **config).run(gpus)


def needed(gpus: int, release: str = "0.18.0", /, **config: Any) -> Bound:
    found = run(gpus, release, **config)
    assert found is not None
    return bound(found)


def per_parameter(gpus: int, release: str = "0.18.0", /, **config: Any) -> float:
    """Bytes on each GPU for a parameter of the model, rounded."""
    return round(needed(gpus, release, **config).total / SIZE, 2)


def gigabytes(gpus: int, release: str = "0.18.0", /, **config: Any) -> float:
    return needed(gpus, release, **config).total / GIB
