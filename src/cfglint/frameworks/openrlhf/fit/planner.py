"""What a command of OpenRLHF could say to need less memory, in the release that it starts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from cfglint.base.type_names import Any
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.openrlhf.fit.options import option, path_of, spoken
from cfglint.frameworks.openrlhf.fit.run import BATCH, LENGTHS, run_of, stage_of
from cfglint.runs.memory import measures as costs
from cfglint.runs.memory.measures import Choice, Measure
from cfglint.runs.memory.planner import Changes, ConfigPlanner
from cfglint.runs.memory.planning import NotCertainError
from cfglint.runs.memory.run import MemoryRun
from cfglint.runs.memory.values import Values
from cfglint.source.document import Path

_RANK, _SHARDED = 16, 3


class OpenRLHFPlanner(ConfigPlanner):
    """One command of one of OpenRLHF's programs."""

    model_key: tuple[str, ...] = ("pretrain",)

    def __init__(self, program: str, values: Values, around: Surroundings) -> None:
        super().__init__(values, around)
        self._program = program
        with suppress(NotCertainError):
            self.model_key = tuple(map(str, path_of("model", values)))

    def run_of(self, values: Values, gpus: int, *, usual: bool) -> MemoryRun:
        return run_of(self._program, values, gpus, self.around)

    def usual(
        self, gpus: int, *, length: int | None = None, batch: int | None = None
    ) -> MemoryRun | None:
        sizes = {"length": length, "batch": batch}
        try:
            changes: dict[Path, Any] = {
                path_of(name, self.values): size for name, size in sizes.items() if size is not None
            }
        except NotCertainError:
            return None
        return self.changed(changes, gpus)

    def alternatives(self, gpus: int) -> Iterator[tuple[str, Changes]]:
        values = self.values
        is_full = option("rank", values, 0) == 0
        if is_full:
            yield self._set("rank", _RANK)
        if not option("four_bits", values):
            bits, rank = self._set("four_bits", True), self._set("rank", _RANK)
            both = f"{rank[0]} with {bits[0]}", {**bits[1], **rank[1]}
            yield both if is_full else bits
        if gpus > 1 and stage_of(values) != _SHARDED and not option("four_bits", values):
            yield self._set("stage", _SHARDED)
        if option("batch", values, BATCH) != 1:
            yield self._set("batch", 1)
        if not option("checkpoints", values):
            yield self._set("checkpoints", True)

    def measures(self, gpus: int) -> Iterator[Choice]:
        values = self.values
        is_full = option("rank", values, 0) == 0
        is_packed = bool(option("four_bits", values))
        yield list(self._smaller_batches())
        if not option("checkpoints", values):
            yield [_placed(costs.checkpoints(spoken("checkpoints", values)))]
        if gpus > 1 and stage_of(values) != _SHARDED and not is_packed:
            yield [costs.sharded(*self._set("stage", _SHARDED))]
        length = option("length", values, LENGTHS.get(self._program))
        yield [_placed(one) for one in costs.shorter(spoken("length", values), length)]
        rank, bits = self._set("rank", _RANK), self._set("four_bits", True)
        found = [costs.adapter(*rank)] if is_full else []
        if not is_packed:
            title = f"{rank[0]} with {bits[0]}" if is_full else bits[0]
            changes = {**bits[1], **rank[1]} if is_full else bits[1]
            found.append(costs.four_bits(title, changes, has_adapter=not is_full))
        yield found

    def _smaller_batches(self) -> Iterator[Measure]:
        """Fewer rows at once: the batch of all GPUs is an option of its own, so it stays."""
        key = spoken("batch", self.values)
        for one in costs.smaller_batches(key, option("batch", self.values, BATCH), "steps", 1):
            rows = one.changes[key,]
            words = one.words.partition(": ")[2]
            yield one.replaced(
                title=f"`{key}: {rows}`", words=words, changes={path_of("batch", self.values): rows}
            )

    def _set(self, name: str, value: Any) -> tuple[str, Changes]:
        """The title of an option with a value, and the change that writes it."""
        shown = "true" if value is True else value
        return f"`{spoken(name, self.values)}: {shown}`", {path_of(name, self.values): value}


def _placed(measure: Measure) -> Measure:
    """A measure whose key has dots, at the path that they mean."""
    changes = {tuple(str(path[0]).split(".")): value for path, value in measure.changes.items()}
    return measure.replaced(changes=changes)
