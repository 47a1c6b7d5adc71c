"""The key history: one entry a key, from which every release's facts can be rebuilt.

Merging unfolds the history into one column a release, replaces the column of the release that
was read, and folds it up again.  So the order of reading does not matter, and reading a release
twice changes nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tools.python_sources.versions import in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tools.python_sources.facts import KeyFacts, ReleaseKeys

Entry = dict[str, Any]
Columns = dict[str, dict[str, Entry]]

_EMPTY: dict[str, Any] = {
    "type": "any",
    "required": False,
    "default": None,
    "enum": [],
    "constraints": {},
    "alias": [],
    "plugin": None,
    "models": [],
    "model_types": {},
    "coerced": False,
    "new_param": None,
    "auto": False,
}
_HISTORY = {
    "type": "types",
    "default": "defaults",
    "enum": "enums",
    "constraints": "constraints_history",
    "alias": "alias_history",
    "plugin": "plugin_history",
    "models": "models_history",
    "model_types": "model_types_history",
    "coerced": "coerced_history",
    "new_param": "new_param_history",
    "auto": "auto_history",
    "required": "required_history",
}


@dataclass
class Table:
    """The unfolded history: per release what every key, section and plugin was like."""

    releases: list[str] = field(default_factory=list)
    keys: Columns = field(default_factory=dict)
    sections: Columns = field(default_factory=dict)
    plugins: Columns = field(default_factory=dict)


def load(path: Path) -> Table:
    """Unfold the table of a file; a missing file is an empty table."""
    if not path.exists():
        return Table()
    folded = json.loads(path.read_text(encoding="utf-8"))
    releases: list[str] = folded["releases"]
    return Table(
        releases,
        _unfold(folded["keys"], releases, _unfold_key),
        _unfold(folded["sections"], releases, _unfold_section),
        _unfold(folded["plugins"], releases, _unfold_plugin),
    )


def merge(table: Table, release: ReleaseKeys) -> None:
    """Put one release into the table, replacing what was known about it."""
    version = release.version
    table.releases = in_order([*table.releases, version])
    table.keys[version] = {path: _column(facts) for path, facts in release.keys.items()}
    table.sections[version] = {
        path: {"forbids_unknown": forbids, "reader": release.readers.get(path)}
        for path, forbids in release.forbidding.items()
    }
    table.plugins[version] = {
        path: {"also": plugin.also, "builtin": plugin.builtin}
        for path, plugin in release.plugins.items()
    }


def fold(table: Table, reviewed: Mapping[str, Any], framework: str) -> Entry:
    """The whole table as it is written, with the facts that people added by hand.

    ``reviewed`` holds renames (the value stays), replacements (another key, with the new value
    for each old one) and deprecations that no declaration or validator states.  An empty entry
    says that somebody looked and found no successor of either kind.
    """
    order = table.releases
    keys = _fold(table.keys, order, _fold_key)
    _keep_spellings(keys)
    for path, extra in reviewed.get("keys", {}).items():
        if path in keys:
            keys[path] = _reviewed(keys[path], extra)
    return {
        "framework": framework,
        "releases": order,
        "plugins": _fold(table.plugins, order, _fold_plugin),
        "sections": _fold(table.sections, order, _fold_section),
        "keys": keys,
    }


def _reviewed(entry: Entry, extra: Entry) -> Entry:
    """A key with what people added: a fact is meant for all releases, unless its history is told.

    The facts come in the order in which reading them gives them, so that the table of a release that
    is read on top of others is the one of all that are read at once.
    """
    entry = dict(entry)
    for name, history in _HISTORY.items():
        if history in extra and name != "enum":
            entry.pop(name, None)
            latest = extra[history][-1][1]
            if not _same(latest, _EMPTY[name]):
                entry[name] = latest
        elif name in extra:
            entry.pop(history, None)
    entry.update(extra)
    order = ["since", "removed", "absent"]
    for name in _EMPTY:
        order += [name, _HISTORY[name]]
    order += ["deprecated", *entry]
    return {name: entry[name] for name in dict.fromkeys(order) if name in entry}


def _keep_spellings(keys: dict[str, Entry]) -> None:
    """A key that ended when another took over its name as an alias can still be written."""
    owners = {
        f"{path.rpartition('.')[0]}.{name}".lstrip("."): path
        for path, entry in keys.items()
        if "removed" not in entry
        for name in entry.get("alias", [])
    }
    for path, entry in keys.items():
        if "removed" in entry and path in owners:
            entry["alias_of"] = owners[path]
            entry["alias_since"] = entry.pop("removed")


#: What only some frameworks' tables have: release -> the one of another package that it came out beside;
#: class -> the keys that it has had.
_MORE = ("beside", "classes")


def dump(folded: Entry) -> str:
    """JSON with one release list, plugin, section and key a line, sorted by path."""
    lines = [
        "{",
        f' "framework": {json.dumps(folded["framework"])},',
        f' "releases": {json.dumps(folded["releases"])},',
    ]
    lines += [
        f" {json.dumps(name)}: {json.dumps(folded[name])}," for name in _MORE if name in folded
    ]
    for name in ("plugins", "sections", "keys"):
        rows = [
            f"  {json.dumps(path)}: {json.dumps(entry, ensure_ascii=False)}"
            for path, entry in sorted(folded[name].items())
        ]
        lines += [f' "{name}": {{', ",\n".join(rows), " }," if name != "keys" else " }"]
    return "\n".join([*lines, "}"]) + "\n"


def _column(facts: KeyFacts) -> Entry:
    entry: Entry = {name: getattr(facts, name) for name in _EMPTY}
    entry["deprecated"] = facts.deprecated
    return entry


def _fold(
    columns: Columns, order: list[str], one: Callable[[list[str], list[Entry]], Entry]
) -> dict[str, Entry]:
    paths = sorted({path for column in columns.values() for path in column})
    folded: dict[str, Entry] = {}
    for path in paths:
        present = [release for release in order if path in columns.get(release, {})]
        entry: Entry = {"since": present[0]}
        after = order[order.index(present[-1]) + 1 :]
        if after:
            entry["removed"] = after[0]
        span = order[order.index(present[0]) : order.index(present[-1]) + 1]
        absent = [release for release in span if release not in present]
        if absent:
            entry["absent"] = absent
        entry.update(one(present, [columns[release][path] for release in present]))
        folded[path] = entry
    return folded


def _unfold(
    folded: Mapping[str, Entry], releases: list[str], one: Callable[[Entry, str, list[str]], Entry]
) -> Columns:
    columns: Columns = {release: {} for release in releases}
    for path, entry in folded.items():
        first = releases.index(entry["since"])
        end = entry.get("removed") or entry.get("alias_since")
        last = releases.index(end) if end else len(releases)
        for release in releases[first:last]:
            if release not in entry.get("absent", []):
                columns[release][path] = one(entry, release, releases)
    return columns


def _fold_key(present: list[str], facts: list[Entry]) -> Entry:
    entry: Entry = {}
    for name, empty in _EMPTY.items():
        values = [one[name] for one in facts]
        if name == "type" or not _same(values[-1], empty):
            entry[name] = values[-1]
        runs = _runs(present, values)
        if len(runs) > 1:
            entry[_HISTORY[name]] = _as_changes(runs) if name == "enum" else runs
    since = _last_run(present, [one["deprecated"] for one in facts])
    if since:
        entry["deprecated"] = since
    return entry


def _unfold_key(entry: Entry, release: str, releases: list[str]) -> Entry:
    column: Entry = {}
    for name, empty in _EMPTY.items():
        runs = entry.get(_HISTORY[name])
        if runs is None:
            column[name] = entry.get(name, empty)
            continue
        if name == "enum":
            runs = _from_changes(runs)
        column[name] = _latest(runs, release, releases)
    column["deprecated"] = _reached(entry.get("deprecated"), release, releases)
    return column


def _fold_section(present: list[str], facts: list[Entry]) -> Entry:
    entry: Entry = {
        "forbids_unknown_since": _last_run(present, [one["forbids_unknown"] for one in facts])
    }
    readers = _runs(present, [one["reader"] for one in facts])
    if readers[-1][1] is not None:
        entry["readers"] = readers
    return entry


def _unfold_section(entry: Entry, release: str, releases: list[str]) -> Entry:
    return {
        "forbids_unknown": _reached(entry["forbids_unknown_since"], release, releases),
        "reader": _latest(entry.get("readers", [[entry["since"], None]]), release, releases),
    }


def _fold_plugin(present: list[str], facts: list[Entry]) -> Entry:
    entry: Entry = {}
    builtin = _last_run(present, [one["builtin"] for one in facts])
    if builtin:
        entry["builtin_since"] = builtin
    if facts[-1]["also"]:
        entry["also"] = facts[-1]["also"]
    return entry


def _unfold_plugin(entry: Entry, release: str, releases: list[str]) -> Entry:
    return {
        "also": entry.get("also", []),
        "builtin": _reached(entry.get("builtin_since"), release, releases),
    }


def _runs(present: list[str], values: list[Any]) -> list[list[Any]]:
    """The releases in which a fact changes, each with what it is from then on."""
    return [
        [release, value]
        for position, (release, value) in enumerate(zip(present, values, strict=True))
        if position == 0 or not _same(value, values[position - 1])
    ]


def _latest(runs: list[list[Any]], release: str, releases: list[str]) -> Any:
    position = releases.index(release)
    return [value for since, value in runs if releases.index(since) <= position][-1]


def _last_run(present: list[str], flags: list[bool]) -> str | None:
    """The release from which on a flag has been set without interruption up to the last one."""
    since: str | None = None
    for release, flag in zip(present, flags, strict=True):
        since = (since or release) if flag else None
    return since


def _reached(since: str | None, release: str, releases: list[str]) -> bool:
    return since is not None and releases.index(release) >= releases.index(since)


def _same(one: Any, other: Any) -> bool:
    """Equality that tells ``1`` from ``True`` and ``1.0``."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _as_changes(runs: list[list[Any]]) -> list[list[Any]]:
    changes = [runs[0]]
    for (_, before), (release, now) in pairwise(runs):
        changes.append(
            [
                release,
                {
                    "add": [value for value in now if value not in before],
                    "drop": [value for value in before if value not in now],
                },
            ]
        )
    return changes


def _from_changes(changes: list[list[Any]]) -> list[list[Any]]:
    runs = [changes[0]]
    for release, change in changes[1:]:
        kept = [value for value in runs[-1][1] if value not in change["drop"]]
        values = [*kept, *change["add"]]
        values.sort(key=lambda value: (str(type(value)), str(value)))
        runs.append([release, values])
    return runs
