"""Which files are LLaMA-Factory's: configs of either layout, scripts, and lists of datasets."""

from __future__ import annotations

from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.llamafactory.layout import DATASETS, V1, is_v1, is_whole
from cfglint.roles.own_files import OwnFiles
from cfglint.roles.scripts import command_of
from cfglint.source.document import Document, Mapping

#: Keys of entries that lists of other programs have as well.
_OF_ANY_LIST = frozenset({"folder", "num_samples", "split", "subset"})


class LLaMAFactoryFiles(OwnFiles):
    """Its files, of the older layout or of `v1`, or the list of datasets."""

    def kind_of(self, document: Document, around: Surroundings) -> str:
        framework = self.framework
        if framework.in_scripts:
            return ""  # no command of the newer layout is read from options
        return framework.kind or (V1 if is_v1(document, around) else "")

    def is_own(self, document: Document) -> bool:
        if self.framework.kind == DATASETS:
            # Programs write lists of what they made under the same name.
            values = [entry.value.target() for entry in document.root.entries]
            entries = [value for value in values if isinstance(value, Mapping)]
            known = self.framework.keys.names("*").keys() - _OF_ANY_LIST
            is_known = not entries or any(not known.isdisjoint(one.names) for one in entries)
            return is_known and len(entries) * 2 >= len(values)
        return bool(command_of(document.root)) if self.framework.in_scripts else is_whole(document)


ROLE = LLaMAFactoryFiles
