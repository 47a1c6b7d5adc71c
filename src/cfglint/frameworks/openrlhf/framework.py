"""OpenRLHF: the scripts that start its programs with options."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.base.type_names import ClassVar
from cfglint.checks.sources import in_module
from cfglint.environment.surroundings import Surroundings
from cfglint.framework import Framework
from cfglint.frameworks.openrlhf.programs import program_of
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.roles.parts import CheckSource
from cfglint.source.document import Document


class OpenRLHF(Framework):
    """The scripts of OpenRLHF, by the program that they start."""

    name = "openrlhf"
    own_roles = frozenset({"key_policy", "own_code", "parsing", "readings"})
    checks: ClassVar[Mapping[str, CheckSource]] = {
        **in_module(
            "cfglint.checks.words",
            *("ambiguous-abbreviation", "lines-not-joined", "option-given-twice"),
            *("option-without-word", "stray-word", "switch-with-value", "windows-line-ends"),
            needs=frozenset({has_value("program")}),
        ),
    }

    def kind_of(self, document: Document, around: Surroundings) -> str:
        return program_of(document.root)

    def is_own(self, document: Document) -> bool:
        """Whether a command of the script starts one of the programs."""
        return bool(program_of(document.root))


FRAMEWORK = OpenRLHF
