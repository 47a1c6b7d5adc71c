"""Forks: repositories of a framework's name that are not of its owners."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.stated_versions import normalized
from cfglint.knowledge.marks import all_marks

#: A repository where forks are made: its account, and its name.
_HOSTED = lazy_pattern(r"\bgithub\.com[/:]([\w.-]+)/([\w.-]+?)(?:\.git)?/?(?=[@#?\s\"',)]|\Z)")


def package_of(repository: str) -> str:
    """The package that a repository of a name has; the name as registries have it where none is known."""
    name = normalized(repository)
    known = (one.package for one in all_marks() if normalized(one.repository) == name)
    return next(known, name)


def is_own(address: str) -> bool:
    """Whether the repository at an address is a framework's, of its owners."""
    found = _HOSTED.search(address)
    if found is None:
        return False
    account, name = found[1].lower(), normalized(found[2])
    return any(
        normalized(marks.repository) == name and account in {one.lower() for one in marks.owners}
        for marks in all_marks()
    )


def fork_at(address: str, package: str = "") -> str:
    """`account/name` of the fork at an address; empty if it is none, or not known to be one.

    Args:
        package: what is installed from there, where that is stated: a fork may have any name.
    """
    found = _HOSTED.search(address)
    if found is None:
        return ""
    name = normalized(found[2])
    for marks in all_marks():
        if marks.owners and (marks.package == package or normalized(marks.repository) == name):
            owners = {one.lower() for one in marks.owners}
            return "" if found[1].lower() in owners else f"{found[1]}/{found[2]}"
    return ""
