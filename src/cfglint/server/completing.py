"""Completions: keys and values that are valid at the cursor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cfglint.base.record import Record
from cfglint.server.cursor import Cursor, is_written
from cfglint.server.hovering import summary
from cfglint.server.keys import Key, KeyReader, key_at, keys_of, names_known_to_rules, reader_at
from cfglint.source.languages.base import Unwritable


class Proposal(Record):
    """One completion."""

    label: str
    #: The text that replaces `Cursor.span`.
    text: str
    is_key: bool
    #: A few words that an editor shows next to the label.
    detail: str
    #: In Markdown.
    about: str
    #: Whether it is sorted last, because it is rarely meant.
    rarely: bool = False


def proposals(cursor: Cursor) -> Iterator[Proposal]:
    """The completions at a cursor."""
    reader = reader_at(cursor.run, cursor.path)
    if cursor.is_key:
        yield from _keys(cursor, reader)
    else:
        yield from _values(cursor, reader)


def _keys(cursor: Cursor, reader: KeyReader) -> Iterator[Proposal]:
    mapping = cursor.mapping
    there = {entry.name for entry in mapping.entries if is_written(entry)} if mapping else set()
    plugins = cursor.run.context.plugins
    for key in keys_of(reader, cursor.path[:-1]):
        if key.name in there or key.info.rename:
            continue
        yield Proposal(
            label=key.name,
            text=f"{cursor.before}{key.name}{_behind_key(cursor, key)}",
            is_key=True,
            detail=key.words(),
            about=summary(key),
            rarely=bool(key.standing.plugin) and key.standing.plugin not in plugins,
        )


def _behind_key(cursor: Cursor, key: Key) -> str:
    """What follows a key: in YAML a mapping or a list begins on a line of its own."""
    block = cursor.run.document.language.structure == "indentation"
    only_below = (key.takes_mapping or key.takes_list) and not key.choices and not key.takes_flags
    return ":" if block and only_below and cursor.after.endswith(": ") else cursor.after


def _values(cursor: Cursor, reader: KeyReader) -> Iterator[Proposal]:
    path = cursor.path
    while path and isinstance(path[-1], int):
        path = path[:-1]
    key = key_at(reader, path)
    values: list[Any] = list(key.choices) if key is not None else []
    if key is not None and key.takes_flags:
        values += [True, False]
    values += names_known_to_rules(reader, cursor.path)
    default = key.reader.framework.keys.defaults.get(key.name) if key is not None else None
    for value in dict.fromkeys((type(value), value) for value in values):
        text = _written(cursor, value[1])
        if text is not None:
            detail = "default" if value[1] == default and default is not None else ""
            yield Proposal(str(text).strip('"'), text, is_key=False, detail=detail, about="")


def _written(cursor: Cursor, value: Any) -> str | None:
    """A value as the language writes it, without the opening quote if there already is one."""
    if cursor.quoted:
        return f"{value}{cursor.after}" if isinstance(value, str) else None
    try:
        return cursor.run.document.language.render(value)
    except Unwritable:
        return None
