"""Settings and where they come from: who wrote a value, at which place, and what it replaces."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.base.type_names import Any, Literal
from cfglint.runs.settings.source_map import SourcePlace
from cfglint.source.document import Node, Path


class Writer(Record):
    """Who gives a key its value."""

    #: The file itself, a file that it names, a word of the command that starts it, or a sweep.
    kind: Literal["file", "named file", "option", "sweep"]
    #: The path of the file in which it is written; empty for the file itself.
    path: str = ""


class Setting(Record):
    """A value that a key has in a run."""

    path: Path
    value: Any
    writer: Writer
    place: SourcePlace
    #: The settings that it replaces, the last one first.
    over: tuple[Setting, ...] = ()


class Assignment(Record):
    """A value that a layer gives a key, with positions on the scale of the run."""

    path: Path
    value: Node
    #: Where the layer writes the key; None if it is shown where the layers below have it.
    key: Node | None = None


class Layer(Record):
    """What one writer lays over the settings below it."""

    writer: Writer
    assignments: tuple[Assignment, ...]
    #: Findings about its values are shown at the keys that name them, not at the values.
    at_keys: bool = False
