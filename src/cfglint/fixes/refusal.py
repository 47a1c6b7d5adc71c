"""Why a fix is shown but not applied."""

from __future__ import annotations

from cfglint.source.document import Path, format_path
from cfglint.source.languages.base import Unwritable


class Refusal(Unwritable):
    """The edit cannot be made exactly; the text is one sentence for the user."""


def shared(path: Path) -> Refusal:
    """The node is part of an anchor, an alias or a merge key."""
    return Refusal(f"{_name(path)} is shared through an anchor, an alias or a merge key.")


def tagged(path: Path) -> Refusal:
    """The node carries a tag."""
    return Refusal(f"{_name(path)} has an explicit tag.")


def duplicated(path: Path) -> Refusal:
    """The refusal of a key that is written more than once in its mapping."""
    return Refusal(f"{_name(path)} is written more than once.")


def missing(path: Path) -> Refusal:
    """Nothing is written at the path."""
    return Refusal(f"{_name(path)} is not in the file.")


def occupied(path: Path) -> Refusal:
    """Another value is where a new one should go."""
    return Refusal(f"{_name(path)} already has a value.")


def not_a(kind: str, path: Path) -> Refusal:
    """The node is of another kind than the action needs."""
    return Refusal(f"{_name(path)} is not {kind}.")


def _name(path: Path) -> str:
    return f"`{format_path(path)}`" if path else "The whole file"
