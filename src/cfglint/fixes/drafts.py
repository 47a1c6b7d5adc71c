"""What one action does to the text, and the text after it."""

from __future__ import annotations

from collections.abc import Sequence as SequenceOf

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.diagnostic import Edit
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.refusal import Refusal
from cfglint.source.document import Document, Node, Path, Scalar
from cfglint.source.problems import SourceError


class Draft(Record):
    """The plan of one action. `removed_from` names the collection that loses a child."""

    edits: tuple[Edit, ...]
    paths: tuple[Path, ...]
    removed_from: tuple[Path, int] | None = None


def reread(document: Document, edits: SequenceOf[Edit]) -> Document:
    """The document after some edits.

    Raises:
        Refusal: it cannot be read any longer.
    """
    changed = document.source.replaced(apply_edits(document.text, edits))
    if changed.newline != document.source.newline:
        raise Refusal("The steps of this fix would leave no line break of the file's own kind.")
    try:
        return document.language.read(changed, pure=document.pure)
    except SourceError:
        raise Refusal("The steps of this fix do not fit together in this file.") from None


def nested(keys: Path, value: Any) -> Any:
    """A value below keys that are made for it."""
    for key in reversed(keys):
        value = {key: value}
    return value


def says(node: Node, value: Any) -> bool:
    """Whether a scalar already has exactly this value."""
    if not isinstance(node, Scalar):
        return False
    held = node.value
    return type(held) is type(value) and (held == value or (held != held and value != value))
