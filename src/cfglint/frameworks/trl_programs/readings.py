"""What follows from a program or a script: its calls or its commands, each a section."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.frameworks.deepspeed.references import deepspeed_settings
from cfglint.knowledge.keys.classes import is_below
from cfglint.roles.parts import Reference
from cfglint.roles.readings import Readings
from cfglint.source.calls import call_of
from cfglint.source.document import Mapping

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.reading.base import Reading
    from cfglint.source.document import Document


class ProgramReadings(Readings):
    """The calls of a program; the commands of a script whose programs the project has."""

    def reading(self, target: Environment) -> Reading | None:
        """None: what a program makes of its values, only a run shows."""
        return None

    def references(self, document: Document, around: Surroundings) -> Iterator[Reference]:
        for entry in document.root.entries:
            yield Reference("trl", (entry.label,))
            if isinstance(entry.value, Mapping) and _configures(entry.value):
                for named in deepspeed_settings(document.section(entry.value), around):
                    yield named.replaced(at=(entry.label, *named.at))


def _configures(section: Mapping) -> bool:
    """Whether a section is a command, or the call of a class that configures a trainer."""
    call = call_of(section)
    return call is None or is_below("trl", call.name)


ROLE = ProgramReadings
