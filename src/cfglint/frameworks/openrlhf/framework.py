"""OpenRLHF: the scripts that start its programs with options."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.base.type_names import ClassVar
from cfglint.checks.sources import in_module, misspelt_commands
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.roles.framework import Framework
from cfglint.roles.parts import CheckSource


class OpenRLHF(Framework):
    """The scripts of OpenRLHF, by the program that they start."""

    name = "openrlhf"
    own_roles = frozenset({"key_policy", "own_code", "own_files", "parsing", "readings"})
    checks: ClassVar[Mapping[str, CheckSource]] = {
        **misspelt_commands(),
        **in_module(
            "cfglint.checks.unset_variables",
            "unset-variable",
            needs=frozenset({has_value("program")}),
        ),
        **in_module(
            "cfglint.checks.launcher_options",
            "misspelt-launcher-option",
            needs=frozenset({has_value("program")}),
        ),
        **in_module(
            "cfglint.checks.launched_processes",
            "more-processes-than-gpus",
            needs=frozenset({has_value("program")}),
        ),
        **in_module(
            "cfglint.checks.misspelt_variables",
            "misspelt-variable",
            needs=frozenset({has_value("program")}),
        ),
        **in_module(
            "cfglint.checks.unexported",
            "variable-not-exported",
            needs=frozenset({has_value("program")}),
        ),
        **in_module(
            "cfglint.checks.words",
            *("ambiguous-abbreviation", "lines-not-joined", "option-given-twice"),
            *("option-without-word", "stray-word", "switch-with-value", "windows-line-ends"),
            needs=frozenset({has_value("program")}),
        ),
    }


FRAMEWORK = OpenRLHF
