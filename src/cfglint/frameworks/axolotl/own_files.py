"""Which files are Axolotl's."""

from __future__ import annotations

from cfglint.roles.own_files import OwnFiles
from cfglint.source.document import Document, Sequence


class AxolotlFiles(OwnFiles):
    """Configs, all of one kind."""

    def is_own(self, document: Document) -> bool:
        """A file that contains only lists is a sweep file: what differs between the runs."""
        entries = document.root.entries
        return not all(isinstance(entry.value.target(), Sequence) for entry in entries)


ROLE = AxolotlFiles
