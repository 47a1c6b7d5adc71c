"""What is wrong with an edited JSON text, by an oracle that shares no code with the planner.

An edit is right when `json.loads` of the result equals the value computed on plain Python data,
and no line outside the edited ones changed.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from tools.campaigns.edit_oracle import BREAK, BREAKS, Case, same

_SPACE = json.decoder.WHITESPACE  # type: ignore[attr-defined]
_VALUE = json.JSONDecoder()


class Found(NamedTuple):
    """Where a key or item begins and ends, with the path of what holds it and its place there."""

    start: int
    end: int
    parent: tuple[Any, ...]
    number: int


def locate(text: str) -> dict[tuple[Any, ...], Found]:
    """The place of every path of a valid text; the root's is `()`."""
    out: dict[tuple[Any, ...], Found] = {}

    def value(at: int, path: tuple[Any, ...]) -> int:
        if text[at] not in "{[":
            return _VALUE.raw_decode(text, at)[1]
        is_object = text[at] == "{"
        at = _SPACE.match(text, at + 1).end()
        index = 0
        while text[at] not in "}]":
            start, part = at, index
            if is_object:
                part, at = _VALUE.raw_decode(text, at)
                at = _SPACE.match(text, _SPACE.match(text, at).end() + 1).end()
            child = (*path, part)
            end = value(at, child)
            out[child] = Found(start, end, path, index)
            at = _SPACE.match(text, end).end()
            if text[at] == ",":
                at = _SPACE.match(text, at + 1).end()
            index += 1
        return at + 1

    begin = _SPACE.match(text, 0).end()
    out[()] = Found(begin, value(begin, ()), (), 0)
    return out


def on_one_line(text: str) -> set[tuple[Any, ...]]:
    """The paths whose neighbours are on the same line, as in `[1, 2]`."""
    found = locate(text)
    return {
        path
        for path, place in found.items()
        if path and not BREAK.search(text, found[place.parent].start, found[place.parent].end)
    }


def problem(text: str, result: str, case: Case) -> str:
    """What is wrong with a result; "" when nothing is."""
    try:
        value = json.loads(result)
    except ValueError as error:
        return f"no longer JSON: {error}"
    if not same(value, case.intended):
        return "another value"
    if text.endswith(BREAKS) != result.endswith(BREAKS):
        return "final newline"
    kinds = set(BREAK.findall(text))
    if kinds and not set(BREAK.findall(result)) <= kinds:
        return "line endings"
    if "\t" not in text and "\t" in result:
        return "a tab appeared"
    if case.kind == "move":
        return ""
    lines, new_lines = text.splitlines(True), result.splitlines(True)
    low, high = _allowed(text, case)
    below = len(lines) - high - 1
    if (
        len(new_lines) < low + below
        or lines[:low] != new_lines[:low]
        or lines[high + 1 :] != new_lines[len(new_lines) - below :]
    ):
        return f"lines outside {low}-{high} changed"
    return _layout_problem(text, result, case)


def _layout_problem(text: str, result: str, case: Case) -> str:
    """What became of lines that the edit had to leave in their form."""
    path = case.action.path  # type: ignore[union-attr]
    if case.kind in ("insert", "append") and BREAK.search(text):
        new = path if case.kind == "insert" else (*path, len(_at(case.intended, path)) - 1)
        found, old = locate(result), locate(text)
        neighbours = [place for at, place in old.items() if at and place.parent == new[:-1]]
        alone = all(not _before(text, place.start).strip() for place in neighbours)
        if neighbours and alone:
            indents = _before(result, found[new].start), _before(text, neighbours[-1].start)
            return "" if indents[0] == indents[1] else "the new line is indented differently"
    return ""


def _before(text: str, at: int) -> str:
    return text[max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1 : at]


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for part in path:
        value = value[part]
    return value


def _allowed(text: str, case: Case) -> tuple[int, int]:
    """The first and the last line that the edit may touch."""
    found = locate(text)
    path = case.action.path  # type: ignore[union-attr]
    if case.kind in ("insert", "append"):
        parent = path[:-1] if case.kind == "insert" else path
        inside = [place.end for at, place in found.items() if at and place.parent == parent]
        start, end = (max(inside) if inside else found[parent].start), found[parent].end
    elif case.kind == "delete":
        place = found[path]
        siblings = {
            other.number: other
            for at, other in found.items()
            if at and other.parent == place.parent
        }
        before, behind = siblings.get(place.number - 1), siblings.get(place.number + 1)
        start = before.end if before else found[place.parent].start
        if before and behind and not _before(text, place.start).strip():
            start = place.start
        end = behind.start if behind else found[place.parent].end
    else:
        start, end = found[path][:2]
    return _line(text, start), _line(text, end)


def _line(text: str, at: int) -> int:
    return len(BREAK.findall(text, 0, at))
