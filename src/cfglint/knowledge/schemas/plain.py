"""A document as JSON has it: what a JSON Schema can be compared with, or can be itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cfglint.source.document import Document, Entry, Mapping, Node, Path, Scalar, Sequence
from cfglint.source.text import Span

_LONG = 200


class _Object(dict[str, Any]):
    """A mapping that is named, not written out, in the messages that jsonschema makes anyway."""

    def __repr__(self) -> str:
        return "{…}"


class _Array(list[Any]):
    def __repr__(self) -> str:
        return "[…]"


class _LongText(str):
    __slots__ = ()

    def __repr__(self) -> str:
        return repr(self[:_LONG] + "…")


class Plain:
    """The data of a document in the types of JSON, and where each part of it is written.

    Keys that are not text, dates and the like are texts, as written. All aliases of an anchor are the
    same object.

    Attributes:
        data: mappings, lists, texts, numbers, booleans and null.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._built: dict[int, Any] = {}
        #: Mapping -> its entries by their keys, as a reader gets them.
        self._entries: dict[int, dict[str, Entry]] = {}
        #: The number of values that were built.
        self.size = 0
        #: Part of `data` -> what it was made of. `_built` keeps the parts alive.
        self._nodes: dict[int, Node] = {}
        self.data = self._build(document.root)

    def _build(self, node: Node) -> Any:
        node = node.target()
        self.size += 1
        if isinstance(node, Scalar):
            return _scalar(node)
        known = self._built.get(id(node))
        if known is not None:
            return known
        made: Any
        if isinstance(node, Sequence):
            made = _Array(self._build(item) for item in node.items)
        else:
            assert isinstance(node, Mapping)
            entries = self._by_label(node)
            made = _Object((label, self._build(entry.value)) for label, entry in entries.items())
        self._built[id(node)] = made
        self._nodes[id(made)] = node
        return made

    def _by_label(self, node: Mapping) -> dict[str, Entry]:
        known = self._entries.get(id(node))
        if known is None:
            known = {entry.label: entry for entry in node.flattened()}
            self._entries[id(node)] = known
        return known

    def has(self, part: Any) -> bool:
        """Whether a mapping or a list is a part of `data`."""
        return id(part) in self._nodes

    def place(self, part: Any, key: str | int | None = None) -> Span:
        """Where a part of `data` is written, or one of its keys or items."""
        node = self._nodes[id(part)]
        if isinstance(key, str) and isinstance(node, Mapping):
            entry = self._by_label(node).get(key)
            if entry is not None:
                return entry.span
        elif isinstance(key, int) and isinstance(node, Sequence):
            return node.items[key].span
        return node.span

    def place_of(self, part: Any, path: Iterable[str | int]) -> Span:
        """Where a path from a part of `data` is written, as far as it leads."""
        span = self.place(part)
        for step in path:
            if not self.has(part):
                break
            span = self.place(part, step)
            part = part[step]
        return span

    def span(self, path: Path, *, key: bool = False) -> Span:
        """Where a path of `data` is written: an entry or an item; the whole text has a first key.

        Args:
            key: the key alone.
        """
        node: Node = self._document.root
        found: Span | None = None
        for part in path:
            node = node.target()
            if isinstance(part, int):
                assert isinstance(node, Sequence)
                node = node.items[part]
                found = node.span
            else:
                assert isinstance(node, Mapping)
                entry = self._by_label(node)[part]
                node = entry.value
                found = entry.key.span if key else entry.span
        if found is not None:
            return found
        entries = self._document.root.entries
        return entries[0].key.span if entries else self._document.root.span


def _scalar(node: Scalar) -> Any:
    value = node.value
    if value is None or isinstance(value, (bool, int, float)):
        return value
    text = value if isinstance(value, str) else node.text
    return _LongText(text) if len(text) > _LONG else text
