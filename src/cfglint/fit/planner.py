"""The planner of a framework whose runs follow from the values of one file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from cfglint.environment.surroundings import Surroundings
from cfglint.fit.planning import Alternative, Planner
from cfglint.fit.run import MemoryRun
from cfglint.fit.values import Values
from cfglint.source.document import Path

#: The largest number of GPUs that is tried.
_MOST_GPUS = 64
#: Other values at some paths; the first path is the key that is changed.
Changes = Mapping[Path, Any]


class ConfigPlanner(Planner, ABC):
    """The planner of one config and its surroundings."""

    #: The keys of a sequence's length and of the rows that a GPU has at once.
    length_key: str
    batch_key: str

    def __init__(self, values: Values, around: Surroundings) -> None:
        self.values = values
        self.around = around

    @abstractmethod
    def run_of(self, values: Values, gpus: int) -> MemoryRun | None:
        """What is certain of a run with some values; None when nothing is."""

    @abstractmethod
    def alternatives(self, gpus: int) -> Iterator[tuple[str, Changes]]:
        """What the config could say instead, each with a title, in its release."""

    def run(self, gpus: int) -> MemoryRun | None:
        return self.run_of(self.values, gpus)

    def sized(
        self, gpus: int, *, length: int | None = None, batch: int | None = None
    ) -> MemoryRun | None:
        sizes = {(self.length_key,): length, (self.batch_key,): batch}
        changes: dict[Path, Any] = {key: size for key, size in sizes.items() if size is not None}
        return self.run_of(self.values.changed(changes), gpus)

    def changes(self, gpus: int) -> Iterator[Alternative]:
        for title, changes in self.alternatives(gpus):
            run = self.run_of(self.values.changed(changes), gpus)
            if run is not None:
                path = tuple(str(step) for step in next(iter(changes)))
                yield Alternative(title, path, gpus, run)
        number = 2 * gpus
        while number <= _MOST_GPUS:
            run = self.run(number)
            if run is not None:
                yield Alternative(f"{number} GPUs", (), number, run)
            number *= 2
