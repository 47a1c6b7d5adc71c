"""What the commands of scripts that start programs of a project start."""

from __future__ import annotations

from cfglint.base.type_names import ClassVar
from cfglint.roles.launching import Launching


class ProgramLaunching(Launching):
    """A command is known by its program alone, which is one of the project."""

    starts_own_programs: ClassVar[bool] = True


ROLE = ProgramLaunching
