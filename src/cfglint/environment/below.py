"""The version of a package below a framework that its keys are judged by, where nothing states one."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.record import Record
from cfglint.environment.environment import Environment
from cfglint.knowledge import compiled
from cfglint.knowledge.releases.table import releases_of


class Below(Record):
    """A version that is not stated, and the release that it came with."""

    package: str
    version: str
    #: The package whose release decides, and that release.
    above: str
    release: str

    @property
    def origin(self) -> str:
        """Where the version is known from, in words."""
        return f"as it goes with {self.above} {self.release}; none is stated"


def version_below(target: Environment, framework: str) -> str:
    """The stated version of the package below a framework, or the one that came with its release where that is admitted.

    Args:
        target: of the framework's own package.
        framework: its name; its `framework.yaml` names the package below.
    """
    table = compiled.load(f"{framework}_below")
    usual = table.BESIDE.get(target.release, table.RELEASES[-1])
    return target.beside(table.PACKAGE, usual, table.RELEASES)


def unstated_below(target: Environment) -> Iterator[Below]:
    """What is judged by an older release of a package than the newest, which nothing states.

    Keys of a class or a file come from two packages: where the upper one is stated, those of the lower one are the ones
    that were current when it came out.
    """
    for framework, above in compiled.load("frameworks").ABOVE.items():
        checked, own = target.releases.package, target.pins.get(above)
        is_own = checked == above
        if not is_own and (own is None or own.version is None):
            continue
        package = compiled.load(f"{framework}_below").PACKAGE
        if not is_own and checked != package:
            continue  # the framework of the file has a version of its own
        stated = target.pins.get(package)
        if stated is not None and stated.version is not None:
            continue
        of_above = target
        if not is_own:
            pins, facts = target.pins, target.facts
            of_above = Environment(releases_of(above), pins, facts, as_of=target.as_of)
        version = version_below(of_above, framework)
        is_shown = checked == package and version == target.release
        if version != releases_of(package).newest and not is_shown:
            yield Below(package, version, above, of_above.release)
