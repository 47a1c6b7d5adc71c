"""The releases that an installer takes of what goes with a framework, where no file states them."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.environment.environment import Environment
from cfglint.knowledge import compiled
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.table import known_releases, releases_of


def newest_admitted(target: Environment) -> Iterator[tuple[str, str]]:
    """Each package beside the framework of which no version is stated, and its newest release that is admitted.

    These are what its release asks for, and what is built on it: classes of a program may be of that.
    """
    for package, spec in target.releases.pins.get(target.release, {}).items():
        known = known_releases(package)
        if known is not None and _is_open(target, package):
            admitted = [one for one in known.versions if within(one, spec)]
            if admitted:
                yield package, target.beside(package, admitted[-1], admitted)
    for framework, above in compiled.load("frameworks").ABOVE.items():
        below = compiled.load(f"{framework}_below").PACKAGE
        if target.releases.package == below and _is_open(target, above):
            versions = releases_of(above).versions
            yield above, target.beside(above, versions[-1], versions)


def _is_open(target: Environment, package: str) -> bool:
    """Whether neither a version, a commit nor a fork is stated."""
    stated = target.pins.get(package)
    return stated is None or stated.inferred or stated.spec is not None
