"""ms-swift: the commands of `swift` and `megatron`, with options or with a YAML or JSON file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from cfglint.base.type_names import ClassVar
from cfglint.checks.sources import of_scripts
from cfglint.environment.surroundings import Surroundings
from cfglint.framework import Framework
from cfglint.frameworks.swift.commands import COMMANDS, kind_of_file, kind_of_script, spoken
from cfglint.roles.parts import CheckSource
from cfglint.source.document import Document

#: Keys of the `args.json` that a run writes beside its checkpoints.
_OF_A_RUN = frozenset({"global_world_size", "model_dir", "training_args"})


class Swift(Framework):
    """ms-swift's scripts and files, each kind for a command."""

    name = "swift"
    own_roles = frozenset({"key_policy", "launching", "own_code", "parsing", "readings"})
    checks: ClassVar[Mapping[str, CheckSource]] = {**of_scripts()}

    def is_own(self, document: Document) -> bool:
        """Whether a command of a script starts ms-swift; every other document may be one, but what a run has written."""
        if self.in_scripts:
            return bool(kind_of_script(document))
        return not document.root.names >= _OF_A_RUN

    def kind_of(self, document: Document, around: Surroundings) -> str:
        if self.in_scripts:
            return kind_of_script(document)
        return kind_of_file(document, around) or self.kind

    @cached_property
    def title(self) -> str:
        return f"`{spoken(self.kind)}`" if self.kind in COMMANDS else str(self.row["title"])


FRAMEWORK = Swift
