"""JSON with the place of every key and value.

Python's own reader decides what is valid and what a value is; this module adds the places. (Our
YAML reader is no help: it takes `5e8` for a word, and stops at tabs.)
"""

from __future__ import annotations

import json
from typing import Any

from cfglint.lazy import lazy_pattern
from cfglint.record import Record
from cfglint.source.document import Path
from cfglint.source.text import SourceText, Span

#: Objects and lists inside each other; real files stay below 10.
MAX_DEPTH = 60
#: Values in one file; real ones have less than 100.
MAX_VALUES = 20_000
#: Repeated keys that are told.
MAX_REPEATED = 50

_TOKEN = lazy_pattern(r'[ \t\r\n]*(?:([{}\[\],:])|("(?:[^"\\]|\\.)*")|([^\s{}\[\],:"]+))')


class Place(Record):
    """Where a value stands; `key` is empty for the items of a list."""

    key: Span
    value: Span

    @property
    def entry(self) -> Span:
        """Key and value."""
        return Span(self.key.start if self.key.end else self.value.start, self.value.end)


class JsonFile(Record):
    """A JSON file that could be read."""

    data: Any
    places: dict[Path, Place]
    #: Keys that stand twice in one object: (path, where the first one stands).
    repeated: tuple[tuple[Path, Span], ...]

    def place(self, path: Path) -> Place | None:
        return self.places.get(path)


class JsonError(Exception):
    """The text is no JSON, or breaks a limit."""

    def __init__(self, problem: str, offset: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.offset = offset


def read_json(source: SourceText) -> JsonFile:
    """Read a JSON text.

    Raises:
        JsonError: it is no JSON as Python reads it.
    """
    text = source.text
    if source.bom:
        raise JsonError("it starts with a byte-order mark", 0)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        at = min(error.pos, len(text)) if text.strip() else 0
        if _is_comma_too_many(error):
            # Python 3.13 points at the comma, older ones at what follows it.
            at = text.rindex(",", 0, error.pos + 1)
        raise JsonError(_words(error), at) from None
    except (ValueError, RecursionError):
        raise JsonError("it is nested too deeply, or has a number of too many digits", 0) from None
    places: dict[Path, Place] = {}
    repeated: list[tuple[Path, Span]] = []
    _locate(text, places, repeated)
    return JsonFile(data, places, tuple(repeated))


def _is_comma_too_many(error: json.JSONDecodeError) -> bool:
    text, at = error.doc, error.pos
    return "Illegal trailing comma" in error.msg or (
        text[at : at + 1] in ("}", "]") and text[:at].rstrip().endswith(",")
    )


def _words(error: json.JSONDecodeError) -> str:
    text, at = error.doc, error.pos
    if not text.strip():
        return "it is empty"
    here = text[at : at + 1]
    if text[at : at + 2] in ("//", "/*") or here == "#":
        return "a comment, which JSON does not have"
    if _is_comma_too_many(error):
        return "a comma after the last item"
    if here == "'":
        return "a single quote where JSON has double ones"
    if text[at : at + 4] in ("True", "None") or text[at : at + 5] == "False":
        return "JSON writes true, false and null"
    return error.msg[:1].lower() + error.msg[1:]


def _locate(text: str, places: dict[Path, Place], repeated: list[tuple[Path, Span]]) -> None:
    """Fill in the places of a text that is known to be valid."""
    # What is open: [path, "object" or "list", start, key's span, key or index]
    stack: list[list[Any]] = []
    nothing = Span(0, 0)
    pending: tuple[str, Span] | None = None
    matches = _TOKEN.match
    at, size = 0, len(text)
    while at < size and len(places) < MAX_VALUES:
        match = matches(text, at)
        if match is None:
            return
        at = match.end()
        mark = match.group(1)
        if mark == ":":
            continue
        if mark == ",":
            if stack and stack[-1][1] == "list":
                stack[-1][4] += 1
            pending = None
            continue
        top = stack[-1] if stack else None
        if mark in ("}", "]"):
            path, _, start, key, _ = stack.pop()
            places[path] = Place(key, Span(start, at))
            pending = None
            continue
        start = match.start(match.lastindex or 0)
        if top is not None and top[1] == "object" and pending is None:
            pending = (json.loads(match.group(2)), Span(start, at))
            continue
        if top is None:
            path, key = (), nothing
        elif pending is not None:
            path, key = (*top[0], pending[0]), pending[1]
            if path in places:
                repeated.append((path, places[path].key))
                if len(repeated) >= MAX_REPEATED:
                    return
                for inner in [p for p in places if p[: len(path)] == path]:
                    del places[inner]
        else:
            path, key = (*top[0], top[4]), nothing
        pending = None
        if mark is not None:
            if len(stack) >= MAX_DEPTH:
                return
            stack.append([path, "object" if mark == "{" else "list", start, key, 0])
        else:
            places[path] = Place(key, Span(start, at))
