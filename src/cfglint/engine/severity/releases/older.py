"""The environments that a run may have in place of the assumed one: with older releases."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from cfglint.environment.environment import Environment
from cfglint.environment.fitting import excluded
from cfglint.environment.pins import Pin
from cfglint.knowledge.marks import all_marks
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.table import known_releases, releases_of

#: How long before the newest release a file may have been written, so that it is not out of date: 18 months.
_DAYS = 548
#: How long before a commit packages that nothing states may have been installed: 4 months.
_INSTALLED_BEFORE = 122


def old_release(target: Environment) -> Environment | None:
    """The environment with the oldest release that a file may be written for; None if that is the assumed one."""
    if not target.assumed:
        return None
    if target.is_weak:
        # What nothing states may as well be what is assumed without it.
        return target.without_weak()
    own = target.pins.get(target.releases.package)
    # A commit that is known nowhere may be of any time.
    first = "" if own is not None and own.is_lost else long_before(target, target.release)
    dates = target.releases.dates
    oldest = next((one for one in _open_releases(target) if dates[one] >= first), target.release)
    return None if oldest == target.release else target.at(oldest)


def release_of_day(target: Environment, day: str, *, recent: bool = False) -> Environment | None:
    """The environment with the newest release of a day, of those that it leaves open.

    Args:
        day: YYYY-MM-DD.
        recent: a day that is not long ago counts, too.

    Returns:
        None if the day is not long ago, or if the release is the assumed one anyway.
    """
    if not recent and day >= long_before(target, target.newest):
        return None
    versions, dates = _open_releases(target), target.releases.dates
    then = next((one for one in reversed(versions) if dates[one] <= day), versions[0])
    return None if then == target.release else _of_day(target, day).at(then)


def is_before_all(target: Environment, day: str | None) -> bool:
    """Whether a fork runs that a project wrote for before all known releases: what it was made from is none of them."""
    return target.is_fork() and day is not None and day < min(target.releases.dates.values())


def _of_day(target: Environment, day: str) -> Environment:
    """An environment in which packages that nothing states are no newer than some time before a day."""
    pins = dict(target.pins)
    day = (date.fromisoformat(day) - timedelta(_INSTALLED_BEFORE)).isoformat()
    for marks in all_marks():
        stated = pins.get(marks.package)
        if marks.package == target.releases.package or not (stated is None or stated.dated):
            continue
        releases = releases_of(marks.package)
        known = [one for one in releases.versions if releases.dates[one] <= day]
        newest = known[-1] if known else releases.versions[0]
        spec = f"<={newest}"
        if stated is not None and stated.spec is not None:
            if not within(newest, stated.spec):
                continue
            spec = f"{stated.spec},{spec}"
        pins[marks.package] = Pin(None, None, "the day of the last commit", spec, inferred=True)
    return Environment(target.releases, pins, target.facts, as_of=target.as_of)


def _open_releases(target: Environment) -> list[str]:
    versions = enumerate(target.releases.versions)
    return [version for bit, version in versions if target.candidates >> bit & 1]


def long_before(target: Environment, release: str) -> str:
    """The day that divides what is old from what is not where a release is the newest one, YYYY-MM-DD."""
    return _days_before(target.releases.dates[release])


def _days_before(day: str) -> str:
    return (date.fromisoformat(day) - timedelta(_DAYS)).isoformat()


def before_removals(target: Environment, removed: Iterable[str]) -> Environment | None:
    """The environment with the newest releases that still have what later ones removed.

    Args:
        removed: as in `Diagnostic.removed`.

    Returns:
        None if all of it is of packages whose releases are stated, or not known.
    """
    own, pins = target.releases.package, dict(target.pins)
    last: dict[str, int] = {}
    for package, _, version in (one.rpartition(" ") for one in removed):
        known, stated = known_releases(package), target.pins.get(package)
        is_open = stated is None or stated.version is None
        if known is not None and is_open and version in known.versions[1:]:
            place = known.versions.index(version) - 1
            last[package] = min(place, last.get(package, place))
    for package, place in last.items():
        known = known_releases(package)
        if known is not None and package != own:
            pins[package] = Pin(known.versions[place], None, "as if it was stated", implied=True)
    if not last:
        return None
    older = Environment(target.releases, pins, target.facts, as_of=target.as_of)
    return older.at(target.releases.versions[last[own]]) if own in last else older


def older_companion(target: Environment, packages: Iterable[str]) -> Environment | None:
    """The environment with the oldest releases of packages beside a stated framework; None if none of them is open.

    Where one is stated, even as a range, an installer decides on the release. Of one that only imports show, or
    nothing, any may be there that goes with the others and is not long out of date.
    """
    pins = dict(target.pins)
    for package in packages:
        stated, known = pins.get(package), known_releases(package)
        if known is None or package == target.releases.package:
            continue
        if stated is not None and not (stated.inferred and stated.version is None):
            continue
        spec = None if stated is None else stated.spec
        fitting = [
            one
            for one in known.versions
            if (spec is None or within(one, spec)) and not excluded(known, one, target.pins)
        ]
        if fitting:
            first = _days_before(known.dates[fitting[-1]])
            oldest = next(one for one in fitting if known.dates[one] >= first)
            pins[package] = Pin(oldest, None, "as if it was stated", implied=True)
    if pins == target.pins:
        return None
    return Environment(target.releases, pins, target.facts, as_of=target.as_of)
