"""Rows of published measurements with the runs and the bounds of their configs."""

from __future__ import annotations

import json
from pathlib import Path

from cfglint.base.record import Record
from cfglint.engine.session import Options, Session
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.runs.memory.run import GIB, MemoryRun
from cfglint.runs.memory.terms import Bound, bound
from cfglint.source.files.memory import InMemory
from cfglint.source.text import SourceText
from tools.fit_rows.configs import Row, config_of, is_unsloth, steps_in_backward, tells_checkpoints

#: The release that the configs are read as; the rows of Axolotl's examples are of it.
RELEASE = "0.21.0"
_GB = 10**9


class Compared(Record):
    """A row with the bound of its config; None where the model's sizes are not known."""

    row: Row
    run: MemoryRun | None
    bound: Bound | None

    @property
    def measured(self) -> bool:
        return bool(self.row["kind"] == "measured")

    @property
    def limit(self) -> float:
        """What was measured, or what the GPU has that was too small, in bytes."""
        if self.measured:
            return float(self.row["peak"]) * (_GB if self.row["unit"] == "GB" else GIB)
        return float(self.row["gpu_mem_gib"]) * GIB

    @property
    def ratio(self) -> float:
        return 0.0 if self.bound is None else self.bound.total / self.limit

    @property
    def tells_checkpoints(self) -> bool:
        """Whether it is told, or implied, if the run checkpoints its layers."""
        return tells_checkpoints(self.row)

    @property
    def method(self) -> str:
        return method_of(self.row)


def method_of(row: Row) -> str:
    """A group of rows: how the run trains, what it divides, and whether lengths are told."""
    method = str(row["method"]).split()[0]
    name = "full" if method in ("full", "full-finetuning", "sft") else method
    if row["id"].startswith("peft/") and name not in ("full", "lora"):
        name = "other adapters"
    sharding = str(row.get("sharding") or "none")
    return name if sharding == "none" else f"{name}, {sharding}"


def compare(rows: list[Row], examples: Path | None = None) -> list[Compared]:
    """The bounds of all rows that were measured, or that did not fit.

    Args:
        examples: the folder of Axolotl's examples.
    """
    session = Session(
        Options(target=(f"axolotl=={RELEASE}",)), SettingsFinder(isolated=True, files=InMemory({}))
    )
    framework = session.framework("axolotl")
    target, around = session.environment(framework, session.settings("-"), None)
    found = []
    for row in rows:
        if row["kind"] not in ("measured", "does_not_fit"):
            continue
        example = example_of(row, examples)
        data = json.dumps(config_of(row)).encode() if example is None else example.read_bytes()
        document = framework.language.read(SourceText.from_bytes(data))
        planner = framework.readings.planner(document, target, around)
        run = None if planner is None or not row.get("gpus") else planner.run(row["gpus"])
        if run is not None and steps_in_backward(row):
            # Nor does its program have the states of embeddings in 32 bits, as transformers does.
            run = run.replaced(gradient_bytes=0.0, step_bytes=0.0, embedding_state_bytes=0.0)
        if run is not None and is_unsloth(row):
            run = run.replaced(taken_in=0)
        found.append(Compared(row, run, None if run is None else bound(run)))
    return found


def example_of(row: Row, examples: Path | None) -> Path | None:
    """The file of Axolotl's examples that a row was measured with."""
    family, _, name = str(row["id"]).partition("/")
    if family != "axolotl" or examples is None:
        return None
    path = examples / name.rpartition("@")[0]
    return path if path.is_file() else None
