"""LLaMA2-Accessory: the shell scripts that start its programs.

A script is the only config there is: its options say everything, and name the YAML file of the data
and the JSON files of the model. It is read as text.
"""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.base.type_names import ClassVar
from cfglint.checks.sources import has_folder, in_module, misspelt_commands
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.roles.framework import Framework
from cfglint.roles.parts import CheckSource

_STARTED = frozenset({has_value("program")})


class Accessory(Framework):
    """The scripts of LLaMA2-Accessory, by the program that they start."""

    name = "accessory"
    own_roles = frozenset({"key_policy", "own_code", "own_files", "parsing", "readings"})
    checks: ClassVar[Mapping[str, CheckSource]] = {
        **misspelt_commands(),
        **in_module(
            "cfglint.checks.words",
            "stray-argument",
            "ambiguous-option",
            "option-without-value",
            "switch-with-value",
            "repeated-option",
            "options-cut-off",
            "pipe-cut-off",
            "pipe-hides-exit-code",
            "carriage-returns",
            needs=_STARTED,
        ),
        **in_module(
            "cfglint.frameworks.accessory.checks.words", "files-in-one-word", needs=_STARTED
        ),
        **in_module(
            "cfglint.frameworks.accessory.checks.named_files",
            "data-file-entries",
            "model-file-keys",
            around=has_folder,
            needs=_STARTED,
        ),
        **in_module(
            "cfglint.frameworks.accessory.checks.model_types", "model-type", needs=_STARTED
        ),
    }


FRAMEWORK = Accessory
