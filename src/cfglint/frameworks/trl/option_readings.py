"""What follows from the options of a program whose parser fills a class: no more than from a call."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.frameworks.trl.call_readings import CallReadings
from cfglint.frameworks.trl.serving import SERVER
from cfglint.roles.parts import Reference
from cfglint.roles.scripts import further_commands

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings
    from cfglint.source.document import Document


class OptionReadings(CallReadings):
    """The commands behind the first one of a script are read as well where that is TRL's own."""

    def references(self, document: Document, around: Surroundings) -> Iterable[Reference]:
        if self.framework.kind == SERVER:
            return further_commands(document, self.framework.name)
        return super().references(document, around)


ROLE = OptionReadings
