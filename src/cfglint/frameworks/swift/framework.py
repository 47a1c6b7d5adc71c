"""ms-swift: the commands of `swift` and `megatron`, with options or with a YAML or JSON file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from cfglint.base.type_names import ClassVar
from cfglint.checks.sources import in_module, of_scripts
from cfglint.frameworks.swift.commands import COMMANDS, spoken
from cfglint.knowledge.rules.index.triggers import is_true
from cfglint.roles.framework import Framework
from cfglint.roles.parts import CheckSource


class Swift(Framework):
    """ms-swift's scripts and files, each kind for a command."""

    name = "swift"
    own_roles = frozenset(
        {"key_policy", "launching", "own_code", "own_files", "parsing", "readings"}
    )
    checks: ClassVar[Mapping[str, CheckSource]] = {
        **of_scripts(),
        **in_module(
            "cfglint.frameworks.deepspeed.trainer_pair",
            "written-deepspeed-settings-differ",
            needs=frozenset({is_true("deepspeed")}),
        ),
        **in_module(
            "cfglint.frameworks.swift.older_names",
            "older-deepspeed-name",
            needs=frozenset({is_true("deepspeed")}),
        ),
    }

    @cached_property
    def title(self) -> str:
        return f"`{spoken(self.kind)}`" if self.kind in COMMANDS else str(self.row["title"])


FRAMEWORK = Swift
