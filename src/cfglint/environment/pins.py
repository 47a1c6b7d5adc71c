"""Stated versions and hardware: one package or fact, and where it is stated."""

from __future__ import annotations

import re

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.knowledge import compiled
from cfglint.knowledge.releases.table import Releases, example_target

_VERSION = r"v?\d+(?:\.\d+)*(?:[-_.]?(?:a|b|rc|alpha|beta|dev|post)[-_.]?\d*)*(?:\+[\w.]+)?"
_COMMIT = r"[0-9A-Fa-f]{7,40}"
_MAX_VERSION = 64


class TargetError(ValueError):
    """A target that cannot be understood; the message says how to write it."""


class Pin(Record):
    """One package as the target has it."""

    version: str | None
    commit: str | None
    origin: str
    #: A range, if no version was stated: it narrows down the possible releases.
    spec: str | None = None
    #: The releases of the framework between which a commit or a day's build lies.
    between: tuple[str | None, str | None] | None = None
    #: The commits that it may be, when it is known only by its day.
    commits: tuple[str, ...] = ()
    #: Derived from another pin (an image's torch), not stated.
    implied: bool = False
    #: Its range follows from what programs import, or from what a workflow tests with, and is not stated.
    inferred: bool = False
    #: Only what a run had installed, or what a folder beside that of the program asks for, shows it.
    weak: bool = False
    #: Stated by a file of the project, not by an option or a setting.
    in_project: bool = False
    #: That file, absolute; empty where no one file states it.
    path: str = ""
    #: Its upper end follows from what programs import: they run with a release below it.
    dated: bool = False
    #: The repository (`account/name`), if it is a fork of the package's.
    fork: str = ""
    #: It is installed without the packages that it asks for, or newer ones are installed over these.
    alone: bool = False

    @property
    def is_lost(self) -> bool:
        """Whether it is a commit with no known place among the releases: it may be of any time."""
        return self.commit is not None and self.version is None and self.between is None

    @property
    def is_range(self) -> bool:
        """Whether releases are all that it admits: neither one of them is stated, nor a build."""
        return self.spec is not None and not (self.version or self.commit or self.commits)

    def __str__(self) -> str:
        return self.version or (self.commit or "")[:9] or self.spec or self.fork or "of any version"


class Fact(Record):
    """A stated fact about the hardware, and where it is stated."""

    value: Any
    origin: str
    #: Nothing shows that it is of this run: the file that states it starts whatever it is given.
    weak: bool = False


def packages() -> tuple[str, ...]:
    """The packages whose version a rule can depend on, in the order in which they are listed."""
    found: tuple[str, ...] = compiled.load("frameworks").ASKED
    return found


def is_version(text: str) -> bool:
    """Whether a text is a version that can be compared."""
    return len(text) <= _MAX_VERSION and bool(re.fullmatch(_VERSION, text, re.IGNORECASE))


def parse_pin(text: str, origin: str) -> tuple[str, Pin]:
    """`torch==2.6.0` or `torch@4e5400c73` -> (package, pin).

    Raises:
        TargetError: it is neither, or no rule depends on the package.
    """
    match = re.fullmatch(r"\s*([A-Za-z0-9._-]+)\s*(==|@)\s*(\S+)\s*", text)
    if match is None:
        raise TargetError(
            f"{text!r} is not a target; write PACKAGE==VERSION, such as {example_target()}"
        )
    name, operator, value = match.groups()
    package = re.sub(r"[-_.]+", "-", name).lower()
    if package not in packages():
        raise TargetError(
            f"no rule depends on the package {name!r}{_meant(name)}; expected one of {', '.join(packages())}"
        )
    if operator == "@":
        if not re.fullmatch(_COMMIT, value):
            raise TargetError(f"{value!r} is not a commit; give 7 to 40 hexadecimal digits")
        return package, Pin(None, value.lower(), origin)
    if not is_version(value):
        raise TargetError(
            f"{value!r} is not a version of {package}; give one, such as {package}==1.2.3"
        )
    return package, Pin(value.removeprefix("v"), None, origin)


def placed(pin: Pin, releases: Releases) -> Pin:
    """A commit with the releases between which it lies, where that is known."""
    from cfglint.knowledge.releases.commits import place_commit

    assert pin.commit is not None
    place = place_commit(releases.package, pin.commit)
    return pin if place is None else pin.replaced(between=(place.after, place.before))


def in_development(pin: Pin, releases: Releases) -> Pin:
    """A build such as `0.9.4.dev0` with the releases between which it lies, where these are known."""
    from cfglint.knowledge.releases.commits import place_development

    assert pin.version is not None
    place = place_development(releases.package, pin.version)
    if place is None or place.after is None:
        return pin
    return pin.replaced(version=None, between=(place.after, place.before))


def _meant(name: str) -> str:
    """`, did you mean …?` for a package that is spelled alike; empty where none is."""
    from cfglint.base.spelling import Speller

    guess = Speller(packages()).closest(name)
    return f" (did you mean {guess.name!r}?)" if guess is not None else ""
