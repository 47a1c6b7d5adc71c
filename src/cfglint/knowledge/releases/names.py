"""The names that packages have for programs, and which of their releases have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from cfglint.knowledge import compiled
from cfglint.knowledge.releases.table import known_releases, module_name


@lru_cache(maxsize=1)
def packages_beside() -> Mapping[str, str]:
    """Module -> package, of those that have a table of names and of what their newest release asks for, and no more."""
    found: Mapping[str, str] = compiled.load("named_packages").MODULES
    return found


def has_names(package: str) -> bool:
    """Whether a package has a table of the names in its releases."""
    try:
        names_of(package)
    except ModuleNotFoundError:
        return False
    return True


def names_of(package: str) -> Mapping[str, tuple[str | None, str | None]]:
    """Name, or module and name -> (its first release, the first one without it)."""
    found: Mapping[str, tuple[str | None, str | None]] = compiled.load(
        f"names_of_{module_name(package)}"
    ).NAMES
    return found


def known_versions(package: str) -> Sequence[str]:
    """The releases of a package that its names were read from, the oldest first; none for one of which nothing is known."""
    if package in packages_beside().values():
        found: Sequence[str] = compiled.load(f"names_of_{module_name(package)}").RELEASES
        return found
    releases = known_releases(package)
    return () if releases is None else releases.versions


def asked_by_newest(package: str) -> Mapping[str, str]:
    """Package -> the range in which its newest release asks for it; empty for any."""
    if package in packages_beside().values():
        found: Mapping[str, str] = compiled.load(f"names_of_{module_name(package)}").ASKS
        return found
    releases = known_releases(package)
    return {} if releases is None else releases.pins.get(releases.newest, {})


def successor(package: str, full: str) -> str:
    """What takes the place of a name that a package no longer has, as a sentence; empty where that is not known.

    Args:
        full: the name, with its module if it is in one.
    """
    sentences: Mapping[str, Mapping[str, str]] = compiled.load("successors").SENTENCES
    return sentences.get(package, {}).get(full.rpartition(".")[2], "")
