"""What follows from one of ms-swift's files, or from a script that starts it."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Table

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import TYPE_CHECKING, Any, ClassVar
from cfglint.frameworks.deepspeed.references import deepspeed_settings
from cfglint.frameworks.swift.commands import COMMANDS
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.roles.parts import Asked, Derived, Reference
from cfglint.roles.readings import Readings
from cfglint.roles.scripts import further_commands

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.environment.surroundings import Surroundings
    from cfglint.knowledge.rules.views import View
    from cfglint.roles.reading.base import Reading
    from cfglint.source.document import Document

#: Arguments of which nearly every file and line has one.
_USUAL = frozenset(
    has_value(key)
    for key in ("model", "dataset", "model_id_or_path", "model_type", "adapters", "output_dir")
)


def _of_file(_view: View, _asked: Asked, _assume: bool) -> Any:
    """What is known of the file, not of the view: see `SwiftReadings.derived`."""
    return UNKNOWN


class SwiftReadings(Readings):
    """What a command of ms-swift makes of a file."""

    derived_values: ClassVar[Table[str, Derived]] = {"command": Derived(_of_file, _USUAL)}

    def derived(self, name: str, view: View, asked: Asked, *, assume: bool) -> Any:
        return self.framework.kind if self.framework.kind in COMMANDS else UNKNOWN

    def reading(self, target: Environment) -> Reading | None:
        return None

    def references(self, document: Document, around: Surroundings) -> Iterator[Reference]:
        if self.framework.in_scripts:
            yield from further_commands(document, self.framework.name)
        yield from deepspeed_settings(document, around)


ROLE = SwiftReadings
