"""Layers merged to one document, in which each value knows the text that it is written in."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.base.type_names import Any
from cfglint.runs.settings.layers import Assignment, Layer, Setting, Writer
from cfglint.runs.settings.source_map import SourceMap, SourcePlace
from cfglint.source.document import Document, Entry, Mapping, Node, Path, Scalar
from cfglint.source.text import SourceText, Span
from cfglint.source.values import to_python

_TEXT = "tag:yaml.org,2002:str"
_FILE = Writer("file")


class LaidEntry(Entry):
    """An entry whose value comes from a layer above the one that has the mapping."""

    __slots__ = ("layer", "over")

    def __init__(self, key: Node, value: Node, layer: Layer, over: Entry | None) -> None:
        super().__init__(key, value)
        self.layer = layer
        #: The entry that it replaces.
        self.over = over

    @property
    def span(self) -> Span:
        return self.key.span if self.layer.at_keys else self.value.span


class MergedSettings(Document):
    """The document that a run's layers make together.

    `text` and `source` are those of the file at the bottom. Positions are on the scale of
    `sources`; those in that file are its own.
    """

    __slots__ = ("sources",)

    def __init__(self, document: Document, root: Mapping, sources: SourceMap) -> None:
        super().__init__(
            document.source,
            root,
            language=document.language,
            pure=document.pure,
            problems=document.problems,
        )
        self.sources = sources

    def place(self, span: Span) -> SourcePlace:
        """A span of this document in its own file."""
        return self.sources.place(span)

    def text_at(self, offset: int) -> tuple[SourceText, int]:
        return self.sources.text_at(offset)

    @property
    def texts(self) -> tuple[str, ...]:
        return self.sources.texts

    def section(self, root: Mapping) -> Document:
        return MergedSettings(self, root, self.sources)

    def setting(self, path: Path) -> Setting | None:
        """The value at a path, who wrote it and what it replaces; None if it has none."""
        node = self.node(path)
        if node is None:
            return None
        layer, over = _FILE, tuple[Setting, ...]()
        laid = self._laid_on(path)
        if laid is not None:
            depth, entry = laid
            layer = entry.layer.writer
            over = self._replaced(entry, path, depth)
        entry_there = self.entry(path)
        span = node.span if entry_there is None else entry_there.span
        return Setting(path, to_python(node), layer, self.place(span), over)

    def own_span(self, span: Span, path: Path) -> Span | None:
        if self.place(span).file is None:
            return span
        laid = self._laid_on(path)
        replaced = laid[1].over if laid is not None else None
        while isinstance(replaced, LaidEntry) and replaced.over is not None:
            replaced = replaced.over
        return replaced.span if replaced is not None else None

    def _laid_on(self, path: Path) -> tuple[int, LaidEntry] | None:
        """The innermost laid entry on the way to a path, and how many parts lead to it."""
        found: tuple[int, LaidEntry] | None = None
        for length in range(1, len(path) + 1):
            entry = self.entry(path[:length])
            if isinstance(entry, LaidEntry):
                found = length, entry
        return found

    def _replaced(self, entry: LaidEntry, path: Path, depth: int) -> tuple[Setting, ...]:
        """What a laid entry replaces at a path, through all layers below it."""
        found: list[Setting] = []
        below = entry.over
        while below is not None:
            writer = below.layer.writer if isinstance(below, LaidEntry) else _FILE
            node = _inside(below.value, path[depth:])
            if node is not None:
                span = below.span if depth == len(path) else node.span
                found.append(Setting(path, to_python(node), writer, self.place(span)))
            below = below.over if isinstance(below, LaidEntry) else None
        return tuple(found)


def merged(document: Document, layer: Layer, sources: SourceMap) -> MergedSettings:
    """A document with a layer on top; what the layer does not set is shared with the document.

    An assignment below a value that is not a mapping and not null has no effect.

    Args:
        sources: a map in which the positions of both are found.
    """
    return MergedSettings(document, _laid_over(document.root, layer.assignments, layer), sources)


def source_map(document: Document) -> SourceMap:
    """The texts of a document, to which those of a layer can be added."""
    return document.sources if isinstance(document, MergedSettings) else SourceMap(document.source)


def _laid_over(mapping: Mapping, assignments: Iterable[Assignment], layer: Layer) -> Mapping:
    """A mapping with the values of a layer, each in the place of the first entry of its key."""
    by_key: dict[Any, list[Assignment]] = {}
    for one in assignments:
        by_key.setdefault(one.path[0], []).append(one)
    copy = Mapping(mapping.start, mapping.end, mapping.anchor, mapping.tag, flow=mapping.flow)
    copy.depth, copy.size, copy.about = mapping.depth, mapping.size, mapping.about
    waiting = dict(by_key)
    for entry in mapping.entries:
        key = entry.key.target()
        name = key.value if isinstance(key, Scalar) and not entry.is_merge else None
        if name is None or name not in by_key:
            copy.entries.append(entry)
        elif name in waiting:
            laid = _laid(mapping.lookup[name], waiting.pop(name), layer)
            copy.entries.append(entry if laid is None else laid)
    for name, own in waiting.items():
        laid = _laid(mapping.lookup.get(name), own, layer)
        if laid is not None:
            copy.entries.append(laid)
    return copy


def _laid(entry: Entry | None, assignments: list[Assignment], layer: Layer) -> Entry | None:
    """The entry of a key after a layer's assignments to it and to what is inside of it."""
    for one in assignments:
        name, rest = one.path[0], one.path[1:]
        if not rest:
            key = one.key or (entry.key if entry is not None else _key(name, one.value))
            entry = LaidEntry(key, one.value, layer, entry)
            continue
        inner = entry.value.target() if entry is not None else None
        within = (one.replaced(path=rest),)
        if isinstance(inner, Mapping) and entry is not None:
            section = _laid_over(inner, within, layer)
            if isinstance(entry, LaidEntry):
                entry = LaidEntry(entry.key, section, entry.layer, entry.over)
            else:
                entry = Entry(entry.key, section)
        elif inner is None or (isinstance(inner, Scalar) and inner.value is None):
            value = one.value
            empty = Mapping(value.start, value.end, None, None, flow=True)
            key = entry.key if entry is not None else _key(name, value)
            entry = LaidEntry(key, _laid_over(empty, within, layer), layer, entry)
    return entry


def _key(name: Any, value: Node) -> Scalar:
    """A key that no layer writes, at the beginning of its value."""
    return Scalar(value.start, value.start, None, None, str(name), "", _TEXT, name)


def _inside(node: Node, path: Path) -> Node | None:
    """The node at a path below another one."""
    node = node.target()
    for part in path:
        if not isinstance(node, Mapping) or part not in node.lookup:
            return None
        node = node.lookup[part].value.target()
    return node
