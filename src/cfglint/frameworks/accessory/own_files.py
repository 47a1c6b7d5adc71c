"""Which scripts are LLaMA2-Accessory's."""

from __future__ import annotations

from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.accessory.options import kind_of
from cfglint.roles.own_files import OwnFiles
from cfglint.source.document import Document


class AccessoryFiles(OwnFiles):
    """Scripts, by the program that they start."""

    def kind_of(self, document: Document, around: Surroundings) -> str:
        return kind_of(document.root)

    def is_own(self, document: Document) -> bool:
        """Whether a command of the script starts one of the programs."""
        return bool(kind_of(document.root))


ROLE = AccessoryFiles
