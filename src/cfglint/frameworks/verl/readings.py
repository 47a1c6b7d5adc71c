"""What follows from a script of verl: its commands, each a section."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.frameworks.verl.derived import DERIVED
from cfglint.roles.parts import Reference
from cfglint.roles.readings import Readings
from cfglint.roles.scripts import further_commands

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.reading.base import Reading
    from cfglint.source.document import Document


class VerlReadings(Readings):
    """The config of a run, as far as a script shows it."""

    derived_values = DERIVED
    model_key = ("actor_rollout_ref", "model", "path")

    def reading(self, target: Environment) -> Reading | None:
        from cfglint.frameworks.verl.reading import VerlReading

        return VerlReading(self.framework, target)

    def references(self, document: Document, around: Surroundings) -> list[Reference]:
        return list(further_commands(document, self.framework.name))


ROLE = VerlReadings
