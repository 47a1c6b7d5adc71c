"""What follows from a program: its calls, each a section."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.roles.parts import Reference
from cfglint.roles.readings import Readings
from cfglint.source.calls import call_of

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.reading.base import Reading
    from cfglint.source.document import Document


class ProgramReadings(Readings):
    """The calls of a program."""

    def reading(self, target: Environment) -> Reading | None:
        """None: what a program makes of its values, only a run shows."""
        return None

    def references(self, document: Document, around: Surroundings) -> list[Reference]:
        return [
            Reference("trl", (entry.label,))
            for entry in document.root.entries
            if call_of(entry.value) is not None
        ]


ROLE = ProgramReadings
