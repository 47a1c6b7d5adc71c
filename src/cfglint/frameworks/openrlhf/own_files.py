"""Which scripts are OpenRLHF's."""

from __future__ import annotations

from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.openrlhf.programs import is_module, program_of
from cfglint.roles.own_files import OwnFiles
from cfglint.roles.scripts import command_of
from cfglint.source.document import Document


class OpenRLHFFiles(OwnFiles):
    """Scripts, by the program that they start."""

    def kind_of(self, document: Document, around: Surroundings) -> str:
        return program_of(document.root)

    def is_own(self, document: Document) -> bool:
        """Whether a command of the script starts one of the programs."""
        return bool(program_of(document.root)) or is_module(command_of(document.root))


ROLE = OpenRLHFFiles
