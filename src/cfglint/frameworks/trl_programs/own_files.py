"""Which programs and scripts configure a run by known classes."""

from __future__ import annotations

from cfglint.roles.own_files import OwnFiles
from cfglint.source.document import Document


class TrlProgramFiles(OwnFiles):
    """Programs and notebooks that call the classes, and scripts that start programs."""

    def is_own(self, document: Document) -> bool:
        """Whether the program calls one of the classes, or a command of the script starts a program."""
        return bool(document.root.entries)


ROLE = TrlProgramFiles
