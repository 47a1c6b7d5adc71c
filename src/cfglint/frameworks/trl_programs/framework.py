"""Programs whose calls configure a run.

A program is a document without keys of its own: each call of a known class is a section, which is
checked as one of TRL's, with the parameters of the class for keys.
"""

from __future__ import annotations

from cfglint.framework import Framework
from cfglint.source.document import Document


class TrlPrograms(Framework):
    """The programs and notebooks that call the classes."""

    name = "trl_programs"
    own_roles = frozenset({"parsing", "readings"})

    def is_own(self, document: Document) -> bool:
        """Whether the program calls one of the classes."""
        return bool(document.root.entries)


FRAMEWORK = TrlPrograms
