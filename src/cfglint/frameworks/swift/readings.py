"""What follows from one of ms-swift's files, or from a script that starts it."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Table

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar
from cfglint.frameworks.deepspeed.references import deepspeed_settings, opened_settings
from cfglint.frameworks.swift.commands import COMMANDS, OF_SEVERAL_PROCESSES, kind_of_file
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.roles.parts import Asked, Derived, Opened, Reference
from cfglint.roles.readings import Readings
from cfglint.roles.scripts import command_of, further_commands

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.knowledge.rules.views import View
    from cfglint.roles.reading.base import Reading
    from cfglint.runs.memory.planning import Planner
    from cfglint.source.document import Document

#: Arguments of which nearly every file and line has one.
_USUAL = frozenset(
    has_value(key)
    for key in ("model", "dataset", "model_id_or_path", "model_type", "adapters", "output_dir")
)


def _of_file(_view: View, _asked: Asked, _assume: bool) -> Any:
    """What is known of the file, not of the view: see `SwiftReadings.derived`."""
    return UNKNOWN


#: The variable with the number of machines, which may be set to what only the run knows.
_MACHINES = "NNODES"
#: What starts several processes, or says that there is to be one.
_PROCESSES = (*OF_SEVERAL_PROCESSES, "SWIFT_SINGLE_DEVICE_MODE")


def _one_process(view: View, _asked: Asked, _assume: bool) -> Any:
    """Whether a script starts one process, as far as its text says; unknown where it says something else."""
    document = view.document
    if not command_of(document.root) or any(word in document.text for word in _PROCESSES):
        return UNKNOWN
    return True


def _processes(view: View, asked: Asked, _assume: bool) -> Any:
    """How many processes a command starts, on all machines; unknown where it does not say so itself."""
    from cfglint.environment.project.own_processes import training_lines
    from cfglint.environment.project.program_starts import world_of

    document = view.document
    line = next(training_lines(document, asked.around), None)
    if line is None or (_MACHINES in document.text and _MACHINES not in dict(line.environment)):
        return UNKNOWN
    world = world_of(line, asked.around)
    return world.processes if world.stated and world.processes else UNKNOWN


class SwiftReadings(Readings):
    """What a command of ms-swift makes of a file."""

    model_key = ("model",)
    derived_values: ClassVar[Table[str, Derived]] = {
        "command": Derived(_of_file, _USUAL),
        "one_process": Derived(_one_process, _USUAL),
        "processes": Derived(_processes, _USUAL),
    }

    def derived(self, name: str, view: View, asked: Asked, *, assume: bool) -> Any:
        if name != "command":
            return super().derived(name, view, asked, assume=assume)
        return self.framework.kind if self.framework.kind in COMMANDS else UNKNOWN

    def reading(self, target: Environment) -> Reading | None:
        return None

    def opened(self, document: Document) -> Iterator[Opened]:
        return opened_settings(document)

    def planner(
        self, document: Document, target: Environment, around: Surroundings
    ) -> Planner | None:
        from cfglint.frameworks.swift.fit.planner import SwiftPlanner
        from cfglint.runs.memory.values import values_of

        if self.framework.in_scripts:
            from cfglint.environment.project.own_processes import (
                settings_elsewhere,
                with_own_command,
            )

            command = command_of(document.root)
            if settings_elsewhere(document, around):
                return None
            around = with_own_command(document, around)
        else:
            command = kind_of_file(document, around) or self.framework.kind
        values = values_of(document, self.framework, target.release)
        return SwiftPlanner(command, values, around)

    def references(self, document: Document, around: Surroundings) -> Iterator[Reference]:
        if self.framework.in_scripts:
            yield from further_commands(document, self.framework.name)
        yield from deepspeed_settings(document, around)


ROLE = SwiftReadings
