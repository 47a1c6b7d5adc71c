"""Which releases of packages can be imported together: what each imports, and which releases of others have it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from cfglint.base.packing import unpack
from cfglint.base.record import NamedTuple
from cfglint.base.type_names import Any
from cfglint.knowledge import compiled
from cfglint.knowledge.releases.ranges import within

#: What runs whichever name is imported.
WHOLE = "*"
#: What runs with a file that does not tell which program reads it.
UNNAMED = "-"


class Importer(NamedTuple):
    """Releases of a package that import a name as one of their entries is imported."""

    package: str
    first: str
    last: str
    #: Joined by spaces.
    entries: str
    #: What has to be installed for the import to run, joined by spaces: `peft`, `datasets>=3.0`.
    needs: str

    def has(self, version: str) -> bool:
        """Whether a release is among them."""
        return within(version, f">={self.first},<={self.last}")


class Name(NamedTuple):
    """A name that not all releases of a package have."""

    package: str
    #: With the module in it.
    name: str
    #: The first release with it; None if the oldest known ones have it.
    came: str | None
    #: The first release without it.
    gone: str | None
    importers: tuple[Importer, ...]

    @property
    def module(self) -> str:
        """The module that it is imported from."""
        inner = self.name.rpartition(".")[0]
        root = module_of(self.package)
        return f"{root}.{inner}" if inner else root

    @property
    def last_part(self) -> str:
        """The name in its module."""
        return self.name.rpartition(".")[2]

    def lacking(self, version: str) -> bool:
        """Whether a release surely lacks it."""
        if self.gone is not None and within(version, f">={self.gone}"):
            return True
        read = releases_read(self.package)
        if self.came is None or self.came not in read[1:]:
            return False
        # Of the releases between it and the one before nothing is known.
        return within(version, f">={read[0]},<={read[read.index(self.came) - 1]}")


class Broken(NamedTuple):
    """A release that imports what the release of another package lacks."""

    importer: str
    name: Name
    #: Whether the other package had it before.
    is_gone: bool


@lru_cache(maxsize=16)
def releases_read(package: str) -> Sequence[str]:
    """The releases of a package that the table was made from, the oldest first."""
    releases: Mapping[str, Sequence[str]] = compiled.load("imports").RELEASES
    return releases.get(package, ())


def module_of(package: str) -> str:
    """The name by which a package is imported."""
    return compiled.load("imports").MODULES.get(package) or package.replace("-", "_")


def package_of(module: str) -> str:
    """The package that has a module."""
    modules: Mapping[str, str] = compiled.load("imports").MODULES
    for package, own in modules.items():
        if own == module:
            return package
    return module.replace("_", "-")


@lru_cache(maxsize=16)
def names_of(package: str) -> Mapping[str, Name]:
    """The names that other packages import from one, and that not all of its releases have."""
    packed = compiled.load("imports").NAMES.get(package)
    rows: Mapping[str, Any] = unpack(packed) if packed is not None else {}
    return {
        name: Name(package, name, came, gone, tuple(Importer(*row) for row in importers))
        for name, (came, gone, importers) in rows.items()
    }


def reached(
    package: str, entries: Iterable[str], stated: Mapping[str, Sequence[str]]
) -> dict[str, set[str]]:
    """What importing some entries of a package imports, of the packages whose releases are stated.

    Args:
        stated: package -> the releases that it may be.
    """
    found: dict[str, set[str]] = {package: set(entries)}
    waiting = [package]
    while waiting:
        importer = waiting.pop()
        for other, entry in _reached_by(importer, found[importer], stated[importer]):
            own = found.setdefault(other, set()) if other in stated else {entry}
            if entry not in own:
                own.add(entry)
                waiting.append(other)
    return found


def _reached_by(
    package: str, entries: set[str], versions: Sequence[str]
) -> Iterator[tuple[str, str]]:
    for span, by_entry in compiled.load("imports").REACHED.get(package, {}).items():
        first, last = span.split()
        if versions and all(within(one, f">={first},<={last}") for one in versions):
            for entry in sorted(entries):
                for word in by_entry.get(entry, "").split():
                    other, _, name = word.partition(":")
                    yield other, name or WHOLE


def broken(
    importer: str, entries: set[str], other: str, stated: Mapping[str, Sequence[str]]
) -> Broken | None:
    """What a package surely imports as some entries run and another one surely lacks; the name that says most."""
    found = None
    for name in names_of(other).values():
        if not all(map(name.lacking, stated[other])):
            continue
        if any(_imports(row, importer, entries, stated) for row in name.importers):
            is_gone = name.gone is not None and within(stated[other][0], f">={name.gone}")
            one = Broken(importer, name, is_gone)
            if found is None or _is_wider(one, found):
                found = one
    return found


def _imports(
    row: Importer, importer: str, entries: set[str], stated: Mapping[str, Sequence[str]]
) -> bool:
    return (
        row.package == importer
        and not entries.isdisjoint(row.entries.split())
        and all(_is_installed(one, stated) for one in row.needs.split())
        and all(map(row.has, stated[importer]))
    )


def _is_installed(need: str, stated: Mapping[str, Sequence[str]]) -> bool:
    package, least, release = need.partition(">=")
    return package in stated and all(
        within(one, least + release) for one in stated[package] if least
    )


def _is_wider(one: Broken, other: Broken) -> bool:
    """Whether more releases lack the one name than the other."""
    if one.is_gone != other.is_gone:
        return one.is_gone
    if one.is_gone:
        return one.name.gone != other.name.gone and within(
            str(one.name.gone), f"<{other.name.gone}"
        )
    return one.name.came != other.name.came and within(str(one.name.came), f">{other.name.came}")


def upgrade(
    importer: str, entries: set[str], other: str, stated: Mapping[str, Sequence[str]]
) -> str | None:
    """The next release of the importing package that imports nothing which the other lacks."""
    newest = stated[importer][-1]
    for version in releases_read(importer):
        if within(version, f">{newest}"):
            trial = {**stated, importer: (version,)}
            if broken(importer, entries, other, trial) is None:
                return version
    return None


def refused(package: str, version: str, other: str) -> str | None:
    """The range of another package outside of which a release ends its own import."""
    required: Mapping[str, Mapping[str, Mapping[str, str]]] = compiled.load("imports").REQUIRED
    for span, stated in required.get(package, {}).items():
        first, last = span.split()
        if within(version, f">={first},<={last}"):
            return stated.get(other)
    return None
