"""The table of keys: one entry a key, with the history of whatever changed.

The file has the form of Axolotl's (`releases`, `sections`, `keys`), and some facts more: `type` is
what is taken, `declared` what the class says; `variable` is the environment variable that carries
a value, and `effect` is false where nobody reads it.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from packaging.version import Version

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.accelerate_release.keys import ReleaseKeys

Entry = dict[str, Any]

FRAMEWORK = "accelerate"
#: Fact -> (what is left out, the name of its history).
_FACTS: dict[str, tuple[Any, str]] = {
    "type": (None, "types"),
    "declared": (None, "declared_history"),
    "required": (False, "required_history"),
    "default": (None, "defaults"),
    "enum": ([], "enums"),
    "constraints": ({}, "constraints_history"),
    "alias": ([], "alias_history"),
    "models": ([], "models_history"),
    "variable": (None, "variables"),
    "effect": (True, "effects"),
}


def fold(releases: Iterable[ReleaseKeys], reviewed: Entry) -> Entry:
    """All releases as one table; `reviewed` holds what people added by hand, by section and key."""
    columns = {one.version: one for one in releases}
    order = sorted(columns, key=Version)
    keys = {
        path: _fold_key(path, columns, order)
        for path in sorted({path for one in columns.values() for path in one.keys})
    }
    sections = {
        path: _fold_section(path, columns, order)
        for path in sorted({path for one in columns.values() for path in one.sections})
    }
    for path, extra in reviewed.get("sections", {}).items():
        if path in sections:
            sections[path].update(extra)
    for path, extra in reviewed.get("keys", {}).items():
        if path in keys:
            keys[path].update(extra)
    return {
        "framework": FRAMEWORK,
        "releases": order,
        "plugins": {},
        "sections": sections,
        "keys": keys,
    }


def dump(folded: Entry) -> str:
    """JSON with one section and one key a line, sorted by path."""
    lines = [
        "{",
        f' "framework": {json.dumps(folded["framework"])},',
        f' "releases": {json.dumps(folded["releases"])},',
        ' "plugins": {},',
    ]
    for name, end in (("sections", " },"), ("keys", " }")):
        rows = [f"  {json.dumps(path)}: {json.dumps(row)}" for path, row in folded[name].items()]
        lines += [f' "{name}": {{', ",\n".join(rows), end]
    return "\n".join([*lines, "}"]) + "\n"


def _life(present: list[str], order: list[str]) -> Entry:
    """When something came and went, and the releases in between that lack it."""
    entry: Entry = {"since": present[0]}
    after = order[order.index(present[-1]) + 1 :]
    if after:
        entry["removed"] = after[0]
    span = order[order.index(present[0]) : order.index(present[-1]) + 1]
    absent = [release for release in span if release not in present]
    if absent:
        entry["absent"] = absent
    return entry


def _fold_key(path: str, columns: dict[str, ReleaseKeys], order: list[str]) -> Entry:
    present = [release for release in order if path in columns[release].keys]
    entry = _life(present, order)
    for fact, (empty, history) in _FACTS.items():
        values = [getattr(columns[release].keys[path], fact) for release in present]
        if not _same(values[-1], empty):
            entry[fact] = values[-1]
        runs = _runs(present, values)
        if len(runs) > 1:
            entry[history] = _as_changes(runs) if fact == "enum" else runs
    return entry


def _fold_section(path: str, columns: dict[str, ReleaseKeys], order: list[str]) -> Entry:
    present = [release for release in order if path in columns[release].sections]
    entry = _life(present, order)
    entry["forbids_unknown_since"] = present[0] if not path else None
    read = [columns[release].sections[path] for release in present]
    if not all(read):
        entry["read_since"] = next(
            (one for one, used in zip(present, read, strict=True) if used), None
        )
    return entry


def _runs(present: list[str], values: list[Any]) -> list[list[Any]]:
    return [
        [release, value]
        for place, (release, value) in enumerate(zip(present, values, strict=True))
        if place == 0 or not _same(value, values[place - 1])
    ]


def _same(one: Any, other: Any) -> bool:
    """Equality that tells ``1`` from ``True`` and ``1.0``."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _as_changes(runs: list[list[Any]]) -> list[list[Any]]:
    changes = [runs[0]]
    for (_, before), (release, now) in pairwise(runs):
        add = [value for value in now if value not in before]
        drop = [value for value in before if value not in now]
        changes.append([release, {"add": add, "drop": drop}])
    return changes
