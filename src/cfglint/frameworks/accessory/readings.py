"""What follows from a script of LLaMA2-Accessory."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.frameworks.accessory.derived import DERIVED
from cfglint.roles.parts import Reference
from cfglint.roles.readings import Readings
from cfglint.source.languages.shell import command_of

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.reading.base import Reading
    from cfglint.source.document import Document


class AccessoryReadings(Readings):
    """What the started program makes of its arguments."""

    derived_values = DERIVED

    def reading(self, target: Environment) -> Reading:
        from cfglint.frameworks.accessory.reading import AccessoryReading

        return AccessoryReading(self.framework, target)

    def references(self, document: Document, around: Surroundings) -> list[Reference]:
        """The commands of a script behind the first one, each a section."""
        return [
            Reference(self.framework.name, (entry.label,))
            for entry in document.root.entries
            if command_of(entry.value) is not None
        ]


ROLE = AccessoryReadings
