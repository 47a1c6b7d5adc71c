"""Programs whose calls configure a run, and scripts that start programs which do so with their options.

Both are documents without keys of their own: each call of a known class is a section, and each command; it is
checked as one of TRL's, with the parameters of the class for keys.
"""

from __future__ import annotations

from cfglint.framework import Framework
from cfglint.source.document import Document


class TrlPrograms(Framework):
    """The programs and notebooks that call the classes, and the scripts that start programs."""

    name = "trl_programs"
    own_roles = frozenset({"parsing", "readings"})

    def is_own(self, document: Document) -> bool:
        """Whether the program calls one of the classes, or a command of the script starts a program."""
        return bool(document.root.entries)


FRAMEWORK = TrlPrograms
