"""The sweep file of `axolotl train --sweep`: what each run sets on top of the config.

A key with a list is tried with each value, and all such keys with all values of the others. Under
`_` stand mappings whose keys belong together; one of them at a time is laid over the rest. What a
run sets replaces the config's whole value at the top level: nothing reaches into a section.
"""

from __future__ import annotations

import os
from typing import Any

from cfglint.record import Record
from cfglint.source.document import Document, Entry, Mapping, Node, Path, Scalar, Sequence
from cfglint.source.languages.yaml import compose
from cfglint.source.problems import SourceError
from cfglint.source.text import MAX_BYTES, SourceText

#: The key whose items are mappings.
PAIRS = "_"


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
        #: Where the value stands in the sweep file.
        self.path = path


#: What a run sets together: one value of a key, or the keys of one item below `_`.
Choice = tuple[Swept, ...]


def read_sweep(path: str) -> SweepFile:
    """Read a sweep file.

    Raises:
        OSError: it cannot be opened or read.
    """
    with open(path, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    return sweep_from_bytes(os.path.abspath(path), data)


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


def dimensions(root: Mapping) -> list[list[Choice]]:
    """What varies, each with its choices; `_` comes last, since it wins over the others.

    A value that is no list is taken for the only choice that was meant, so that a mistake in one
    key leaves the others to be looked at. A key that offers no choice at all is left out.
    """
    found: list[list[Choice]] = []
    pairs: list[Choice] = []
    for name, entry in root.lookup.items():
        label = entry.label
        value = entry.value.target()
        if name == PAIRS:
            for index, item in enumerate(value.items if isinstance(value, Sequence) else ()):
                pairs += _pair(item.target(), (label, index))
        elif isinstance(value, Sequence):
            choices: list[Choice] = [
                (Swept(entry, name, item, (label, index)),)
                for index, item in enumerate(value.items)
            ]
            found += [choices] if choices else []
        elif not isinstance(value, Scalar) or value.value is not None:
            found.append([(Swept(entry, name, entry.value, (label,)),)])
    return [*found, pairs] if pairs else found


def _pair(item: Node, path: Path) -> list[Choice]:
    if not isinstance(item, Mapping):
        return []
    return [
        tuple(
            Swept(entry, name, entry.value, (*path, entry.label))
            for name, entry in item.lookup.items()
        )
    ]
