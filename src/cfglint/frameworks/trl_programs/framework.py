"""Programs whose calls configure a run, and scripts that start programs which do so with their options.

Both are documents without keys of their own: each call of a known class is a section, and each command; it is
checked as one of TRL's, with the parameters of the class for keys.
"""

from __future__ import annotations

from cfglint.framework import Framework


class TrlPrograms(Framework):
    """The programs and notebooks that call the classes, and the scripts that start programs."""

    name = "trl_programs"
    own_roles = frozenset({"own_files", "parsing", "readings"})


FRAMEWORK = TrlPrograms
