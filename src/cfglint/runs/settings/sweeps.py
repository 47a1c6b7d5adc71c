"""A sweep file: the values that its runs give the keys of a config."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.source.document import Document, Entry, Node, Path
from cfglint.source.languages.yaml import compose
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText


class SweepFile(Record):
    """A sweep file that was read. Either `document` or `error` is None."""

    #: Absolute.
    path: str
    source: SourceText
    document: Document | None
    error: SourceError | None = None


class Swept:
    """A value that runs give a key. Each is itself alone, also beside an equal one."""

    __slots__ = ("key", "label", "name", "path", "value")

    def __init__(self, entry: Entry, name: Any, value: Node, path: Path) -> None:
        self.key = entry.key
        #: The key as Python has it: mostly text.
        self.name = name
        #: The key as a path shows it.
        self.label = entry.label
        self.value = value
        #: Where the value is in the sweep file.
        self.path = path


#: What a run sets together: the values of one key, or of several that belong together.
Choice = tuple[Swept, ...]


def sweep_from_bytes(path: str, data: bytes) -> SweepFile:
    """The sweep file with these contents; what is wrong with them is its `error`."""
    try:
        source = SourceText.from_bytes(data)
    except SourceError as error:
        return SweepFile(path, SourceText(error.text or ""), None, error)
    try:
        return SweepFile(path, source, compose(source))
    except SourceError as error:
        return SweepFile(path, source, None, error)
