"""From key paths to nodes, refusing what cannot be edited in one place alone."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.fixes import refusal
from cfglint.fixes.layout import Collection, child_value
from cfglint.source.document import Alias, Document, Mapping, Node, Path, Scalar, Sequence

#: One step down: a collection, and which of its written entries or items.
Step = tuple[Collection, int]


class FollowedPath(Record):
    """How far a path is written: the steps that exist, the node they lead to, the missing rest."""

    steps: tuple[Step, ...]
    node: Node
    rest: Path


def follow(document: Document, path: Path) -> FollowedPath:
    """Go down a path as far as it is written.

    Raises:
        Refusal: the way leads over an anchor, an alias, a merge key, a tag or a duplicate.
    """
    node: Node = document.root
    steps: list[Step] = []
    for depth, part in enumerate(path):
        check_own(node, path[:depth])
        index = _index(node, part, path[: depth + 1], document)
        if index is None:
            return FollowedPath(tuple(steps), node, path[depth:])
        assert isinstance(node, (Mapping, Sequence))
        steps.append((node, index))
        node = child_value(node, index)
    return FollowedPath(tuple(steps), node, ())


def find(document: Document, path: Path) -> FollowedPath:
    """Go down a path that must be written.

    Raises:
        Refusal: as `follow`, or the path is not in the file.
    """
    place = follow(document, path)
    if place.rest or not path:
        raise refusal.missing(path)
    return place


def check_own(node: Node, path: Path) -> None:
    """Refuse a node whose content is not its own or not plain.

    Raises:
        Refusal: it is an alias, or has an anchor or a tag.
    """
    if isinstance(node, Alias) or node.anchor is not None:
        raise refusal.shared(path)
    if node.tag is not None:
        raise refusal.tagged(path)


def check_unmerged(document: Document, mapping: Node, path: Path) -> None:
    """Refuse to add, remove or rename keys where merge keys fill in others.

    Raises:
        Refusal: the mapping has a `<<`.
    """
    if isinstance(mapping, Mapping) and mapping.has_merge:
        raise refusal.shared(path)


def check_subtree(document: Document, node: Node, path: Path) -> None:
    """Refuse to remove a value that other places refer to, or that refers to others.

    Raises:
        Refusal: an anchor, an alias or a tag is in it.
    """
    check_own(node, path)
    text = document.text
    if not any(text.find(sign, node.start, node.end) >= 0 for sign in "&*!"):
        return
    waiting = [node]
    while waiting:
        child = waiting.pop()
        check_own(child, path)
        if isinstance(child, Mapping):
            waiting.extend(entry.key for entry in child.entries)
            waiting.extend(entry.value for entry in child.entries)
        elif isinstance(child, Sequence):
            waiting.extend(child.items)


def _index(node: Node, part: str | int, path: Path, document: Document) -> int | None:
    """Which written entry or item a path part names; None when there is none."""
    if isinstance(part, int):
        if isinstance(node, Sequence) and 0 <= part < len(node.items):
            return part
        return None
    if not isinstance(node, Mapping):
        return None
    if len(node.lookup) == len(node.entries) and not node.has_merge:
        # No merges and no duplicates: what a reader gets is the entry itself.
        known = node.lookup.get(part)
        return node.position_of(known) if known is not None and type(known.key) is Scalar else None
    found = node.positions_of(part)
    if len(found) > 1:
        raise refusal.duplicated(path)
    if not found:
        # The key may come from there, or the new one may hide it.
        check_unmerged(document, node, path[:-1])
    return found[0] if found else None
