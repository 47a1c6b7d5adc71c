"""Completions: keys and values that are valid at the cursor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from cfglint.base.record import Record
from cfglint.knowledge.keys.places import full_key
from cfglint.server.cursor import Cursor, is_written
from cfglint.server.hovering import summary
from cfglint.server.keys import Key, KeyReader, key_at, keys_of, names_known_to_rules, reader_at
from cfglint.server.offered import offered
from cfglint.source.document import Path, Scalar, Sequence
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


def first_proposals(cursors: Iterable[Cursor]) -> tuple[Cursor, list[Proposal]] | None:
    """The completions of the first of several cursors that has some."""
    for cursor in cursors:
        found = list(proposals(cursor))
        if found:
            return cursor, found
    return None


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
        if key.name in there or _is_older_name(key) or _is_idle_section(key):
            continue
        name = cursor.spelled(key.name)
        if name is None:
            continue
        yield Proposal(
            label=name,
            text=f"{cursor.before}{name}{_behind_key(cursor, key)}",
            is_key=True,
            detail=key.words(),
            about=summary(key),
            rarely=bool(key.standing.plugin) and key.standing.plugin not in plugins,
        )


def _is_older_name(key: Key) -> bool:
    """Whether the release has a key under a newer name, too."""
    newer = key.info.rename
    if not newer:
        return False
    section, _, name = newer.rpartition(".")
    standing = key.reader.keys.standing
    return standing(section, name).ordinary or standing("", newer).ordinary


def _is_idle_section(key: Key) -> bool:
    """Whether a key is a section whose keys are all of other releases."""
    section = full_key(key.section, key.name)
    names = key.reader.framework.keys.names(section)
    standing = key.reader.keys.standing
    return bool(names) and not any(standing(section, name).ordinary for name in names)


def _behind_key(cursor: Cursor, key: Key) -> str:
    """What follows a key: in YAML a mapping or a list begins on a line of its own, in a word a section ends in a dot."""
    if cursor.run.document.language.structure == "words":
        section = full_key(key.section, key.name)
        return "." if section in key.reader.framework.keys.sections() else cursor.after
    block = cursor.run.document.language.structure == "indentation"
    only_below = (key.takes_mapping or key.takes_list) and not key.choices and not key.takes_flags
    return ":" if block and only_below and cursor.after.endswith(": ") else cursor.after


def _values(cursor: Cursor, reader: KeyReader) -> Iterator[Proposal]:
    path = cursor.path
    while path and isinstance(path[-1], int):
        path = path[:-1]
    key = key_at(reader, path)
    default = _default(key, path)
    values: list[tuple[Any, str]] = []
    if key is not None:
        values += [(choice, "") for choice in key.choices]
        # A config that declares no types has a switch where its default is one.
        is_switch = key.takes_flags or (isinstance(default, bool) and not key.choices)
        values += [(flag, "") for flag in (True, False) if is_switch]
    values += [(name, "") for name in _names(cursor, reader)]
    values += list(offered(reader, cursor.path))
    there = _others_of_list(cursor)
    known: set[tuple[type, Any]] = set()
    for value, detail in values:
        text = _written(cursor, value)
        if text is None or value in there or (type(value), value) in known:
            continue
        known.add((type(value), value))
        detail = "default" if value == default and default is not None else detail
        yield Proposal(str(text).strip("\"'"), text, is_key=False, detail=detail, about="")


def _default(key: Key | None, path: Path) -> Any:
    """The default of a key; None without one."""
    if key is None:
        return None
    below = path[len(key.reader.at) :]
    return key.reader.framework.keys.defaults.get(".".join(map(str, below)))


def _names(cursor: Cursor, reader: KeyReader) -> tuple[str, ...]:
    """The names that rules know for the place, or for the same one of a list whose entries are alike."""
    found = names_known_to_rules(reader, cursor.path)
    first = cursor.path[0] if cursor.path and not reader.at else None
    other = reader.framework.row["offers"]["alike"].get(first)
    if other is None:
        return found
    run = cursor.instead(str(first), other)
    if run is None:
        return found
    path = (other, *cursor.path[1:])
    return (*found, *names_known_to_rules(reader_at(run, path), path))


def _others_of_list(cursor: Cursor) -> tuple[Any, ...]:
    """The other items of the list whose item is being written."""
    if not cursor.path or not isinstance(cursor.path[-1], int):
        return ()
    node = cursor.run.document.node(cursor.path[:-1])
    items = node.items if isinstance(node, Sequence) else ()
    return tuple(item.value for item in items if isinstance(item, Scalar))


def _written(cursor: Cursor, value: Any) -> str | None:
    """A value as the language writes it, without the opening quote if there already is one."""
    if cursor.quoted:
        return f"{value}{cursor.after}" if isinstance(value, str) else None
    language = cursor.run.document.language
    if isinstance(value, bool) and language.structure == "words":
        return str(value).lower()
    try:
        return language.render(value)
    except Unwritable:
        return None
