"""Compiles the parameters of the classes that programs call: `classes/NAME.json` of a framework.

Most classes have all parameters of one that they derive from; of these only what differs is kept.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from packaging.version import Version

from cfglint.base.packing import pack
from cfglint.knowledge.compiling.key_tables import key_tables, named, with_below


def class_tables(home: Path, packages: list[str], below: str) -> dict[str, Any]:
    """The constants of the module of classes; empty for a framework without any.

    Args:
        home: the folder of the framework.
        packages: of the framework; the releases of the first one have no name in front.
        below: the package below it, whose table has the parameters of the class above all.
    """
    files = sorted((home / "classes").glob("*.json"))
    if not files:
        return {}
    read = [json.loads(path.read_text(encoding="utf-8")) for path in files]
    (above,) = {one["above"] for one in read if one["above"]}
    base = json.loads((home / "tables" / f"{below}.json").read_text(encoding="utf-8"))
    bare: dict[str, Any] = {"plugins": {}, "sections": {}, "keys": {}}
    of_base = _tables({**with_below(bare, base, below), "sections": _sections(base, below)})
    classes = {above: pack(("", _ordered(base["keys"]), of_base))}
    releases: dict[str, list[str]] = {}
    for one in read:
        package = one["class"].partition(".")[0]
        own = "" if package == packages[0] else package
        keys = {key: named(info, own) if own else info for key, info in one["keys"].items()}
        data = {"plugins": {}, "sections": _sections(one, own), "keys": keys}
        if one["above"]:
            data = with_below(data, base, below)
        tables = _tables(data)
        if one["above"]:
            tables = _differing(tables, of_base)
        classes[one["class"]] = pack((one["above"], _ordered(one["keys"]), tables))
        if own and own != below:
            known = releases.setdefault(own, [])
            known += [release for release in one["releases"] if release not in known]
    return {
        "CLASSES": classes,
        # The first class may have come with a late release.
        "RELEASES": {
            package: tuple(sorted(known, key=Version)) for package, known in releases.items()
        },
    }


def _tables(data: dict[str, Any]) -> dict[str, Any]:
    """The tables of keys, with the parameters that only older releases require."""
    until = {
        key: since
        for key, info in data["keys"].items()
        for since, required in info.get("required_history", ())[-1:]
        if not required
    }
    return {**key_tables(data, []), "REQUIRED_UNTIL": until}


def _ordered(keys: dict[str, Any]) -> list[str]:
    """The parameters, first those that had to be given: a call may leave out the names of these."""
    return sorted(
        keys, key=lambda key: keys[key].keys().isdisjoint(("required", "required_history"))
    )


def _sections(one: dict[str, Any], package: str) -> dict[str, Any]:
    """The section at the top, whose releases have the name of their package in front."""
    found = {}
    for name, info in one["sections"].items():
        found[name] = {
            part: f"{package} {release}" if package and release else release
            for part, release in info.items()
        }
    return found


def _differing(tables: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    """Of tables of keys, what those of another class do not have."""
    return {
        name: {key: _rows(rows, base[name].get(key)) for key, rows in table.items()}
        if name == "SECTIONS"
        else {
            key: row
            for key, row in table.items()
            if key not in base[name] or row != base[name][key]
        }
        if isinstance(table, dict)
        else table
        for name, table in tables.items()
    }


def _rows(rows: dict[str, Any], base: dict[str, Any] | None) -> dict[str, Any]:
    return {key: row for key, row in rows.items() if base is None or base.get(key) != row}
