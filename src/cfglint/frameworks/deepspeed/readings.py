"""What follows from one of DeepSpeed's files."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.roles.readings import Readings

if TYPE_CHECKING:
    from cfglint.environment.environment import Environment


class DeepSpeedReadings(Readings):
    """Nothing is computed from a file yet."""

    def reading(self, target: Environment) -> None:
        """Its reader's own conversions are not followed yet."""


ROLE = DeepSpeedReadings
