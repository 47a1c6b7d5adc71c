"""`.gitmodules`: forks of frameworks that a project has as submodules; of their commits the file says nothing."""

from __future__ import annotations

from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.forks import fork_at, package_of
from cfglint.environment.project.stated_versions import WANTED, Statement, place_at

#: No project has that many submodules.
_MAX_FOUND = 300
_URL = lazy_pattern(r"(?m)^[ \t]*url[ \t]*=[ \t]*(\S{1,500})[ \t]*\r?$")


def read(path: str, text: str) -> list[Statement]:
    """The forks among the submodules of a project."""
    found = []
    for url in islice(_URL.finditer(text), _MAX_FOUND):
        fork = fork_at(url.group(1))
        package = package_of(fork.partition("/")[2])
        if fork and package in WANTED:
            found.append(Statement(package, place_at(path, text, *url.span(1)), fork=fork))
    return found
