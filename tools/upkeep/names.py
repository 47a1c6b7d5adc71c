"""The names by which programs import from packages, in `rules/names.json`, brought up to a new release.

What came or went is known by comparing releases, so the archives of all that the table has are read again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from packaging.version import Version

from tools.python_sources.sources import UnreadableReleaseError, read_release
from tools.release_names.cli import PACKAGES, dump, table
from tools.upkeep.archives import Archives, NoSuchArchiveError
from tools.upkeep.change import Change

_TABLE = "names.json"


def new_names(archives: Archives, rules: Path) -> list[Change]:
    """Read what is new of each package in the table; a change for each of which something is."""
    path = rules / _TABLE
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    changes = []
    for package in sorted(known.keys() & PACKAGES.keys()):
        have = known[package]["releases"]
        listed = archives.versions(package)
        new = [one for one in listed if Version(one) > Version(have[-1])]
        if new:
            changes.append(_read(package, [*have, *new], archives, known))
    if any(not change.problem for change in changes):
        path.write_text(dump(known), encoding="utf-8")
    return changes


def _read(package: str, versions: list[str], archives: Archives, known: dict[str, Any]) -> Change:
    """Read the names of a package in some releases, the oldest first, into the tables."""
    before = known[package]
    change = Change(package, versions[-1], before["releases"][-1])
    try:
        paths = [archives.fetch(package, version) for version in versions]
        read = [read_release(path, PACKAGES[package]) for path in paths]
    except (NoSuchArchiveError, UnreadableReleaseError) as error:
        change.problem = str(error)
        return change
    known[package] = table(read, PACKAGES[package])._asdict()
    change.tables = {_TABLE: _as_keys(before["names"])}, {_TABLE: _as_keys(known[package]["names"])}
    # A name that all releases had is in the table from the day on which one lacks it.
    for name, row in change.tables[1][_TABLE]["keys"].items():
        if "since" not in row:
            change.tables[0][_TABLE]["keys"].setdefault(name, {})
        if row.get("removed") in versions[len(before["releases"]) :]:
            row["removed"] = change.version
    change.steps = ("rules about names that are gone, and about packages that ask for older ones",)
    return change


def _as_keys(names: dict[str, list[str | None]]) -> dict[str, Any]:
    """The names as a table of keys has them."""
    rows = {}
    for name, ends in names.items():
        both = zip(("since", "removed"), ends, strict=True)
        rows[name] = {part: value for part, value in both if value}
    return {"keys": rows}
