"""What a release of a package of no framework, such as Unsloth, asks for of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.knowledge import compiled
from cfglint.knowledge.releases.ranges import within

if TYPE_CHECKING:
    from cfglint.environment.pins import Pin


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


def bounded(package: str, known: Sequence[str], pins: Mapping[str, Pin]) -> list[str]:
    """The releases of a package that the stated releases of such packages admit; all where they admit none.

    Args:
        known: the releases in question.
    """
    fitting = list(known)
    for name in bounding_packages() & pins.keys():
        version = pins[name].version
        spec = None if version is None else asked_by(name, version).get(package)
        if spec is not None:
            fitting = [one for one in fitting if within(one, spec)] or fitting
    return fitting
