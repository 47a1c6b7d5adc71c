"""The planner of a framework whose runs follow from the values of one file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from cfglint.environment.surroundings import Surroundings
from cfglint.runs.memory.measures import Choice, Measure, smaller_batches
from cfglint.runs.memory.planning import Alternative, NotCertainError, Planner
from cfglint.runs.memory.run import MemoryRun
from cfglint.runs.memory.spelling import Spelling, as_key, as_option
from cfglint.runs.memory.values import Values
from cfglint.source.document import Path

#: The largest number of GPUs that is tried.
_MOST_GPUS = 64
#: The key of the steps of accumulation, in all frameworks that have a planner.
_STEPS = "gradient_accumulation_steps"
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
        #: How the titles of changes write a setting.
        self.spelling: Spelling = as_option if values.of_command else as_key

    @abstractmethod
    def run_of(self, values: Values, gpus: int, *, usual: bool) -> MemoryRun:
        """A run with some values.

        Args:
            usual: as it usually is where nothing shows how it is divided; otherwise the least
                that is certain.

        Raises:
            NotCertainError: nothing is known for certain.
        """

    @abstractmethod
    def alternatives(self, gpus: int) -> Iterator[tuple[str, Changes]]:
        """What the config could say instead, each with a title, in its release."""

    @abstractmethod
    def measures(self, gpus: int) -> Iterator[Choice]:
        """What the file could say to need less, each with its cost; of each choice one."""

    def choices(self, gpus: int) -> Iterator[Choice]:
        for choice in self.measures(gpus):
            yield [one.replaced(title=self.spelling(one.title)) for one in choice]

    def smaller_batches(self, batch: object, *, is_decided: bool) -> list[Measure]:
        """Fewer rows at once, with as many more steps of accumulation.

        Args:
            batch: the rows that a GPU has at once.
            is_decided: whether something else than the two keys decides on the batch.
        """
        steps = self.values.at(_STEPS)
        steps = 0 if is_decided else 1 if steps is None else steps
        return smaller_batches(self.batch_key, batch, _STEPS, steps)

    def keeps_whole_weights(self, gpus: int) -> bool:
        """Whether each GPU has all weights, as far as that is known: with ZeRO, its stage is below 3."""
        run = self.run(gpus)
        return run is not None and run.shards.weights == 1

    def may_divide(self, gpus: int, key: str) -> bool:
        """Whether settings of a key would divide weights of which each GPU has a whole copy, as far as is known."""
        return gpus > 1 and (not self.values.at(key) or self.keeps_whole_weights(gpus))

    def changed(self, changes: Changes, gpus: int) -> MemoryRun | None:
        return self._tried(self.values.changed(changes), gpus, usual=True)

    def run(self, gpus: int) -> MemoryRun | None:
        return self._tried(self.values, gpus)

    def obstacle(self, gpus: int) -> str:
        try:
            self.run_of(self.values, gpus, usual=False)
        except NotCertainError as error:
            return str(error)
        return ""

    def usual(
        self, gpus: int, *, length: int | None = None, batch: int | None = None
    ) -> MemoryRun | None:
        sizes = {(self.length_key,): length, (self.batch_key,): batch}
        changes: dict[Path, Any] = {key: size for key, size in sizes.items() if size is not None}
        return self._tried(self.values.changed(changes), gpus, usual=True)

    def _tried(self, values: Values, gpus: int, *, usual: bool = False) -> MemoryRun | None:
        try:
            return self.run_of(values, gpus, usual=usual)
        except NotCertainError:
            return None

    def changes(self, gpus: int) -> Iterator[Alternative]:
        for title, changes in self._certain_alternatives(gpus):
            path = tuple(str(step) for step in next(iter(changes)))
            shown = self.spelling(title)
            yield from self._alternative(shown, path, gpus, self.values.changed(changes))
        number = 2 * gpus
        while number <= _MOST_GPUS:
            yield from self._alternative(f"{number} GPUs", (), number, self.values)
            number *= 2

    def _certain_alternatives(self, gpus: int) -> Iterator[tuple[str, Changes]]:
        """Those up to a value that is not known before the run."""
        with suppress(NotCertainError):
            yield from self.alternatives(gpus)

    def _alternative(
        self, title: str, path: tuple[str, ...], gpus: int, values: Values
    ) -> Iterator[Alternative]:
        run = self._tried(values, gpus)
        if run is not None:
            yield Alternative(title, path, gpus, run, self._tried(values, gpus, usual=True))
