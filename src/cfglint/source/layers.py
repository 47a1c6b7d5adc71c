"""Two files as one document: values of the one laid over keys of the other, or named by them."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.source.document import Document, Entry, Mapping, Node, Path, Scalar, Sequence
from cfglint.source.languages.yaml import compose
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText, Span

_TEXT = "tag:yaml.org,2002:str"
#: Between the texts of two files in one. Repairs refuse a text with such a line break, and none is
#: wanted there: they would be planned for a file that does not exist.
BORDER = "\u2028"


class LaidEntry(Entry):
    """An entry whose key and value stand apart, and that is shown at its value."""

    __slots__ = ()

    @property
    def span(self) -> Span:
        return self.value.span


class NamedEntry(Entry):
    """An entry whose value is in another file, and that is shown at its key."""

    __slots__ = ()

    @property
    def span(self) -> Span:
        return self.key.span


class Joined(Record):
    """A document with another one in place of the value that names it.

    The text is the one's and then the other's, so that a position tells which file it is in.
    """

    document: Document
    #: Where the text of the other file begins.
    offset: int

    def is_in_other(self, span: Span) -> bool:
        """Whether a place in the joined text is one in the other file."""
        return span.start >= self.offset

    def in_other(self, span: Span) -> Span:
        """The same place, as the other file counts."""
        return Span(span.start - self.offset, max(span.end, span.start) - self.offset)


def joined(own: Document, at: Path, other: Document) -> Joined:
    """A document with another one in place of the value at a path.

    Args:
        at: where the other one is named; a key at the top level that is not written is added.
        other: it is read again, for its nodes get other positions.
    """
    offset = len(own.text) + len(BORDER)
    root = other.language.read(other.source).root
    move(root, offset)
    return Joined(
        Document(
            joined_source(own.source, other.source),
            _with_value(own.root, at, root),
            language=own.language,
            pure=own.pure,
        ),
        offset,
    )


def joined_source(own: SourceText, other: SourceText) -> SourceText:
    """The texts of two files in one; what comments silence is examined in each file apart."""
    text = (own.text + BORDER + other.text).replace("cfglint:", "cfglint;")
    return SourceText(text, bom=own.bom)


def copied(mapping: Mapping) -> Mapping:
    """A mapping with the same span and no entries."""
    copy = Mapping(mapping.start, mapping.end, mapping.anchor, mapping.tag, flow=mapping.flow)
    copy.depth, copy.size = mapping.depth, mapping.size
    return copy


def _with_value(mapping: Mapping, at: Path, value: Mapping) -> Mapping:
    copy = copied(mapping)
    name, rest = at[0], at[1:]
    found = mapping.lookup.get(name)
    for entry in mapping.entries:
        if entry is not found:
            copy.entries.append(entry)
            continue
        inner = entry.value.target()
        if rest and isinstance(inner, Mapping):
            copy.entries.append(Entry(entry.key, _with_value(inner, rest, value)))
        else:
            copy.entries.append(NamedEntry(entry.key, value))
    if found is None:
        key = Scalar(value.start, value.start, None, None, str(name), "", _TEXT, name)
        copy.entries.append(NamedEntry(key, value))
    return copy


def move(root: Node, by: int) -> None:
    """Move all nodes of a tree on by so many characters."""
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        node.start += by
        node.end += by
        if isinstance(node, Mapping):
            for entry in node.entries:
                stack += (entry.key, entry.value)
        elif isinstance(node, Sequence):
            stack += node.items


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
