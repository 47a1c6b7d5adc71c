"""Which scripts and files are ms-swift's."""

from __future__ import annotations

from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.swift.commands import kind_of_file, kind_of_script
from cfglint.roles.own_files import OwnFiles
from cfglint.source.document import Document

#: Keys of what a run writes beside its checkpoints: `args.json`, and `sft_args.json` up to 2.6.
_OF_A_RUN = (
    frozenset({"global_world_size", "model_dir", "training_args"}),
    frozenset({"local_rank", "training_args", "world_size"}),
)


class SwiftFiles(OwnFiles):
    """Its scripts and files, each of the kind for a command."""

    def is_own(self, document: Document) -> bool:
        """Whether a command of a script starts ms-swift; every other document may be one, but what a run has written."""
        if self.framework.in_scripts:
            return bool(kind_of_script(document))
        return not any(document.root.names >= keys for keys in _OF_A_RUN)

    def kind_of(self, document: Document, around: Surroundings) -> str:
        if self.framework.in_scripts:
            return kind_of_script(document)
        return kind_of_file(document, around) or self.framework.kind


ROLE = SwiftFiles
