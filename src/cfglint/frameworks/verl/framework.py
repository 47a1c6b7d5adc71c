"""verl: the shell scripts that start its programs with words that Hydra lays over their configs."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.base.type_names import ClassVar
from cfglint.checks.sources import in_module, misspelt_commands
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.roles.framework import Framework
from cfglint.roles.parts import CheckSource

_STARTED = frozenset({has_value("program")})


class Verl(Framework):
    """The scripts of verl, by the config that their commands read."""

    name = "verl"
    own_roles = frozenset({"key_policy", "own_code", "own_files", "parsing", "readings"})
    checks: ClassVar[Mapping[str, CheckSource]] = {
        **misspelt_commands(),
        **in_module("cfglint.checks.unset_variables", "unset-variable", needs=_STARTED),
        **in_module("cfglint.checks.launcher_options", "misspelt-launcher-option", needs=_STARTED),
        **in_module(
            "cfglint.checks.launched_processes", "more-processes-than-gpus", needs=_STARTED
        ),
        **in_module("cfglint.checks.misspelt_variables", "misspelt-variable", needs=_STARTED),
        **in_module(
            "cfglint.checks.words", "lines-not-joined", "windows-line-ends", needs=_STARTED
        ),
        **in_module("cfglint.checks.unexported", "variable-not-exported", needs=_STARTED),
        **in_module(
            "cfglint.frameworks.verl.checks.words",
            "word-not-an-override",
            "override-value",
            "sweep-without-multirun",
            "appended-key-exists",
            "choice-from-group",
            "deleted-key-missing",
            "key-not-in-config",
            "key-taken-away",
            "list-for-section",
            "parent-config-missing",
            needs=_STARTED,
        ),
        **in_module("cfglint.frameworks.verl.checks.booleans", "text-for-boolean", needs=_STARTED),
        **in_module("cfglint.frameworks.verl.checks.classes", "key-not-of-class", needs=_STARTED),
    }


FRAMEWORK = Verl
