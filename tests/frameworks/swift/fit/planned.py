"""Planners of ms-swift's files and scripts."""

from __future__ import annotations

from typing import Any

from cfglint.runs.memory.planning import Planner
from cfglint.runs.memory.run import MemoryRun
from tests.runs.memory.planners import planner_of, planner_of_script

MODEL = "LLM-Research/Meta-Llama-3-8B"
#: Parameters of that model, and of its head.
SIZE, HEAD = 8_030_261_248, 128_256 * 4096
BASE: dict[str, Any] = {
    "model": MODEL,
    "tuner_type": "full",
    "dataset": ["acme/tickets"],
    "torch_dtype": "bfloat16",
    "output_dir": "output",
    "learning_rate": 1e-5,
}
OLDER: dict[str, Any] = {
    "model_id_or_path": MODEL,
    "sft_type": "full",
    "dataset": ["acme/tickets"],
    "output_dir": "output",
    "learning_rate": 1e-5,
}
RELEASE, OLD = "4.5.2", "2.6.1"
#: One process that sees one GPU alone.
ALONE = "CUDA_VISIBLE_DEVICES=0 swift sft train.yaml\n"


def planner(release: str = RELEASE, /, *, starts: str = ALONE, **config: Any) -> Planner:
    """The planner of a file, with the script that starts it."""
    base = OLDER if release.startswith("2.") else BASE
    written = {key: value for key, value in {**base, **config}.items() if value != "-"}
    return planner_of("swift", release, written, script=starts.encode())


def run(gpus: int = 1, release: str = RELEASE, /, **config: Any) -> MemoryRun:
    made = planner(release, **config)
    found = made.run(gpus)
    assert found is not None, made.obstacle(gpus)
    return found


def of_script(
    text: str, release: str = RELEASE, files: dict[str, bytes] | None = None
) -> Planner | None:
    """The planner of a script's first command."""
    return planner_of_script("swift", release, text, files)
