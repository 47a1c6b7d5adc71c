"""Weak evidence of releases: what a run of the project had installed, and what a folder beside the program's asks for.

It counts where nothing else states the release, and only as far as it contradicts nothing that is stated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from cfglint.environment.pins import Pin, packages
from cfglint.environment.project.pinned import pinned
from cfglint.environment.project.stated_versions import Place, Source, is_sane, says_something
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.table import releases_of
from cfglint.knowledge.releases.unlisted import known_release


def weak_pins(
    wanted: tuple[str, ...],
    stated: Mapping[str, Pin],
    record: Source | None,
    beside: Iterable[Source],
    name: Callable[[Place], str],
) -> dict[str, Pin]:
    """The releases that such evidence adds to what is stated.

    Args:
        wanted: the packages whose releases decide, that of the framework first.
        record: the list of the newest run.
        beside: the requirements of other folders; those that differ about these packages state nothing.
        name: a place as reports call it.
    """
    missing = is_missing(wanted, stated)
    if record is not None:
        found = _added(wanted[0], record, stated, name, "what a run had installed")
        if not missing.isdisjoint(found):
            return found
    lists = [one for one in beside if any(_says(one, package) for package in missing)]
    if len({tuple(_asked(one, package) for package in wanted) for one in lists}) != 1:
        return {}
    return _added(wanted[0], lists[0], stated, name, "of another folder")


def is_missing(wanted: Iterable[str], stated: Mapping[str, Pin]) -> frozenset[str]:
    """The packages of which no file states a release."""
    return frozenset(
        one
        for one in wanted
        if (pin := stated.get(one)) is None or pin.inferred or (pin.is_lost and not pin.fork)
    )


def _says(source: Source, package: str) -> bool:
    statement = source.of(package)
    return statement is not None and says_something(statement)


def _asked(source: Source, package: str) -> tuple[str | None, ...]:
    one = source.of(package)
    return () if one is None else (one.version, one.spec, one.commit, one.fork)


def _added(
    package: str,
    source: Source,
    stated: Mapping[str, Pin],
    name: Callable[[Place], str],
    what: str,
) -> dict[str, Pin]:
    """What a file adds; nothing if it contradicts what is stated."""
    found: dict[str, Pin] = {}
    for one in dict.fromkeys(statement.package for statement in source.statements):
        statement = source.of(one)
        if one not in packages() or statement is None or not is_sane(statement):
            continue
        if not says_something(statement):
            continue
        pin = pinned(statement, package, f"{name(statement.place)}, {what}")
        known = stated.get(one)
        if known is not None and not known.is_lost:
            if _contradict(pin, known):
                return {}
            if not known.inferred:
                continue
        if one == package and not _is_known(pin, package):
            return {}  # nothing would be known of the keys
        found[one] = pin.replaced(inferred=True, weak=True)
    return found


def _contradict(pin: Pin, known: Pin) -> bool:
    """Whether a version is another one than the stated one, or out of the stated range."""
    version, stated = pin.version, known.version
    if version is None:
        return False
    if stated is not None:
        return version.partition("+")[0] != stated.partition("+")[0]
    return known.spec is not None and not within(version, known.spec)


def _is_known(pin: Pin, package: str) -> bool:
    """Whether it is a release, a range or a build of which something is known."""
    if pin.version is None:
        return True
    return known_release(pin.version, releases_of(package)) is not None
