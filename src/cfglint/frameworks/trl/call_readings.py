"""What follows from the call of a class, as far as one call shows."""

from __future__ import annotations

from cfglint.base.logic import UNKNOWN, plain
from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.frameworks.for_files import variant
from cfglint.frameworks.trl.commands import commands_of_classes
from cfglint.frameworks.trl.patched import is_patched
from cfglint.frameworks.trl.readings import TrlReadings
from cfglint.roles.model_facts import fact_of_model
from cfglint.roles.readings import Readings
from cfglint.source.calls import call_of

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.knowledge.rules.views import View
    from cfglint.roles.parts import Asked
    from cfglint.roles.reading.base import Reading
    from cfglint.runs.memory.planning import Planner
    from cfglint.source.document import Document


class CallReadings(Readings):
    """What a class makes of its arguments, as far as one call shows."""

    derived_values = TrlReadings.derived_values

    def fact(self, name: str, view: View, around: Surroundings) -> Any:
        written = plain(view.value(TrlReadings.model_key))
        return fact_of_model(name, written, self.framework.knowledge, around)

    def derived(self, name: str, view: View, asked: Asked, *, assume: bool) -> Any:
        if name in ("call", "adapter"):
            call = call_of(view.document.root)
            # Of a run whose config is not known, the class is not known either; a changed one is as good as of another class.
            is_open = call is not None and call.trainer and (not call.section or call.altered)
            return UNKNOWN if is_open else self.framework.kind
        if name == "patched":
            return any(
                is_patched(one.partition(".")[0], view.document, asked.around)
                for one in (self.framework.kind, _trainer(view))
            )
        if name == "trainer":
            return _trainer(view) or None
        if name == "processes":
            return _processes(asked.around)
        if name == "launcher":
            return _launcher(asked.around)
        if name == "launched_fsdp":
            from cfglint.frameworks.accelerate.launched_fsdp import launched_fsdp

            return launched_fsdp(asked.around)
        command = commands_of_classes().get(self.framework.kind)
        return command if name == "command" and command is not None else UNKNOWN

    def reading(self, target: Environment) -> Reading | None:
        return None

    def planner(
        self, document: Document, target: Environment, around: Surroundings
    ) -> Planner | None:
        from cfglint.frameworks.trl.joined_runs import run_with

        run = run_with(document)
        if run is None:
            return None
        from cfglint.frameworks.trl.fit.program import ProgramPlanner, ProgramValues

        framework = variant(self.framework, kind=run.kind)
        values = ProgramValues(run.config, framework, target.release)
        return ProgramPlanner(run.kind, values, around)


def _processes(around: Surroundings) -> Any:
    """How many processes every command starts on a machine that starts the program; the fewest of them."""
    from cfglint.environment.project.program_starts import starts_of

    counts = [one.processes for one in starts_of(around)]
    known = [one for one in counts if one is not None]
    return min(known) if known and len(known) == len(counts) else UNKNOWN


def _launcher(around: Surroundings) -> Any:
    """The launcher of all commands that start the program."""
    from cfglint.environment.project.program_starts import starts_of

    found = {one.line.launcher for one in starts_of(around)}
    return found.pop() if len(found) == 1 else UNKNOWN


def _trainer(view: View) -> str:
    """The trainer of a run; empty for any other call."""
    call = call_of(view.document.root)
    return call.trainer if call is not None else ""


ROLE = CallReadings
