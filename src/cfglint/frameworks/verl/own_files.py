"""Which scripts are verl's."""

from __future__ import annotations

from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.verl.commands import config_of, kind_of_config
from cfglint.roles.own_files import OwnFiles
from cfglint.source.document import Document


class VerlFiles(OwnFiles):
    """Scripts, by the config that their commands read."""

    def kind_of(self, document: Document, around: Surroundings) -> str:
        config = config_of(document.root)
        return kind_of_config(config.name) if config is not None and config.name else ""

    def is_own(self, document: Document) -> bool:
        """Whether a command of the script starts one of the programs."""
        return config_of(document.root) is not None


ROLE = VerlFiles
