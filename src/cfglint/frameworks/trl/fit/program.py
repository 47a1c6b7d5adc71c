"""What is known about the memory of a program's run, whose calls are seen as one config of TRL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from cfglint.base.type_names import Final
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.trl.fit.planner import TrlPlanner
from cfglint.frameworks.trl.fit.run import run_of
from cfglint.runs.memory.measures import Choice
from cfglint.runs.memory.planning import NotCertainError
from cfglint.runs.memory.run import MemoryRun
from cfglint.runs.memory.spelling import as_keyword
from cfglint.runs.memory.values import Values

#: What other calls than that of the config say in a program.
_OTHER_CALLS: Final = {
    "`use_peft: true`": "an adapter (`peft_config=LoraConfig(…)`)",
    "`load_in_4bit: true`": "weights in 4 bits (`BitsAndBytesConfig(load_in_4bit=True)`)",
    "`use_peft: true` and `load_in_4bit: true`": "an adapter (`peft_config=LoraConfig(…)`) over weights in 4 bits"
    " (`BitsAndBytesConfig(load_in_4bit=True)`)",
    "`dtype: bfloat16`": "`dtype=torch.bfloat16` for the model",
    "`torch_dtype: bfloat16`": "`torch_dtype=torch.bfloat16` for the model",
}


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


def _in_calls(title: str) -> str:
    """The title of a change as the calls of a program say it."""
    return _OTHER_CALLS.get(title.replace("`use_peft` with", "`use_peft: true` and")) or as_keyword(
        title
    )


class ProgramPlanner(TrlPlanner):
    """One run of a program."""

    def run_of(self, values: Values, gpus: int, *, usual: bool) -> MemoryRun:
        return run_of(self._command, values, gpus, self.around, usual=usual, in_program=True)

    def __init__(self, command: str, values: Values, around: Surroundings) -> None:
        super().__init__(command, values, around)
        self.spelling = _in_calls

    def measures(self, gpus: int) -> Iterator[Choice]:
        with suppress(NotCertainError):
            yield from super().measures(gpus)
