"""What a release of a package of no framework, such as Unsloth, asks for of others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from cfglint.knowledge import compiled


def bounding_packages() -> frozenset[str]:
    """The packages of which it is known what their releases ask for."""
    return frozenset(compiled.load("bounds").RELEASES)


@lru_cache(maxsize=64)
def asked_by(package: str, version: str) -> Mapping[str, str]:
    """Package -> the range that a release asks for; empty where the release is not known."""
    table = compiled.load("bounds")
    releases = table.RELEASES.get(package, ())
    if version not in releases:
        return {}
    place = {one: number for number, one in enumerate(releases)}
    found = {}
    for name, changes in table.ASKS[package].items():
        specs = [spec for first, spec in changes if place[first] <= place[version]]
        if specs and specs[-1]:
            found[name] = specs[-1]
    return found
