"""What files of a project state: a package with its version, a piece of hardware."""

from __future__ import annotations

import os
import re

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.environment.pins import is_version
from cfglint.knowledge import compiled
from cfglint.knowledge.releases.ranges import surely_apart, within

#: What is looked for in a project's files.
WANTED = frozenset(
    (*compiled.load("frameworks").ASKED, *compiled.load("frameworks").BESIDE, "python")
)
#: Of interest only along with others: half of all projects name them.
EVERYWHERE = frozenset({"numba", "numpy", "python"})


#: Kinds of files in which a project describes itself, with its extras.
_OF_EXTRAS = frozenset({"pyproject", "setup_script"})
#: Kinds of files that list what is installed for a folder, and how many packages of interest such a list has.
_LISTS = frozenset({"requirements", "conda"})
_OF_A_LIST = 3


class Place(Record):
    """A place in a file of the project; lines and columns count from 1."""

    path: str
    line: int
    column: int = 1
    #: How many characters; 0 for the rest of the line.
    length: int = 0

    def __str__(self) -> str:
        return f"{os.path.basename(self.path)} line {self.line}"


class Statement(Record):
    """A package as one file has it: an exact version, a range, a commit, or a day's build."""

    package: str
    place: Place
    version: str | None = None
    #: A range (PEP 440); None when the version is exact or open.
    spec: str | None = None
    commit: str | None = None
    #: The day of a nightly build, YYYYMMDD.
    day: str | None = None
    extras: tuple[str, ...] = ()
    #: It applies only to an extra, a group or some platforms.
    conditional: bool = False
    #: What is written, when that says more (the name of a wheel, an image).
    written: str = ""
    #: The day is that of the last build under a tag that gets no builds any longer.
    frozen: bool = False
    #: It follows from another statement of the same file (an image's torch).
    implied: bool = False
    #: The repository (`account/name`), if it is a fork of the package's.
    fork: str = ""
    #: It is a commit whose place among the releases is not known (`written`, if anything says which one).
    is_lost: bool = False
    #: It is no more than what a workflow tests with.
    tested: bool = False
    #: For which Pythons it is, as an environment marker; empty for all.
    marker: str = ""
    #: It is installed without the packages that it asks for, or newer ones are installed over these.
    alone: bool = False


class Hardware(Record):
    """`gpus` or `gpu` as a launch file has it."""

    fact: str
    value: Any
    place: Place


class Source(Record):
    """One file of the project (with those it includes)."""

    path: str
    #: `uv.lock`, `requirements`, `image` …: the module that read it.
    kind: str
    #: Folders between it and the config.
    distance: int
    statements: tuple[Statement, ...] = ()
    hardware: tuple[Hardware, ...] = ()
    #: It lists everything that is installed: what it does not have is not there.
    complete: bool = False
    #: Why it could not be read, if it could not.
    problem: str | None = None

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    def of(self, package: str) -> Statement | None:
        """What it states of a package; an exact version rather than a range, and a range rather than the name alone.

        What the extras of a project ask for counts if nothing else is asked for, and all ask for the same.
        """
        best: Statement | None = None
        optional: dict[tuple[str | None, ...], Statement] = {}
        for statement in self.statements:
            if statement.package != package:
                continue
            if statement.conditional:
                asked = (statement.version, statement.spec, statement.commit, statement.day)
                optional.setdefault(asked, statement)
            elif best is None or _tells_more(statement, best):
                best = statement
        if best is None and self.kind in _OF_EXTRAS and len(optional) == 1:
            (only,) = optional.values()
            return only if says_something(only) else None
        return best

    def mentions(self, package: str) -> bool:
        """Whether it names a package at all."""
        return any(statement.package == package for statement in self.statements)


def is_exact(statement: Statement | None) -> bool:
    """Whether a statement names one version, commit or build."""
    return statement is not None and bool(statement.version or statement.commit or statement.day)


def _tells_more(one: Statement, other: Statement) -> bool:
    """Whether a statement of a file counts rather than an earlier one: a name alone leaves open what a range says."""
    if is_exact(one) or is_exact(other):
        return not is_exact(other)
    return bool(one.spec) and not (says_something(other) or other.written)


def nearer_list(sources: list[Source], package: str) -> Source | None:
    """The list of packages of a folder that leaves open which release of one it wants, nearer than the one that states it.

    It is what that folder is installed with, unless a lock file above has all of it.

    Args:
        sources: the nearest first.
    """
    exact = next((one for one in sources if is_exact(one.of(package))), None)
    if exact is None or exact.complete:
        return None
    for source in sources:
        if source.distance >= exact.distance:
            break
        asked = {one.package for one in source.statements}
        if source.kind in _LISTS and package in asked and len(asked - EVERYWHERE) >= _OF_A_LIST:
            return source
    return None


def is_apart(statement: Statement, spec: str) -> bool:
    """Whether what a statement asks for is surely outside of a range."""
    if statement.version is not None:
        return not within(statement.version, spec)
    return statement.spec is not None and surely_apart(statement.spec, spec)


def is_sane(statement: Statement) -> bool:
    """Whether a version looks like one: it is compared, and printed."""
    return statement.version is None or is_version(statement.version)


def says_something(statement: Statement) -> bool:
    """Whether a statement is more than the name of a package."""
    return is_exact(statement) or bool(statement.spec or statement.fork or statement.is_lost)


def outweighs(one: Statement, other: Statement | None) -> bool:
    """Whether a statement counts rather than another one about the same package, of a file that comes first.

    What an extra asks for, which may not be installed, leaves alone what is asked for in any case.
    """
    if other is None:
        return True
    if one.conditional != other.conditional:
        asked = other if one.conditional else one
        if says_something(asked):
            return asked is one
    if one.is_lost:
        # It is of any time, but not the newest release.
        return not says_something(other)
    return is_exact(one) and not is_exact(other)


class UnreadableFileError(Exception):
    """A file of the project cannot be used; the message says why."""


def names_packages(text: str) -> bool:
    """Whether a text has a word that the name of a package of interest has."""
    lowered = text.lower()
    return any(word in lowered for word in compiled.load("frameworks").TELLING_WORDS)


def normalized(name: str) -> str:
    """A package's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def place_at(path: str, text: str, start: int, end: int | None = None) -> Place:
    """The place of an offset in a text."""
    line_start = text.rfind("\n", 0, start) + 1
    return Place(
        path,
        text.count("\n", 0, start) + 1,
        start - line_start + 1,
        0 if end is None else end - start,
    )


def agreed(statements: list[Statement]) -> list[Statement]:
    """One statement a package: those of which a file has several, different ones are left open.

    A lock file has a package twice when platforms get different builds; the local part
    (`2.6.0+cpu`) is then no version of its own. Of different versions the range is stated.
    """
    out: list[Statement] = []
    by_package: dict[str, list[Statement]] = {}
    for statement in statements:
        by_package.setdefault(statement.package, []).append(statement)
    for several in by_package.values():
        if len(several) == 1:
            out += several
            continue
        versions = {(one.version or "").partition("+")[0] for one in several}
        commits = {one.commit for one in several}
        first = several[0]
        if len(versions) == 1 and len(commits) == 1:
            out.append(first)
        else:
            spec = _range(versions) if commits == {None} else None
            out.append(first.replaced(version=None, commit=None, spec=spec, conditional=not spec))
    return out


def _range(versions: set[str]) -> str | None:
    """The range from the oldest version to the newest; None if one of them is not plain."""
    if not all(re.fullmatch(r"\d+(\.\d+)*", version) for version in versions):
        return None
    ordered = sorted(versions, key=lambda version: [int(part) for part in version.split(".")])
    return f">={ordered[0]},<={ordered[-1]}"


def undisputed(statements: list[Statement]) -> list[Statement]:
    """The statements of a file; where it has several versions of a package, none of them counts.

    A CI workflow names an image for each of its jobs, a requirements file a version for each Python: which of
    these counts is decided when the Python is known.
    """
    if any(one.marker for one in statements):
        return statements
    exact: dict[str, set[tuple[str | None, ...]]] = {}
    for one in statements:
        if is_exact(one) and not one.conditional:
            exact.setdefault(one.package, set()).add((one.version, one.commit, one.day))
    disputed = {package for package, several in exact.items() if len(several) > 1}
    return [
        one.replaced(conditional=True) if one.package in disputed else one for one in statements
    ]
