"""What is known about a call in a program besides its keywords."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.source.document import Mapping, Node


class Call(Record):
    """What is known about a call besides its keywords (`Mapping.about`)."""

    #: The class: the package that it is imported from, and its name.
    name: str
    #: Whether a mapping that is not known may add keywords (`**options`).
    open: bool
    #: The packages that the program imports.
    imports: frozenset[str]


def call_of(node: Node) -> Call | None:
    """What is known about the call that a document, or a section of one, is."""
    about = node.about if isinstance(node, Mapping) else None
    return about if isinstance(about, Call) else None
