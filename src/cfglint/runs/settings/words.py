"""The words of a command as a layer: the values that its options give the keys of a file."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.runs.settings.layers import Assignment, Layer, Writer
from cfglint.source.document import Entry, Mapping, Node, Path, Scalar, Sequence
from cfglint.source.languages.base import Language, Unwritable
from cfglint.source.text import Span

_TAG = "tag:yaml.org,2002:"
_TAGS = {type(None): "null", bool: "bool", int: "int", float: "float", str: "str"}


class Override(Record):
    """A value that a command line lays over a key of the file."""

    path: Path
    value: Any
    #: Where the option is, in the file of the command.
    start: int
    end: int


def layer_of_words(
    path: str, overrides: Iterable[Override], language: Language, begin: int
) -> Layer:
    """The layer of a command's options.

    Args:
        path: the file in which the command is written.
        language: that of the file that the command starts: it decides how values are shown.
        begin: where the text of the command's file begins on the scale of the run.

    Raises:
        Unwritable: a value cannot be in a file of this language.
    """
    return Layer(
        Writer("option", path),
        tuple(
            Assignment(
                one.path, node_of(one.value, Span(begin + one.start, begin + one.end), language)
            )
            for one in overrides
        ),
    )


def node_of(value: Any, span: Span, language: Language) -> Node:
    """The node of a value that is not written in its file, all of it at one place.

    Raises:
        Unwritable: the language has no way to write it.
    """
    if isinstance(value, list):
        items = [node_of(item, span, language) for item in value]
        sequence = Sequence(*span, None, None, flow=True)
        sequence.items = items
        sequence.depth = _depth(items)
        sequence.size = 1 + sum(item.size for item in items)
        return sequence
    if isinstance(value, dict):
        mapping = Mapping(*span, None, None, flow=True)
        for key, item in value.items():
            entry = Entry(node_of(key, span, language), node_of(item, span, language))
            mapping.entries.append(entry)
            mapping.size += entry.value.size + 1
        mapping.depth = _depth([entry.value for entry in mapping.entries])
        return mapping
    tag = _TAGS.get(type(value))
    if tag is None:
        raise Unwritable("The value is not plain data.")
    written = language.render(value)
    style = written[0] if isinstance(value, str) and written[:1] in ("'", '"') else ""
    text = value if isinstance(value, str) else written
    return Scalar(*span, None, None, text, style, _TAG + tag, value)


def _depth(parts: list[Node]) -> int:
    """The levels of collections below one with these parts."""
    return max((part.depth + 1 for part in parts if not isinstance(part, Scalar)), default=0)
