"""What is known about the memory of a program's run, whose calls are seen as one config of TRL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from cfglint.frameworks.trl.fit.planner import TrlPlanner
from cfglint.frameworks.trl.fit.run import run_of
from cfglint.memory.measures import Choice
from cfglint.memory.planning import NotCertainError
from cfglint.memory.run import MemoryRun
from cfglint.memory.values import Values


class ProgramValues(Values):
    """The values of a program's run, of which some are known only when it runs."""

    def _why_open(self, path: tuple[str, ...]) -> str:
        """Keys of TRL's files are not in a program: the model is an argument of its calls."""
        if path == TrlPlanner.model_key:
            return "the program does not show which model it loads"
        return f"the program does not show the value of `{'.'.join(path)}`"

    def size(self, *keys: str) -> int:
        try:
            return super().size(*keys)
        except NotCertainError:
            return 1


class ProgramPlanner(TrlPlanner):
    """One run of a program."""

    def run_of(self, values: Values, gpus: int, *, usual: bool) -> MemoryRun:
        return run_of(self._command, values, gpus, self.around, usual=usual, in_program=True)

    def measures(self, gpus: int) -> Iterator[Choice]:
        with suppress(NotCertainError):
            yield from super().measures(gpus)
