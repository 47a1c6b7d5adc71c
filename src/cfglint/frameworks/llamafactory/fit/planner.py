"""What a config of LLaMA-Factory could say to need less memory, in the release that reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import Surroundings
from cfglint.fit.planning import Change, Planner
from cfglint.fit.run import Run
from cfglint.fit.values import Values
from cfglint.framework import Framework
from cfglint.frameworks.llamafactory.fit.run import run_of
from cfglint.source.document import Document, Path

_ZERO3 = "examples/deepspeed/ds_z3_config.json"
#: How many GPUs are asked about, at most.
_MOST_GPUS = 64
_Changes = dict[Path, Any]
_TYPE, _BITS, _OPTIMIZER = ("finetuning_type",), ("quantization_bit",), ("optim",)
_BATCH, _LENGTH = ("per_device_train_batch_size",), ("cutoff_len",)


class LLaMAFactoryPlanner(Planner):
    """One config with its release and what lies around it."""

    model_key = ("model_name_or_path",)

    def __init__(
        self, document: Document, framework: Framework, target: Environment, around: Surroundings
    ) -> None:
        self._values = Values(document, framework, target.release)
        self._around = around

    def run(self, gpus: int) -> Run | None:
        return run_of(self._values, gpus, self._around)

    def sized(
        self, gpus: int, *, length: int | None = None, batch: int | None = None
    ) -> Run | None:
        changes: _Changes = {}
        if length is not None:
            changes[_LENGTH] = length
        if batch is not None:
            changes[_BATCH] = batch
        return run_of(self._values.changed(changes), gpus, self._around)

    def changes(self, gpus: int) -> Iterator[Change]:
        for title, changes in self._alternatives(gpus):
            run = run_of(self._values.changed(changes), gpus, self._around)
            if run is not None:
                path = tuple(str(step) for step in next(iter(changes)))
                yield Change(title, path, gpus, run)
        number = 2 * gpus
        while number <= _MOST_GPUS:
            run = self.run(number)
            if run is not None:
                yield Change(f"{number} GPUs", (), number, run)
            number *= 2

    def _alternatives(self, gpus: int) -> Iterator[tuple[str, _Changes]]:
        values = self._values
        if values.at("finetuning_type") == "full":
            yield "`finetuning_type: lora`", {_TYPE: "lora"}
            if not values.at("pure_bf16"):
                yield "`pure_bf16: true`", {("pure_bf16",): True}
            for name in ("adamw_8bit", "paged_adamw_8bit"):
                if values.at("optim") != name:
                    yield f"`optim: {name}`", {_OPTIMIZER: name}
        if not values.at("quantization_bit"):
            yield (
                "`finetuning_type: lora` with `quantization_bit: 4`",
                {_BITS: 4, _TYPE: "lora", ("use_badam",): None},
            )
        if gpus > 1:
            yield (
                f"ZeRO-3 over {gpus} GPUs (`deepspeed: {_ZERO3}`)",
                {("deepspeed",): _ZERO3},
            )
        if values.at("per_device_train_batch_size") not in (1, None):
            yield "`per_device_train_batch_size: 1`", {_BATCH: 1}
