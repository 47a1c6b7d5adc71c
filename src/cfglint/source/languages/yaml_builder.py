"""PyYAML's events to nodes, without recursion and within the limits."""

from __future__ import annotations

from collections.abc import Callable

from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.source.document import Alias, Entry, Mapping, Node, Scalar, Sequence
from cfglint.source.problems import TWICE, ProblemKind, SourceError
from cfglint.source.scalars import MAP, MERGE, SEQ, STR, UNBUILDABLE, VALUE, construct_scalar
from cfglint.source.text import Span

#: Collections inside each other; real configs stay below 10.
MAX_DEPTH = 100
#: Nodes after every alias is followed; real configs stay below 2,000.
MAX_NODES = 100_000

_BLOCKS = ("|", ">")
_SET = "tag:yaml.org,2002:set"
_PAIRS = ("tag:yaml.org,2002:omap", "tag:yaml.org,2002:pairs")
_BLOCK_HEADER = lazy_pattern(r"[|>][-+0-9]*")


class Dialect(Record):
    """In what the programs that read YAML differ.

    `resolve` gives the tag of a plain scalar. `meaning` gives its tag and its value, or None when
    it needs a closer look (a merge key, or text that cannot be built). `keys_are_unique`: whether
    a key that is text may stand only once in a mapping; else the last one counts.
    """

    name: str
    resolve: Callable[[str], str]
    meaning: Callable[[str], tuple[str, Any] | None]
    keys_are_unique: bool = False


class Builder:
    """Builds the node tree from one event stream."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self.text = text
        self.dialect = dialect
        self.anchors: dict[str, Node] = {}
        self.flow_spans: list[tuple[int, int]] = []
        #: Whether a plain `<<` or `=` was seen, which mean more than themselves.
        self.special = False
        #: Whether something was seen whose meaning hangs on the order in which PyYAML builds.
        self.odd = False
        self._documents = 0

    def build(self, next_event: Any) -> Node | None:
        """The root node of the only document; None when the stream has none."""
        root: Node | None = None
        plain_meaning = self.dialect.meaning
        # The collection under construction, the number of nodes in it so far (aliases followed), and
        # the key that waits for its value in it.
        parent: Mapping | Sequence | None = None
        size = 0
        key: Node | None = None
        above: list[tuple[Mapping | Sequence | None, int, Node | None]] = []
        while True:
            event = next_event()
            kind = type(event)
            if kind is ScalarEvent:
                # Nearly all there is; the usual kind is built right here.
                style, meaning = event.style or "", None
                if event.tag is None and event.anchor is None and style not in _BLOCKS:
                    text = event.value
                    meaning = plain_meaning(text) if event.implicit[0] else (STR, text)
                if meaning is None:
                    node: Node = self._scalar(event)
                else:
                    start, end = event.start_mark.index, event.end_mark.index
                    node = Scalar(start, end, None, None, text, style, *meaning)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                if len(above) >= MAX_DEPTH:
                    raise _too_deep(event.start_mark.index)
                above.append((parent, size, key))
                parent, size, key = self._collection(event, kind is MappingStartEvent), 1, None
                continue
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                assert parent is not None
                node = parent
                node.size = size
                parent, size, key = above.pop()
                self._close(node, event)
            elif kind is AliasEvent:
                node = self._alias(event)
            elif kind is StreamEndEvent:
                return root
            else:
                self._check_start(event)
                continue
            if parent is None:
                root = node
                continue
            size += node.size
            if kind is not ScalarEvent:
                _deepen(parent, node)
            if size > MAX_NODES:
                raise SourceError(ProblemKind.ALIAS_EXPANSION, node.span, limit=MAX_NODES)
            if self.special and (key is not None or type(parent) is Sequence):
                self._check_value(key, node)
            if type(parent) is Sequence:
                parent.items.append(node)
            elif key is None:
                key = node if type(node) is Scalar and not self.special else self._key(node)
            else:
                parent.entries.append(Entry(key, node))  # type: ignore[union-attr]
                key = None

    def _check_start(self, event: Any) -> None:
        """Count the documents of a stream.

        Raises:
            SourceError: it has a second one.
        """
        if type(event) is DocumentStartEvent:
            self._documents += 1
            if self._documents > 1:
                start: int = event.start_mark.index  # type: ignore[union-attr]
                raise SourceError(ProblemKind.SEVERAL_DOCUMENTS, Span(start, start + 3))

    def _anchor(self, event: Any, node: Node) -> None:
        name = event.anchor
        known = self.anchors.get(name)
        if known is not None:
            raise SourceError(
                ProblemKind.SYNTAX,
                Span(node.start, node.start + len(name) + 1),
                problem=f"The anchor &{name} is defined twice: rename one of them.",
                related=((Span(known.start, known.start + len(name) + 1), "first defined here"),),
            )
        self.anchors[name] = node

    def _alias(self, event: Any) -> Alias:
        start, end = event.start_mark.index, event.end_mark.index
        target = self.anchors.get(event.anchor)
        if target is None:
            raise SourceError(
                ProblemKind.SYNTAX,
                Span(start, end),
                problem=f"*{event.anchor} refers to an anchor that is not defined above it.",
            )
        if target.end < 0:
            raise SourceError(
                ProblemKind.ALIAS_CYCLE,
                Span(start, end),
                anchor=event.anchor,
                related=(
                    (Span(target.start, target.start + 1 + len(event.anchor)), "starts here"),
                ),
            )
        return Alias(start, end, target)

    def _scalar(self, event: Any) -> Scalar:
        start, end = event.start_mark.index, event.end_mark.index
        text, tag, style = event.value, event.tag, event.style or ""
        if tag is None or tag == "!":
            # libyaml does not call an empty value with the tag `!` plain; PyYAML does.
            resolved = self.dialect.resolve(text) if event.implicit[0] or tag == "!" else STR
        else:
            resolved = tag
        value: Any = text
        if resolved is not STR and resolved != STR:
            if resolved in (MERGE, VALUE):
                self.special = True
                self.odd = self.odd or event.anchor is not None or tag is not None
            else:
                try:
                    value = construct_scalar(resolved, text)
                except UNBUILDABLE as error:
                    from cfglint.source.reading_errors import unbuildable

                    raise unbuildable(Span(start, end), resolved, text, error) from None
        if style in _BLOCKS:
            end = self._block_scalar_end(start, end)
        node = Scalar(start, end, event.anchor, tag, text, style, resolved, value)
        if event.anchor is not None:
            self._anchor(event, node)
        return node

    def _block_scalar_end(self, start: int, end: int) -> int:
        """Libyaml's mark runs on to the next token; the span ends with the last line of text."""
        text = self.text
        trimmed = start + len(text[start:end].rstrip())
        if text.find("\n", start, trimmed) < 0 and text.find("\r", start, trimmed) < 0:
            match = _BLOCK_HEADER.search(text, start, end)
            return match.end() if match else trimmed
        while trimmed < end and text[trimmed] not in "\r\n":
            trimmed += 1
        return trimmed

    def _collection(self, event: Any, is_mapping: bool) -> Mapping | Sequence:
        start = event.start_mark.index
        flow = bool(event.flow_style)
        tag = None if event.tag in (None, "!") else event.tag
        expected = (MAP, _SET) if is_mapping else (SEQ, *_PAIRS)
        if tag is not None and tag not in expected:
            raise SourceError(
                ProblemKind.UNBUILDABLE,
                Span(start, event.end_mark.index),
                problem=f"the tag {_tag_name(tag)} does not fit a {'mapping' if is_mapping else 'list'}",
            )
        if tag in _PAIRS:
            self.odd = True
        node: Mapping | Sequence
        if is_mapping:
            node = Mapping(start, -1, event.anchor, tag, flow=flow)
        else:
            node = Sequence(start, -1, event.anchor, tag, flow=flow)
        if event.anchor is not None:
            self._anchor(event, node)
        return node

    def _close(self, node: Node, event: Any) -> None:
        if isinstance(node, Mapping):
            if node.flow:
                node.end = event.end_mark.index
                self.flow_spans.append((node.start, node.end))
            else:
                last = node.entries[-1] if node.entries else None
                node.end = max(last.value.end, last.key.end) if last else node.start
            if self.dialect.keys_are_unique:
                self._check_unique(node)
        else:
            assert isinstance(node, Sequence)
            if node.flow:
                node.end = event.end_mark.index
                self.flow_spans.append((node.start, node.end))
            else:
                node.end = node.items[-1].end if node.items else node.start
            if node.tag in _PAIRS:
                for item in node.items:
                    pair = item.target()
                    if not isinstance(pair, Mapping) or len(pair.entries) != 1:
                        raise SourceError(
                            ProblemKind.UNBUILDABLE,
                            item.span,
                            problem=f"an item of {_tag_name(node.tag)} is not a single key with a value",
                        )

    def _check_unique(self, mapping: Mapping) -> None:
        seen: dict[str, Node] = {}
        for entry in mapping.entries:
            if entry.name is None or entry.is_merge:
                continue
            first = seen.setdefault(entry.name, entry.key)
            if first is not entry.key:
                raise SourceError(
                    ProblemKind.UNBUILDABLE,
                    entry.key.span,
                    problem=f"the key {entry.label!r} is written twice in this mapping; delete one",
                    related=((first.span, "first written here"),),
                    cause=TWICE,
                )

    def _key(self, node: Node) -> Node:
        target = node.target()
        if not isinstance(target, Scalar):
            from cfglint.source.reading_errors import key_of_several

            raise key_of_several(self.text, node.span)
        if self.special and target.resolved == VALUE:
            target.resolved = STR
        return node

    def _check_value(self, key: Node | None, node: Node) -> None:
        target = node.target()
        scalar = None if key is None else key.target()
        if isinstance(scalar, Scalar) and scalar.resolved == MERGE:
            sources = target.items if isinstance(target, Sequence) else [target]
            for source in sources:
                if not isinstance(source.target(), Mapping):
                    raise SourceError(
                        ProblemKind.UNBUILDABLE,
                        node.span,
                        problem="`<<` merges mappings, but this is not a mapping",
                    )
        elif isinstance(target, Scalar) and target.resolved in (MERGE, VALUE):
            raise SourceError(
                ProblemKind.UNBUILDABLE,
                node.span,
                problem=f"{target.text!r} has a special meaning in YAML; quote it",
            )


def _deepen(parent: Mapping | Sequence, node: Node) -> None:
    """Count the levels below a collection.

    Raises:
        SourceError: there are too many.
    """
    if node.depth >= parent.depth:
        parent.depth = node.depth + 1
        if parent.depth >= MAX_DEPTH:
            raise _too_deep(node.start)


def _too_deep(start: int) -> SourceError:
    return SourceError(ProblemKind.TOO_DEEP, Span(start, start + 1), limit=MAX_DEPTH)


def _tag_name(tag: str | None) -> str:
    from cfglint.source.reading_errors import short_tag

    return short_tag(tag or "")
