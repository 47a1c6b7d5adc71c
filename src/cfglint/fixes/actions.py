"""The actions of a fix, in terms of key paths; `planning` turns it into edits of the text.

Values are plain Python data: None, bool, int, float, str, and lists and dicts of these.
"""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.source.document import Path


class SetValue(Record):
    """Give a key (or a list item that exists) this value; missing keys and parents are added."""

    path: Path
    value: Any


class DeleteKey(Record):
    """Remove a key with its value, or a list item when the path ends in an index."""

    path: Path


class RenameKey(Record):
    """Give a key another name; value and place stay."""

    path: Path
    new_name: str


class MoveKey(Record):
    """Take a key with its value and its comments to another path, which must be free or null."""

    path: Path
    new_path: Path


class MoveKeyword(Record):
    """Take a keyword of a call in a program, with its value, to another call, which must not have it."""

    path: Path
    #: The section that the other call is.
    call: str
    new_name: str


class AppendItem(Record):
    """Add an item to a list; the list is made when the key is missing or null."""

    path: Path
    value: Any


class DeleteEntry(Record):
    """Remove one written entry of a mapping, counted from 0.

    The only way to remove a duplicate: a path cannot tell two entries with one key apart.
    """

    mapping_path: Path
    index: int


class RewriteScalar(Record):
    """Write a scalar differently; the literal is YAML, put into the file as it is."""

    path: Path
    literal: str


Action = (
    SetValue
    | DeleteKey
    | RenameKey
    | MoveKey
    | MoveKeyword
    | AppendItem
    | DeleteEntry
    | RewriteScalar
)


def below(action: Action, at: Path) -> Action:
    """The same action on a document in which the other one is the section at a path."""
    if isinstance(action, DeleteEntry):
        return action.replaced(mapping_path=(*at, *action.mapping_path))
    if isinstance(action, MoveKey):
        return MoveKey((*at, *action.path), (*at, *action.new_path))
    return action.replaced(path=(*at, *action.path))
