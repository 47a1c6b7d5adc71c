"""verl: the shell scripts that start its programs with words that Hydra lays over their configs."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.base.type_names import ClassVar
from cfglint.checks.sources import in_module
from cfglint.environment.surroundings import Surroundings
from cfglint.framework import Framework
from cfglint.frameworks.verl.commands import config_of, kind_of_config
from cfglint.knowledge.rules.index.triggers import has_value
from cfglint.roles.parts import CheckSource
from cfglint.source.document import Document

_STARTED = frozenset({has_value("program")})


class Verl(Framework):
    """The scripts of verl, by the config that their commands read."""

    name = "verl"
    own_roles = frozenset({"key_policy", "own_code", "parsing", "readings"})
    checks: ClassVar[Mapping[str, CheckSource]] = {
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
        **in_module("cfglint.frameworks.verl.checks.classes", "key-not-of-class", needs=_STARTED),
    }

    def kind_of(self, document: Document, around: Surroundings) -> str:
        config = config_of(document.root)
        return kind_of_config(config.name) if config is not None and config.name else ""

    def is_own(self, document: Document) -> bool:
        """Whether a command of the script starts one of the programs."""
        return config_of(document.root) is not None


FRAMEWORK = Verl
