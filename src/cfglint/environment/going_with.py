"""The releases of a package that go with the stated release of another one, of no framework: those that Unsloth asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cfglint.environment.pins import Fact, Pin
from cfglint.environment.pythons import PYTHON, those_installable
from cfglint.knowledge.releases.bounds import asked_by, bounding_packages
from cfglint.knowledge.releases.ranges import within


def those_going_with(package: str, known: Sequence[str], pins: Mapping[str, Pin]) -> list[str]:
    """The releases of a package that what is stated admits; all of them if it admits none, or asks for nothing."""
    found = list(known)
    for name in bounding_packages() & pins.keys():
        pin = pins[name]
        is_stated = pin.version is not None and not (pin.alone or pin.fork)
        spec = asked_by(name, pin.version or "").get(package) if is_stated else None
        if spec is not None:
            found = [one for one in found if within(one, spec)] or found
    return found


def going_with(package: str, versions: Sequence[str], pins: Mapping[str, Pin]) -> int:
    """The same, one bit for each of all releases."""
    found = set(those_going_with(package, versions, pins))
    return sum(1 << number for number, one in enumerate(versions) if one in found)


def beside_stated(
    package: str, usual: str, known: list[str], facts: Mapping[str, Fact], pins: Mapping[str, Pin]
) -> tuple[list[str], str]:
    """The releases of a package that the project's Python and what is stated admit, and the usual one or the newest of them."""
    found = those_going_with(package, those_installable(package, known, facts), pins)
    is_free = PYTHON not in facts and bounding_packages().isdisjoint(pins)
    return found, usual if usual in found or is_free else found[-1]
