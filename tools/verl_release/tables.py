"""The history of a config's keys, from what each release composes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.verl_release.configs import Composed

#: A key that holds others.
_SECTION = object()
Tree = dict[str, Any]


def history(
    name: str, releases: list[str], configs: Mapping[str, Composed], moved: Mapping[str, str]
) -> dict[str, Any]:
    """The table of one config.

    Args:
        releases: all of them, the oldest first.
        configs: release -> the config, of those that have it.
        moved: key -> the key that took its place.
    """
    flat = {release: _flat(one) for release, one in configs.items()}
    having = [release for release in releases if release in flat]
    end = _after(releases, having[-1])
    # Where a later release has no such config, nothing is known about its keys.
    names = sorted({key for keys in flat.values() for key in keys})
    keys: dict[str, Any] = {}
    sections: dict[str, Any] = {"": _section(having[0], end)}
    for key in names:
        own = [release for release in having if key in flat[release]]
        since, last = own[0], own[-1]
        row: dict[str, Any] = {"since": since, "type": "any"}
        if last != having[-1]:
            row["removed"] = having[having.index(last) + 1]
            if key in moved:
                row["rename"] = moved[key]
        between = having[having.index(since) : having.index(last) + 1]
        absent = [release for release in between if release not in own]
        if absent:
            row["absent"] = absent
        row |= _defaults([(release, flat[release][key]) for release in own])
        keys[key] = row
        as_section = [release for release in own if flat[release][key] is _SECTION]
        if as_section:
            sections[key] = _section(as_section[0], _after(having, as_section[-1]) or end)
    return {
        "framework": name,
        "releases": releases,
        "plugins": {},
        "sections": sections,
        "keys": keys,
    }


def _section(since: str, removed: str | None) -> dict[str, Any]:
    row = {"since": since, "forbids_unknown_since": since}
    return row if removed is None else {**row, "removed": removed}


def _after(releases: list[str], release: str) -> str | None:
    number = releases.index(release) + 1
    return releases[number] if number < len(releases) else None


def _flat(config: Composed) -> dict[str, Any]:
    """Dotted key -> its default, of a section `_SECTION`."""
    found: dict[str, Any] = {}

    def add(tree: Tree, above: str) -> None:
        for name, value in tree.items():
            key = f"{above}.{name}" if above else str(name)
            found[key] = _SECTION if isinstance(value, dict) else value
            if isinstance(value, dict):
                add(value, key)

    add(config.tree, "")
    return found


def _defaults(values: list[tuple[str, Any]]) -> dict[str, Any]:
    """The default, and its history where it changed; none of a section."""
    changes: list[list[Any]] = []
    for release, value in values:
        held = {} if value is _SECTION else value
        if not changes or changes[-1][1] != held or type(changes[-1][1]) is not type(held):
            changes.append([release, held])
    row: dict[str, Any] = {"default": changes[-1][1]}
    return row if len(changes) == 1 else {**row, "defaults": changes}
