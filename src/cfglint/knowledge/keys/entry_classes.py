"""The classes that the entries of a list may be of, where a schema has a union of them.

Another key of the file, or one of the entry, may choose the class; else the keys of the entry decide. What is known of
it is `entry_classes` in a framework's `framework.yaml`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cfglint.base.type_names import Any
from cfglint.source.document import Document, Path, Scalar


class EntryClasses:
    """The classes of one release.

    Args:
        rows: section of a list -> what is known of its entries.
        released: whether the release has what came with another one.
    """

    def __init__(self, rows: Mapping[str, Any], released: Callable[[str], bool]) -> None:
        #: The sections of lists whose entries may be of several classes.
        self.lists = tuple(rows)
        self._rows = rows
        self._released = released

    def of_entry(self, section: str, entry: Path, document: Document) -> tuple[str, ...]:
        """The classes that an entry may be of: it is refused when none takes it.

        Args:
            section: that of the list, or one below it.
            entry: the path of the entry.
        """
        row = self._row(section)
        if row is None:
            return ()
        one = self.chosen(
            section, lambda key: _at((key,), document), lambda key: _at((*entry, key), document)
        )
        if one is not None:
            return (one,)
        return tuple(name for name, since in row["classes"].items() if self._has(since))

    def chosen(
        self, section: str, of_file: Callable[[str], Any], of_entry: Callable[[str], Any]
    ) -> str | None:
        """The one class that an entry becomes whatever its keys; None when they decide.

        Args:
            of_file: the value of a key at the top level.
            of_entry: that of a key of the entry.
        """
        chosen = self._choices(section)
        if chosen is None:
            return None
        for choice in chosen["by"]:
            word = (of_entry if choice["in_entry"] else of_file)(choice["key"])
            since = choice["words"].get(word) if isinstance(word, str) else None
            if since is not None and self._has(since):
                return str(choice["becomes"])
        return str(chosen["otherwise"])

    def chooses(self, section: str) -> bool:
        """Whether an entry of a list becomes one class whatever its keys."""
        return self._choices(section) is not None

    def of_section(self, section: str, model: str) -> str:
        """The class of a section below an entry of a class."""
        row = self._row(section)
        below = {} if row is None else row["below"].get(section.rpartition(".")[2], {})
        return str(below.get(model, model))

    def _choices(self, section: str) -> Mapping[str, Any] | None:
        """What chooses the class of an entry; None where its keys decide."""
        row = self._row(section)
        chosen: Mapping[str, Any] | None = None if row is None else row.get("chosen")
        return chosen if chosen is not None and self._has(chosen["since"]) else None

    def _row(self, section: str) -> Mapping[str, Any] | None:
        return next((row for place, row in self._rows.items() if section.startswith(place)), None)

    def _has(self, since: str) -> bool:
        return not since or self._released(since)


def _at(path: Path, document: Document) -> Any:
    node = document.node(path)
    return node.value if isinstance(node, Scalar) else None
