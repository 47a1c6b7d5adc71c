"""Programs whose calls configure a run, and scripts that start programs which do so with their options.

Both are documents without keys of their own: each call of a known class is a section, and each command; it is
checked as one of TRL's, with the parameters of the class for keys.
"""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.base.type_names import ClassVar
from cfglint.frameworks.trl_programs.checks import CHECKS
from cfglint.roles.framework import Framework
from cfglint.roles.parts import CheckSource


class TrlPrograms(Framework):
    """The programs and notebooks that call the classes, and the scripts that start programs."""

    name = "trl_programs"
    own_roles = frozenset({"own_files", "parsing", "readings"})
    checks: ClassVar[Mapping[str, CheckSource]] = CHECKS


FRAMEWORK = TrlPrograms
