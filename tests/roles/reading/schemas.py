"""Small schemas for tests."""

from __future__ import annotations

from typing import Any

from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.roles.framework import load_framework
from cfglint.roles.reading.fields import Fields


def fields_in(
    table: dict[str, dict[str, dict[str, Any]]],
    releases: tuple[str, ...],
    release: str,
    plugins: frozenset[str] = frozenset(),
    *,
    counts_keys: bool = False,
    below: tuple[tuple[str, ...], str] | None = None,
) -> Fields:
    """The fields of a table in one release, and optionally one of a package called `below`."""
    keys = ReleaseKeys(
        load_framework("axolotl").keys,
        releases,
        release,
        lambda _section, name: name,
        other_packages={} if below is None else {"below": below},
    )
    return Fields(table, keys, plugins, counts_keys=counts_keys)
