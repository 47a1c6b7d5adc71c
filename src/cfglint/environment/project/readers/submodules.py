"""`.gitmodules`: the frameworks, and forks of them, that a project has as submodules, at the commits of git's index."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.forks import fork_at, is_own, package_of
from cfglint.environment.project.stated_versions import WANTED, Place, Statement, place_at
from cfglint.knowledge.releases.commits import place_commit

#: No project has that many submodules.
_MAX_FOUND = 300
_HEAD = lazy_pattern(r"(?m)^[ \t]*\[submodule[ \t]")
_URL = lazy_pattern(r"(?m)^[ \t]*url[ \t]*=[ \t]*(\S{1,500})[ \t]*\r?$")
_PATH = lazy_pattern(r"(?m)^[ \t]*path[ \t]*=[ \t]*(\S{1,500})[ \t]*\r?$")


def read(path: str, text: str, commit_of: Callable[[str], str]) -> list[Statement]:
    """The frameworks among the submodules of a project.

    Args:
        commit_of: the commit of the submodule at a path, from the top of the repository; empty if it is not known.
    """
    found = []
    starts = [head.start() for head in islice(_HEAD.finditer(text), _MAX_FOUND)] or [0]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        url, own = _URL.search(text, start, end), _PATH.search(text, start, end)
        if url is None:
            continue
        commit = commit_of(own[1]) if own is not None else ""
        place = place_at(path, text, *url.span(1))
        statement = _of_one(url[1], commit, place)
        if statement is not None and statement.package in WANTED:
            found.append(statement)
    return found


def of_folder(path: str, commit: str) -> list[Statement]:
    """What a folder states that git has as a commit of another repository, of which `.gitmodules` does not tell.

    Args:
        path: its path; its name is that of the repository.
    """
    name = os.path.basename(path)
    statement = _of_commit(package_of(name), commit, Place(path, 1))
    return [statement] if statement.package in WANTED else []


def _of_one(url: str, commit: str, place: Place) -> Statement | None:
    """What a submodule states; None if it is no framework."""
    fork = fork_at(url)
    if not fork and not is_own(url):
        return None
    package = package_of(url.rstrip("/").removesuffix(".git").rpartition("/")[2])
    if commit and place_commit(package, commit) is not None:
        # A fork at such a commit is as its framework was.
        return Statement(package, place, commit=commit)
    if fork:
        return Statement(package, place, fork=fork)
    return _of_commit(package, commit, place)


def _of_commit(package: str, commit: str, place: Place) -> Statement:
    if commit and place_commit(package, commit) is not None:
        return Statement(package, place, commit=commit)
    return Statement(package, place, written=commit, is_lost=True)
