"""What follows from the call of a class, as far as one call shows."""

from __future__ import annotations

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.frameworks.trl.commands import COMMANDS_OF_CLASSES
from cfglint.frameworks.trl.patched import is_patched
from cfglint.frameworks.trl.readings import TrlReadings
from cfglint.roles.readings import Readings

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment
    from cfglint.knowledge.rules.views import View
    from cfglint.roles.parts import Asked
    from cfglint.roles.reading.base import Reading


class CallReadings(Readings):
    """What a class makes of its arguments, as far as one call shows."""

    derived_values = TrlReadings.derived_values

    def derived(self, name: str, view: View, asked: Asked, *, assume: bool) -> Any:
        if name in ("call", "adapter"):
            return self.framework.kind
        if name == "patched":
            package = self.framework.kind.partition(".")[0]
            return is_patched(package, view.document, asked.around)
        command = COMMANDS_OF_CLASSES.get(self.framework.kind)
        return command if name == "command" and command is not None else UNKNOWN

    def reading(self, target: Environment) -> Reading | None:
        return None


ROLE = CallReadings
