"""TRL: the YAML file that `trl sft --config` and its other commands read.

Two packages say what may be in it: TRL's own classes, and below them transformers'
TrainingArguments. The key table writes a release of the second with its name in front.
"""

from __future__ import annotations

from functools import cached_property

from cfglint.environment.surroundings import Surroundings
from cfglint.framework import Framework
from cfglint.frameworks.trl.commands import COMMANDS, OF_OTHERS, command_of, is_of_another_method
from cfglint.source.document import Document


class Trl(Framework):
    """TRL's files, each kind for a command, or for the script of a method that has no command."""

    name = "trl"
    own_roles = frozenset({"key_policy", "launching", "own_code", "parsing", "readings"})

    def kind_of(self, document: Document, around: Surroundings) -> str:
        command = command_of(document, around)
        return command or (OF_OTHERS if is_of_another_method(around) else "")

    @cached_property
    def title(self) -> str:
        return f"`trl {self.kind}`" if self.kind in COMMANDS else str(self.row["title"])


FRAMEWORK = Trl
