"""What follows from a script of OpenRLHF: its commands, each a section, and what its programs compute."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.frameworks.openrlhf.derived import DERIVED
from cfglint.roles.parts import Reference
from cfglint.roles.readings import Readings
from cfglint.roles.scripts import command_of, further_commands

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.reading.base import Reading
    from cfglint.runs.memory.planning import Planner
    from cfglint.source.document import Document


class OpenRLHFReadings(Readings):
    """What a program makes of its options."""

    derived_values = DERIVED
    model_key = ("pretrain",)

    def reading(self, target: Environment) -> Reading | None:
        return None

    def planner(
        self, document: Document, target: Environment, around: Surroundings
    ) -> Planner | None:
        from cfglint.frameworks.openrlhf.fit.planner import OpenRLHFPlanner
        from cfglint.runs.memory.values import values_of

        program = command_of(document.root)
        if not program:
            return None
        return OpenRLHFPlanner(program, values_of(document, self.framework, target.release), around)

    def references(self, document: Document, around: Surroundings) -> list[Reference]:
        return list(further_commands(document, self.framework.name))


ROLE = OpenRLHFReadings
