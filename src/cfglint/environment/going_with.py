"""The releases of a package that go with the stated release of another one: those that Unsloth or a framework asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cfglint.environment.pins import Fact, Pin
from cfglint.environment.pythons import PYTHON, those_installable
from cfglint.knowledge.releases.bounds import asked_by
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.table import known_releases
from cfglint.knowledge.releases.unlisted import known_release


def those_going_with(package: str, known: Sequence[str], pins: Mapping[str, Pin]) -> list[str]:
    """The releases of a package that what is stated admits; all of them if it admits none, or asks for nothing."""
    found = list(known)
    for spec in _asked_of(package, pins):
        found = [one for one in found if within(one, spec)] or found
    return found


def those_without(package: str, release: str, pins: Mapping[str, Pin]) -> list[str]:
    """The other packages whose stated releases ask for other releases of a package than one of them."""
    return [
        name
        for name, pin in pins.items()
        if any(not within(release, one) for one in _asked_of(package, {name: pin}))
    ]


def _asked_of(package: str, pins: Mapping[str, Pin]) -> Iterator[str]:
    """What the stated releases of other packages, each with its own requirements, ask of a package."""
    for name, pin in pins.items():
        if pin.version is None or name == package or pin.alone or pin.fork:
            continue
        spec = asked_by(name, pin.version).get(package)
        # What imports or another framework tell of a release is no list of packages.
        releases = None if pin.inferred or pin.implied else known_releases(name)
        if spec is None and releases is not None:
            known = known_release(pin.version, releases)
            spec = None if known is None else releases.pins.get(known, {}).get(package)
        if spec is not None:
            yield spec


def going_with(package: str, versions: Sequence[str], pins: Mapping[str, Pin]) -> int:
    """The same, one bit for each of all releases."""
    found = set(those_going_with(package, versions, pins))
    return sum(1 << number for number, one in enumerate(versions) if one in found)


def beside_stated(
    package: str, usual: str, known: list[str], facts: Mapping[str, Fact], pins: Mapping[str, Pin]
) -> tuple[list[str], str]:
    """The releases of a package that the project's Python and what is stated admit, and the usual one or the newest of them."""
    found = those_going_with(package, those_installable(package, known, facts), pins)
    is_free = PYTHON not in facts and all(within(usual, one) for one in _asked_of(package, pins))
    return found, usual if usual in found or is_free else found[-1]
