"""Which documents are a framework's files, and of which kind each is."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.knowledge import recognition

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings
    from cfglint.roles.framework import Framework
    from cfglint.source.document import Document


class OwnFiles:
    """The files of a framework; by default all documents that have its keys, which are of one kind."""

    def __init__(self, framework: Framework) -> None:
        self.framework = framework

    def recognizes(self, document: Document, is_named: bool = False) -> bool:
        """Whether a document is one of the framework's files, by its keys and by `is_own`.

        Args:
            is_named: it is named as one, so that the calls or commands in it need not show whose they are.
        """
        if not self.is_own(document):
            return False
        framework = self.framework
        if framework.file_kind.has_file_name or (is_named and framework.row["of_sections"]):
            return True
        language = framework.language.name
        if language in recognition.OF_TEXTS:
            return recognition.of_text(document.text, language) == framework.name
        entries = document.root.entries
        names = frozenset(entry.name for entry in entries if entry.name is not None)
        return recognition.of_keys(names) == framework.name

    def is_own(self, document: Document) -> bool:
        """Whether a document whose keys look like the framework's is one of its files."""
        return True

    def kind_of(self, document: Document, around: Surroundings) -> str:
        """Of which kind a file is, where a framework has several."""
        return self.framework.kind


ROLE = OwnFiles
