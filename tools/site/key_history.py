"""What changed about a key, release by release, from the key tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from cfglint.base.record import Record
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.pydantic_types import split_type
from tools.site.markdown import code

#: How many values of a long list are named.
_MOST = 60
#: What readers that are not pydantic call their types.
_NAMES = {
    **Judge.names,
    "null": "null",
    "any": "any value",
    "truth": "true or false",
    "whole": "a whole number",
    "decimal": "a number",
}
_CHOICES = {"literal", "enum", "word", "exact", "choice", "ext"}
_BOUNDS = {
    "gt": "more than {}",
    "ge": "at least {}",
    "lt": "less than {}",
    "le": "at most {}",
    "min_length": "at least {} entries",
    "max_length": "at most {} entries",
    "multiple_of": "a multiple of {}",
}


class Event(Record):
    """One thing that a release changed about a key, in Markdown."""

    release: str
    text: str


def history(info: dict[str, Any], releases: Sequence[str]) -> list[Event]:
    """All that changed about a key, the oldest first.

    Args:
        info: the key's entry in the table.
        releases: the known releases of its package, the oldest first.
    """
    since = info["since"]
    first = "in the oldest known release" if _version(since) == releases[0] else "new"
    told = [Event(since, first), *_changes(info)]
    if "deprecated" in info:
        told.append(Event(info["deprecated"], f"deprecated{_replaced(info)}"))
    told += [Event(release, "not in this release") for release in info.get("absent", ())]
    if "removed" in info:
        text = f"removed{'' if 'deprecated' in info else _replaced(info)}"
        told.append(Event(info["removed"], text))

    def place(event: Event) -> tuple[bool, int]:
        version = _version(event.release)
        return event.release != since, releases.index(version) if version in releases else -1

    return sorted(told, key=place)


def _version(release: str) -> str:
    """The version of a release that may have its package in front."""
    return release.rpartition(" ")[2]


def _replaced(info: dict[str, Any]) -> str:
    to = new_name(info)
    return f", use {code(to)}" if to else ""


def new_name(info: dict[str, Any]) -> str:
    """The key that takes the place of this one; empty without one."""
    return str(info.get("rename") or info.get("replaced_by", {}).get("to") or "")


def _changes(info: dict[str, Any]) -> Iterator[Event]:
    since = info["since"]
    yield from _steps(info.get("types", ()), since, type_words, "accepts {1} (before: {0})")
    yield from _steps(info.get("defaults", ()), since, default_words, "default {1} (before: {0})")
    yield from _steps(
        info.get("required_history", ()),
        since,
        lambda value: "required" if value else "no longer required",
        "{1}",
    )
    yield from _steps(
        info.get("constraints_history", ()), since, bounds_words, "limits: {1} (before: {0})"
    )
    for release, change in info.get("enums", ())[1:]:
        new, gone = (
            (change.get("add", ()), change.get("drop", ()))
            if isinstance(change, dict)
            else (change, ())
        )
        if new:
            yield Event(release, f"new values: {values(new)}")
        if gone:
            yield Event(release, f"values no longer listed: {values(gone)}")
    for release, names in info.get("alias_history", ())[1:]:
        if names:
            yield Event(release, f"may also be written as {values(names)}")
    for release, plugin in info.get("plugin_history", ())[1:]:
        said = f"belongs to the plugin {code(plugin)}" if plugin else "needs no plugin any more"
        yield Event(release, said)


def _steps(steps: Any, since: str, words: Any, said: str) -> Iterator[Event]:
    """The changes of one fact: those that a reader would see."""
    for (_, before), (release, after) in pairwise(steps):
        pair = words(before), words(after)
        if pair[0] != pair[1] and release != since:
            yield Event(release, said.format(*(one or "none" for one in pair)))


def type_words(type_: str) -> str:
    """A type of the tables in words: `a whole number or null`."""
    words = []
    for kind in split_type(type_):
        base = kind.partition("<")[0].partition(":")[0]
        inner = kind[len(base) + 1 : -1] if kind.startswith(("list<", "set<")) else ""
        if base in _CHOICES:
            words.append("one of its values")
        elif inner:
            words.append(f"a list ({type_words(inner)})")
        else:
            words.append(_NAMES.get(base, "any value"))
    # What may be anything needs no list of what else it may be.
    unique = list(dict.fromkeys(words))
    if "any value" in unique:
        return "any value"
    return " or ".join(part for part in (", ".join(unique[:-1]), *unique[-1:]) if part)


def default_words(value: Any) -> str:
    """A default, as a file would have it; in words when it is no constant."""
    if (isinstance(value, dict) and "computed_from" in value) or value == "<computed>":
        return "computed"
    if value == "<required>":
        return "none, the key is required"
    return code(json.dumps(value, ensure_ascii=False))


def bounds_words(bounds: dict[str, Any]) -> str:
    """The bounds of a number, or of a length, in words."""
    return ", ".join(said.format(bounds[name]) for name, said in _BOUNDS.items() if name in bounds)


def values(every: Sequence[Any]) -> str:
    """The values, the first of them by name."""
    shown = [code(json.dumps(one) if not isinstance(one, str) else one) for one in every[:_MOST]]
    if len(every) > _MOST:
        shown.append(f"{len(every) - _MOST} more")
    return ", ".join(shown)
