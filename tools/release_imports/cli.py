"""Read the releases of packages and write what they import from each other.

``python -m tools.release_imports FOLDER rules/imports.json`` takes a folder with a folder of wheels, or a bare clone, for each
package by its name. Nothing of a release is run.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from tools.release_imports.eager import Eager, Wanted
from tools.release_imports.entries import IMPORTED, IMPORTING, SINCE, UNNAMED
from tools.release_imports.having import Having
from tools.release_imports.releases import releases
from tools.release_imports.required import required
from tools.release_imports.table import dump, history, runs

#: Importing package -> release -> entry -> what it imports.
_Imports = Mapping[str, Mapping[str, Mapping[str, set[Wanted]]]]
#: Release -> name -> whether the release has it.
_Having = Mapping[str, Mapping[str, "bool | None"]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("releases", type=Path, help="a folder for each package")
    parser.add_argument("table", type=Path)
    options = parser.parse_args(arguments)
    read = {package: read_importing(options.releases, package) for package in IMPORTING}
    imports = {package: found for package, (found, _) in read.items()}
    wanted = wanted_of(imports)
    having = {
        package: read_having(options.releases, package, wanted[package]) for package in IMPORTED
    }
    requires = {package: stated for package, (_, stated) in read.items() if stated}
    options.table.write_text(dump(table(imports, having, requires)), encoding="utf-8")
    return 0


def read_importing(
    folder: Path, package: str
) -> tuple[dict[str, dict[str, set[Wanted]]], dict[str, dict[str, str]]]:
    """Release -> entry -> what a package imports; release -> what it asks for as it is imported."""
    module, entries, unnamed = IMPORTING[package]
    imports: dict[str, dict[str, set[Wanted]]] = {}
    requires = {}
    for release in releases(folder / package, module, SINCE[package]):
        eager = Eager(release, module)
        found = {
            entry: eager.wanted(place)
            for entry, places in entries.items()
            if (place := next(filter(eager.has, places), None)) is not None
        }
        imports[release.version] = with_unnamed(found, unnamed)
        stated = required(release, module)
        if stated:
            requires[release.version] = stated
    return imports, requires


def with_unnamed(found: dict[str, set[Wanted]], unnamed: Sequence[str]) -> dict[str, set[Wanted]]:
    """The same with what all of some entries import, which runs whichever it is."""
    own = [found[entry] for entry in unnamed if entry in found]
    if not own:
        return found
    names = set.intersection(*({one[:2] for one in some} for some in own))
    needs: dict[tuple[str, str], frozenset[str]] = defaultdict(frozenset)
    for one in chain.from_iterable(own):
        needs[one[:2]] |= one.needs
    return {**found, UNNAMED: {Wanted(*name, needs[name]) for name in names}}


def wanted_of(imports: _Imports) -> dict[str, set[str]]:
    """Package -> the names that any other imports from it."""
    wanted: dict[str, set[str]] = defaultdict(set)
    for by_release in imports.values():
        for by_entry in by_release.values():
            for found in by_entry.values():
                for one in found:
                    wanted[one.package].add(one.name)
    return wanted


def read_having(folder: Path, package: str, names: set[str]) -> _Having:
    """Release -> name -> whether the release has it."""
    having: dict[str, dict[str, bool | None]] = {}
    for release in releases(folder / package, IMPORTED[package], SINCE[package]):
        asked = Having(release, IMPORTED[package])
        having[release.version] = {name: asked.has(name) for name in sorted(names)}
    return having


def table(
    imports: _Imports,
    having: Mapping[str, _Having],
    requires: Mapping[str, Mapping[str, Mapping[str, str]]],
) -> dict[str, Any]:
    """All that was read, as short as it can be said."""
    names: dict[str, dict[str, Any]] = {}
    for package, by_release in having.items():
        names[package] = {}
        for name in next(iter(by_release.values()), {}):
            ends = history([(version, found[name]) for version, found in by_release.items()])
            if ends != (None, None):
                names[package][name] = [*ends, _importers(imports, package, name)]
    return {
        "modules": {
            package: one.module
            for package, one in IMPORTING.items()
            if one.module != package.replace("-", "_")
        },
        "releases": {
            **{package: list(found) for package, found in having.items()},
            **{package: list(found) for package, found in imports.items()},
        },
        "names": names,
        "reached": _reached(imports),
        "required": {
            package: _by_range(found, list(imports[package])) for package, found in requires.items()
        },
    }


def _importers(imports: _Imports, package: str, name: str) -> list[list[Any]]:
    """Who imports a name: (package, entries, first and last release, what has to be installed)."""
    rows: dict[tuple[str, str, str, tuple[str, ...]], list[str]] = defaultdict(list)
    for importer, by_release in imports.items():
        if importer == package:
            continue
        versions = list(by_release)
        needing: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
        for version, by_entry in by_release.items():
            for entry, found in by_entry.items():
                for one in found:
                    if one.package == package and one.name == name:
                        needing[entry, tuple(sorted(one.needs))].append(version)
        for (entry, needs), importing in needing.items():
            for first, last in runs(versions, importing):
                rows[importer, first, last, needs].append(entry)
    return [
        [importer, first, last, " ".join(entries), " ".join(needs)]
        for (importer, first, last, needs), entries in rows.items()
    ]


def _reached(imports: _Imports) -> dict[str, dict[str, Any]]:
    """Importing package -> range -> the packages, and the entries of them, that importing it imports as well."""
    out: dict[str, dict[str, Any]] = {}
    for package, by_release in imports.items():
        rows = {}
        for version, by_entry in by_release.items():
            rows[version] = {
                entry: " ".join(_entries(found)) for entry, found in by_entry.items() if found
            }
        out[package] = _by_range(rows, list(by_release))
    return out


def _entries(found: set[Wanted]) -> list[str]:
    reached = set()
    for one in found:
        if one.package in IMPORTING and not one.needs - {one.package}:
            entries = IMPORTING[one.package].entries
            if "*" in entries:
                reached.add(one.package)
            if one.name in entries:
                reached.add(f"{one.package}:{one.name}")
    return sorted(reached)


def _by_range(rows: Mapping[str, Any], versions: Sequence[str]) -> dict[str, Any]:
    """The same by `first last` of releases that follow each other and are alike."""
    out: list[tuple[str, str, Any]] = []
    before: Any = None
    for version in versions:
        row = rows.get(version)
        if row and out and row == before:
            out[-1] = (out[-1][0], version, row)
        elif row:
            out.append((version, version, row))
        before = row
    return {f"{first} {last}": row for first, last, row in out}
