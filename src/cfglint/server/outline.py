"""The keys of a document as a tree, and the files that its values name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from cfglint.base.record import Record
from cfglint.engine.checked_document import CheckedDocument
from cfglint.source.document import Document, Mapping, Node, Scalar, Sequence
from cfglint.source.files.nearby import search
from cfglint.source.text import Span

Kind = Literal["mapping", "list", "text", "number", "flag", "null"]
#: Values of one file that are looked up as paths.
_MOST_LINKS = 1_000
_LONGEST = 80


class Symbol(Record):
    """A key, or an item of a list."""

    name: str
    detail: str
    kind: Kind
    #: All that belongs to it.
    span: Span
    #: What is selected: the key.
    selection: Span
    children: tuple[Symbol, ...]


def symbols(document: Document) -> tuple[Symbol, ...]:
    """The keys at the top level, each with what is below it. Aliases are not followed."""
    return _below(document.root, document)


def moved(found: Iterable[Symbol], here: Callable[[Span], Span | None]) -> tuple[Symbol, ...]:
    """The symbols at other places, without those that have none there.

    Args:
        here: the other place of a span.
    """
    out = []
    for one in found:
        selection = here(one.selection)
        if selection is None:
            continue
        # All of it may end where something is half typed.
        span = here(one.span) or selection
        out.append(one.replaced(span=span, selection=selection, children=moved(one.children, here)))
    return tuple(out)


def _below(node: Node, document: Document) -> tuple[Symbol, ...]:
    if isinstance(node, Mapping):
        return tuple(
            _symbol(entry.label, entry.value, entry.key.span, document) for entry in node.entries
        )
    if isinstance(node, Sequence):
        return tuple(
            _symbol(f"[{index}]", item, None, document)
            for index, item in enumerate(node.items)
            if isinstance(item, (Mapping, Sequence))
        )
    return ()


def _symbol(name: str, value: Node, key: Span | None, document: Document) -> Symbol:
    start = key.start if key is not None else value.start
    end = max(value.end, key.end if key is not None else 0)
    # A block ends where the next token begins; the white space before that does not belong to it.
    text = document.text[start:end].rstrip()
    span = Span(start, start + len(text))
    selection = key or Span(start, start + len(text.split("\n", 1)[0].rstrip()))
    children = _below(value, document)
    return Symbol(name or '""', _detail(value), _kind(value), span, selection, children)


def _detail(node: Node) -> str:
    return node.text[:_LONGEST] if isinstance(node, Scalar) else ""


def _kind(node: Node) -> Kind:
    if isinstance(node, Mapping):
        return "mapping"
    if isinstance(node, Sequence):
        return "list"
    value = node.value if isinstance(node, Scalar) else ""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "flag"
    return "number" if isinstance(value, (int, float)) else "text"


def links(run: CheckedDocument) -> Iterator[tuple[Span, str]]:
    """The values that name a file of the project, and the file."""
    folder, files = run.around.folder, run.around.files
    if folder is None:
        return
    looked_up = 0
    for _, _, node in run.document.walk():
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            continue
        written = node.value
        if not _may_be_path(written) or looked_up >= _MOST_LINKS:
            continue
        looked_up += 1
        found = search(written, folder, files).found
        path = next((path for path in found if files.is_file(path)), None)
        if path is not None:
            yield node.span, path


def _may_be_path(text: str) -> bool:
    """Whether a value may be a path: on one line, with a separator or a suffix."""
    return ("/" in text or "." in text) and "\n" not in text and not text.isspace()
