"""Which files and scripts are TRL's, and for which command or class."""

from __future__ import annotations

from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.trl.commands import COMMANDS, OF_OTHERS, command_of, is_of_another_method
from cfglint.frameworks.trl.serving import SERVE, SERVER
from cfglint.roles.own_files import OwnFiles
from cfglint.roles.scripts import command_of as command_of_script
from cfglint.source.document import Document


def _filled_class(program: str, around: Surroundings) -> str:
    """The class that a program of the project fills with the options of a command; empty if none is known."""
    from cfglint.frameworks.trl.filled_classes import filled_by

    filled = filled_by(program, around)
    return filled.kind if filled is not None else ""


class TrlFiles(OwnFiles):
    """Its files and scripts, each of the kind for a command, a class, or a method without a command."""

    def is_own(self, document: Document) -> bool:
        """Whether a command of the script starts TRL with options; every other document may be one."""
        return not self.framework.in_scripts or bool(command_of_script(document.root))

    def kind_of(self, document: Document, around: Surroundings) -> str:
        if self.framework.in_scripts:
            command = command_of_script(document.root)
            if command == SERVE:
                return SERVER
            return command if command in COMMANDS else _filled_class(command, around)
        if around.is_started and self.framework.kind:
            return self.framework.kind  # the commands that start it have decided
        command = command_of(document, around)
        return command or (OF_OTHERS if is_of_another_method(around) else "")


ROLE = TrlFiles
