"""The first rows of a data file: their columns, and the first line that is not a row."""

from __future__ import annotations

import os

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.source.files.base import Files
from cfglint.source.files.nearby import head
from cfglint.source.text import SourceText

#: How many bytes of a file are read.
MAX_BYTES = 64 * 1024
MAX_ROWS = 20
#: Of a conversation, so many messages are looked at.
_MAX_MESSAGES = 50
#: Suffix -> the format in which the file is read.
FORMATS = {".json": "json", ".jsonl": "json", ".csv": "csv"}
#: Further suffixes of data files, which are not examined.
DATA_SUFFIXES = (*FORMATS, ".parquet", ".arrow", ".txt")


class Sample(Record):
    """The beginning of a file."""

    path: str
    source: SourceText
    #: The rows that could be read; for CSV one without values.
    rows: tuple[dict[str, Any], ...]
    #: A line that is certainly no row, with the reason.
    broken: tuple[int, str] | None = None

    def has(self, column: str) -> bool:
        """Whether one of the rows has a column."""
        return any(column in row for row in self.rows)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for row in self.rows for name in row))

    def message_keys(self, column: object) -> set[str]:
        """The keys of the messages in a column; empty when its values are not lists of messages."""
        keys: set[str] = set()
        for row in self.rows:
            messages = row.get(column) if isinstance(column, str) else None
            if not isinstance(messages, list) or not messages:
                return set()
            for message in messages[:_MAX_MESSAGES]:
                if not isinstance(message, dict):
                    return set()
                keys.update(message)
        return keys

    def roles(self, column: object, key: object) -> list[str]:
        """The roles of the messages in a column, each once, in their order."""
        found: dict[str, None] = {}
        for row in self.rows:
            messages = row.get(column) if isinstance(column, str) else None
            for message in messages[:_MAX_MESSAGES] if isinstance(messages, list) else ():
                role = message.get(key) if isinstance(message, dict) else None
                if isinstance(role, str):
                    found[role] = None
        return list(found)


def format_of(path: str, stated: object) -> str | None:
    """How a file is read: `json`, `csv`, or None for what is not examined."""
    if stated is not None:
        return stated if isinstance(stated, str) and stated in ("json", "csv") else None
    return FORMATS.get(os.path.splitext(path)[1].lower())


def sample(path: str, kind: str, files: Files) -> Sample | None:
    """The beginning of a file; None when it is not there, empty, or no text."""
    state = files.state(path)
    if state is None or state.kind != "file":
        return None
    key = ("sample", path, kind, state.changed, state.size)
    return files.recent.once(key, lambda: _sample(path, kind, state.size, files))


def _sample(path: str, kind: str, size: int, files: Files) -> Sample | None:
    data = head(path, MAX_BYTES, files)
    if not data:
        return None
    whole = len(data) >= size
    if not whole:
        # The last line may be incomplete.
        data = data[: data.rfind(b"\n") + 1]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    source = SourceText.from_str(text)
    if kind == "csv":
        return _csv(path, source)
    start = source.text.lstrip()[:1]
    if start == "[":
        return Sample(path, source, tuple(_of_array(source.text)))
    return _of_lines(path, source) if start == "{" else None


def _csv(path: str, source: SourceText) -> Sample | None:
    import csv

    try:
        names = next(csv.reader(source.text.splitlines()[:5]), None)
    except (csv.Error, ValueError):
        return None
    if not names or len(names) > 500:
        return None
    return Sample(path, source, (dict.fromkeys(names),))


def _of_array(text: str) -> list[dict[str, Any]]:
    """The first objects of one long list."""
    from json import JSONDecoder

    decoder = JSONDecoder()
    rows: list[dict[str, Any]] = []
    at = text.index("[") + 1
    while len(rows) < MAX_ROWS:
        while text[at : at + 1] in (" ", "\n", "\r", "\t", ","):
            at += 1
        try:
            row, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        if not isinstance(row, dict):
            return []
        rows.append(row)
    return rows


def _of_lines(path: str, source: SourceText) -> Sample | None:
    """One object per line. A file whose first line is not one is laid out differently."""
    import json

    rows: list[dict[str, Any]] = []
    for number in range(1, source.line_count() + 1):
        line = source.line(number).strip()
        if not line:
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            if not rows:
                return None
            if isinstance(error, json.JSONDecodeError) and path.lower().endswith(".jsonl"):
                return Sample(path, source, tuple(rows), (number, error.msg))
            return Sample(path, source, tuple(rows))
        if not isinstance(row, dict):
            return Sample(path, source, tuple(rows)) if rows else None
        rows.append(row)
        if len(rows) >= MAX_ROWS:
            break
    return Sample(path, source, tuple(rows)) if rows else None
