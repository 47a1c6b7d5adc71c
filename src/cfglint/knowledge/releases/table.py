"""The releases of one package, and what each of them asks of others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from cfglint.base.record import Record
from cfglint.knowledge import compiled


class Releases(Record):
    """The known releases of a package: all (oldest first), the newest, and what each pins."""

    package: str
    versions: tuple[str, ...]
    newest: str
    pins: Mapping[str, Mapping[str, str]]
    #: Release -> the day on which it came out, YYYY-MM-DD.
    dates: Mapping[str, str] = {}

    def called(self, title: str) -> str:
        """What they are called after: a framework's title, or the package where that is another's."""
        same = title.lower().replace("-", "") == self.package.replace("-", "")
        return title if same else self.package


def module_name(package: str) -> str:
    """The package's part of the names of generated modules."""
    return package.replace("-", "_")


def example_target() -> str:
    """A version as an example, `package==1.2.3`: the newest of the framework that most files are for."""
    known = compiled.load("frameworks")
    usual = next(iter(known.FALLBACKS.values()), None) or next(iter(known.FRAMEWORKS), None)
    if usual is None:
        return "PACKAGE==VERSION"
    releases = releases_of(known.FRAMEWORKS[usual]["packages"][0])
    return f"{releases.package}=={releases.newest}"


@lru_cache(maxsize=32)
def releases_of(package: str) -> Releases:
    """The known releases of a package that has a table of them.

    Raises:
        ModuleNotFoundError: there is no table of its releases.
    """
    module = compiled.load(f"{module_name(package)}_releases")
    return Releases(package, module.RELEASES, module.NEWEST, module.PINS, module.DATES)


@lru_cache(maxsize=64)
def known_releases(package: str) -> Releases | None:
    """The same; None for a package that has no table."""
    try:
        return releases_of(package)
    except ModuleNotFoundError:
        return None
