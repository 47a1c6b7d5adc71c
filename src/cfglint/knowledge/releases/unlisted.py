"""Versions that are not among a package's known releases, and the warnings about them."""

from __future__ import annotations

from functools import lru_cache

from cfglint.base.record import Record
from cfglint.knowledge import compiled
from cfglint.knowledge.releases.table import Releases, releases_of


class Unlisted(Record):
    """A version that is not among the known releases of its package."""

    package: str
    version: str
    oldest: str
    newest: str
    #: Known releases that may be meant.
    close: tuple[str, ...]
    #: It comes before all known releases.
    is_older: bool
    #: It comes after them all.
    is_newer: bool
    #: A build before a release or after it (`0.18.0.dev0`), which the tables do not list.
    is_build: bool

    def __str__(self) -> str:
        known = f"the releases that cfglint knows ({self.oldest} to {self.newest})"
        if self.is_older or self.is_newer:
            what = f"is {'older' if self.is_older else 'newer'} than {known}"
        else:
            what = f"is not one of {known}"
        return f"{self.package} {self.version} {what}"

    @property
    def question(self) -> str:
        """The sentence with similar versions, in case it is misspelt."""
        return f"{self}; did you mean {' or '.join(self.close)}?" if self.close else str(self)


@lru_cache(maxsize=64)
def unlisted(package: str, version: str) -> Unlisted | None:
    """The warning about a version; None if it is known, or the package has no table of releases.

    A local part (`0.16.4+cu126`) is ignored.
    """
    if package not in _listed():
        return None
    releases = releases_of(package)
    version = version.partition("+")[0]
    if known_release(version, releases) is not None:
        return None
    from packaging.version import InvalidVersion, Version

    try:
        wanted = Version(version)
    except InvalidVersion:
        return None
    oldest = releases.versions[0]
    is_build = wanted.is_prerelease or wanted.is_postrelease
    before = [known for known in releases.versions if Version(known) < wanted]
    after = releases.versions[len(before) :]
    # Two digits in the wrong order are the likeliest slip.
    swapped = [known for known in releases.versions if _is_swapped(known, version)]
    return Unlisted(
        package,
        version,
        oldest,
        releases.newest,
        () if is_build else tuple(dict.fromkeys([*swapped, *before[-1:], *after[:1]]))[:2],
        wanted < Version(oldest),
        wanted > Version(releases.newest),
        is_build,
    )


def _is_swapped(known: str, version: str) -> bool:
    """Whether two versions differ by two neighbouring digits in the wrong order, and nothing else."""
    if len(known) != len(version):
        return False
    differ = [at for at, pair in enumerate(zip(known, version, strict=True)) if pair[0] != pair[1]]
    if len(differ) != 2:
        return False
    first, last = differ
    swapped = known[first] == version[last] and known[last] == version[first]
    return swapped and not known[first + 1 : last].strip(".")


def known_release(version: str, releases: Releases) -> str | None:
    """The known release that a version is, however it is spelt (`0.18`, `0.16.4+cu126`).

    Of transformers the first and the last patch of a series are known: one between two known patches of its
    series is taken to be the earlier.
    """
    version = version.partition("+")[0]
    if version in releases.versions:
        return version
    from packaging.version import InvalidVersion, Version

    try:
        wanted = Version(version)
    except InvalidVersion:
        return None
    if wanted.is_prerelease or wanted.is_postrelease:
        return next((known for known in releases.versions if Version(known) == wanted), None)
    series = [
        known for known in releases.versions if Version(known).release[:2] == wanted.release[:2]
    ]
    before = [known for known in series if Version(known) <= wanted]
    exact = bool(before) and Version(before[-1]) == wanted
    return before[-1] if exact or (before and len(before) < len(series)) else None


@lru_cache(maxsize=1)
def _listed() -> frozenset[str]:
    """The packages whose releases are known: those of the frameworks."""
    return frozenset(row["packages"][0] for row in compiled.load("frameworks").FRAMEWORKS.values())
