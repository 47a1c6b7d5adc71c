"""Releases of several packages that are used together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.table import Releases, known_releases


def newest_beside(
    packages: Iterable[str], stated: Mapping[str, str], hidden: str | None = None
) -> dict[str, str]:
    """The newest release of each package that goes with the stated ones, those that are stated included.

    Of two packages that are not stated, the first one decides which release of the second can be used. A
    package whose releases are not known is left out.

    Args:
        stated: package -> version.
        hidden: the day, YYYY-MM-DD, after which no release counts; None for today.
    """
    found = dict(stated)
    for package in packages:
        if package in found:
            continue
        releases = known_releases(package)
        if releases is None:
            continue
        known = [one for one in releases.versions if not _is_later(releases, one, hidden)]
        fitting = [one for one in known if _go_together(releases, one, found)]
        if fitting or known:
            found[package] = (fitting or known)[-1]
    return found


def _is_later(releases: Releases, version: str, day: str | None) -> bool:
    date = releases.dates.get(version)
    return day is not None and date is not None and date[: len(day)] > day


def _go_together(releases: Releases, version: str, others: Mapping[str, str]) -> bool:
    """Whether a release and others ask for nothing of each other that is not there."""
    for package, other in others.items():
        asked = releases.pins.get(version, {}).get(package)
        if asked is not None and not within(other, asked):
            return False
        asking = known_releases(package)
        asks = None if asking is None else asking.pins.get(other, {}).get(releases.package)
        if asks is not None and not within(version, asks):
            return False
    return True
