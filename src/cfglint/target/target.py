"""The target: package versions and hardware, and which releases of the framework fit them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from cfglint.record import Record
from cfglint.rules.logic import UNKNOWN, Truth
from cfglint.rules.rule import Applies

if TYPE_CHECKING:
    from cfglint.target.project.lines import LaunchLine
    from cfglint.target.project.project import Project

#: Packages besides the framework whose version may be told; all are pinned by some release.
PACKAGES = (
    "axolotl",
    "torch",
    "transformers",
    "trl",
    "peft",
    "accelerate",
    "datasets",
    "deepspeed",
    "flash-attn",
    "bitsandbytes",
    "triton",
    "xformers",
    "torchao",
    "liger-kernel",
    "vllm",
    "tokenizers",
    "huggingface-hub",
)
_VERSION = r"v?\d+(?:\.\d+)*(?:[-_.]?(?:a|b|rc|alpha|beta|dev|post)[-_.]?\d*)*(?:\+[\w.]+)?"
_COMMIT = r"[0-9A-Fa-f]{7,40}"
_MAX_VERSION = 64

_T = TypeVar("_T")


class TargetError(ValueError):
    """A target that cannot be understood; the message says how to write it."""


class Pin(Record):
    """One package as the target has it."""

    version: str | None
    commit: str | None
    origin: str
    #: A range, when no version was told: it narrows the releases that come into question.
    spec: str | None = None
    #: The releases of the framework between which a commit or a day's build lies.
    between: tuple[str | None, str | None] | None = None
    #: The commits that it may be, when it is known only by its day.
    commits: tuple[str, ...] = ()
    #: Worked out from another pin (an image's torch), not told.
    implied: bool = False

    def __str__(self) -> str:
        return self.version or (self.commit or "")[:9] or self.spec or "of any version"


class Fact(Record):
    """Something told about the hardware, and by whom."""

    value: Any
    origin: str


class ReleaseInfo(Record):
    """The releases of a framework: all (oldest first), the newest, and what each pins."""

    framework: str
    versions: tuple[str, ...]
    newest: str
    pins: Mapping[str, Mapping[str, str]]


def is_version(text: str) -> bool:
    """Whether a text is a version that can be compared."""
    return len(text) <= _MAX_VERSION and bool(re.fullmatch(_VERSION, text, re.IGNORECASE))


def parse_pin(text: str, origin: str) -> tuple[str, Pin]:
    """`trl==0.15.1` or `axolotl@4e5400c73` -> (package, pin).

    Raises:
        TargetError: it is neither, or the package is none that a rule can ask about.
    """
    match = re.fullmatch(r"\s*([A-Za-z0-9._-]+)\s*(==|@)\s*(\S+)\s*", text)
    if match is None:
        raise TargetError(f"{text!r} is no target; write PACKAGE==VERSION, such as axolotl==0.18.0")
    name, operator, value = match.groups()
    package = re.sub(r"[-_.]+", "-", name).lower()
    if package not in PACKAGES:
        raise TargetError(
            f"{name!r} is no package that a rule asks about; there are {', '.join(PACKAGES)}"
        )
    if operator == "@":
        if not re.fullmatch(_COMMIT, value):
            raise TargetError(f"{value!r} is no commit; give 7 to 40 hexadecimal digits")
        return package, Pin(None, value.lower(), origin)
    if not is_version(value):
        raise TargetError(
            f"{value!r} is no version of {package}; give one, such as {package}==1.2.3"
        )
    return package, Pin(value.removeprefix("v"), None, origin)


def placed(pin: Pin) -> Pin:
    """A commit of the framework with the releases between which it lies, where that is known."""
    from cfglint.target.project.history import place_commit

    assert pin.commit is not None
    place = place_commit(pin.commit)
    return pin if place is None else pin.replaced(between=(place.after, place.before))


class Target:
    """Versions and hardware for one run.

    A release of the framework is a candidate when it goes with every version that was told. What
    holds on all candidates is known; what holds on some is not. Ordinary rules assume the newest
    candidate; a rule that asks to be told of uncertainty does not.
    """

    def __init__(
        self,
        releases: ReleaseInfo,
        pins: Mapping[str, Pin] | None = None,
        facts: Mapping[str, Fact] | None = None,
    ) -> None:
        self.releases = releases
        self.pins: dict[str, Pin] = dict(pins or {})
        self.facts: dict[str, Fact] = dict(facts or {})
        self._applies_cache: dict[tuple[Any, bool], Truth] = {}
        self._narrowed: dict[str, Target] = {}
        own = self.pins.get(releases.framework)
        #: Set when the framework's own version is told but is none of the known releases.
        self.foreign_version: str | None = None
        #: Whether the framework is a build between releases, so that none may be assumed.
        self.placed = False
        self.candidates = self._candidates(own)
        #: Whether several releases fit, so that ordinary rules assume the newest of them.
        self.assumed = self.candidates.bit_count() > 1 and not self.placed
        #: What the project around the file says, when that was looked for.
        self.project: Project | None = None
        #: The folder of the file that is checked, when what it refers to may be looked at.
        self.folder: str | None = None
        #: The commands that start the file, when the project has some.
        self.launches: tuple[LaunchLine, ...] = ()
        self._placed_targets: dict[str, Target] = {}
        #: This target without its folder, which shares what was worked out.
        self._anywhere: Target | None = None
        #: What others worked out for this target, whatever the folder.
        self.shared: dict[Any, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        # What was worked out is keyed by objects of this process.
        worked_out = ("_applies_cache", "_narrowed", "_placed_targets", "shared")
        empty: dict[str, Any] = {name: {} for name in worked_out}
        return {**self.__dict__, **empty, "_anywhere": None, "launches": ()}

    def _candidates(self, own: Pin | None) -> int:
        everything = (1 << len(self.releases.versions)) - 1
        if own is not None and own.version is not None:
            bit = self._bit(own.version)
            if bit is None:
                self.foreign_version = own.version
                return 0
            return 1 << bit
        if own is not None and own.between is not None:
            known = [v for v in own.between if v in self.releases.versions]
            if known:
                self.placed = True
                return sum(1 << self.releases.versions.index(v) for v in dict.fromkeys(known))
        if own is not None and own.spec is not None:
            everything = self._in_range(own.spec) or everything
        others = {
            package: pin
            for package, pin in self.pins.items()
            if package != self.releases.framework and (pin.version or pin.spec) is not None
        }
        if not others:
            return everything
        mask = 0
        for bit, version in enumerate(self.releases.versions):
            stated = self.releases.pins[version]
            if all(
                package not in stated or _fits(pin, stated[package])
                for package, pin in others.items()
            ):
                mask |= 1 << bit
        return mask & everything or everything

    def _in_range(self, spec: str) -> int:
        from cfglint.target.versions import within

        return sum(1 << bit for bit, v in enumerate(self.releases.versions) if within(v, spec))

    def _bit(self, version: str) -> int | None:
        versions = self.releases.versions
        if version in versions:
            return versions.index(version)
        from packaging.version import InvalidVersion, Version

        try:
            wanted = Version(version)
        except InvalidVersion:
            return None
        for bit, known in enumerate(versions):
            if Version(known) == wanted:
                return bit
        return None

    @property
    def release(self) -> str:
        """The release that ordinary rules are checked against."""
        if self.foreign_version is not None:
            return self.foreign_version
        return self.releases.versions[self.candidates.bit_length() - 1]

    @property
    def release_origin(self) -> str:
        """Where the release is known from, in words."""
        own = self.pins.get(self.releases.framework)
        if own is not None and own.version is not None:
            return own.origin
        if self.placed and own is not None:
            return own.origin
        if not self.assumed:
            return "implied by " + ", ".join(
                f"{name}=={pin}"
                for name, pin in self.pins.items()
                if name != self.releases.framework
            )
        return (
            "the newest known" if self.release == self.releases.newest else "the newest that fits"
        )

    def fact(self, name: str) -> Any:
        """A hardware fact, `UNKNOWN` when nobody told it."""
        found = self.facts.get(name)
        return UNKNOWN if found is None else found.value

    def at_least(self, release: str | None) -> Target:
        """This target without the candidates before a release, where it leaves that open."""
        if release is None or not self.assumed:
            return self
        if self._anywhere is not None and self.folder is not None:
            placed = self._anywhere.at_least(release).in_folder(self.folder)
            return placed.started_by(self.launches) if self.launches else placed
        narrowed = self._narrowed.get(release)
        if narrowed is None:
            first = self.releases.versions.index(release)
            remaining = self.candidates & ~((1 << first) - 1)
            narrowed = self
            if remaining and remaining != self.candidates:
                narrowed = Target(self.releases, self.pins, self.facts)
                narrowed.candidates = remaining
                narrowed.project = self.project
                narrowed.folder = self.folder
                narrowed.launches = self.launches
            self._narrowed[release] = narrowed
        return narrowed

    def in_folder(self, folder: str) -> Target:
        """This target for a file in a folder, in which what it refers to is looked for."""
        found = self._placed_targets.get(folder)
        if found is None:
            found = object.__new__(Target)
            found.__dict__.update(self.__dict__)
            found._narrowed = {}
            found._placed_targets = {}
            found._anywhere = self
            found.folder = folder
            self._placed_targets[folder] = found
        return found

    def started_by(self, launches: Iterable[LaunchLine]) -> Target:
        """This target for a file that these commands start."""
        found = object.__new__(Target)
        found.__dict__.update(self.__dict__)
        found._narrowed = {}
        found._placed_targets = {}
        found.launches = tuple(launches)
        return found

    def once(self, key: tuple[Any, ...], make: Callable[[], _T]) -> _T:
        """What files with this target share, whatever their folders: made for the first one."""
        if key not in self.shared:
            self.shared[key] = make()
        return cast("_T", self.shared[key])

    def applies(self, applies: Mapping[str, Applies], *, assume: bool) -> Truth:
        """Whether a rule's releases are the target's.

        Args:
            applies: the compiled `applies` of a rule or derivation.
            assume: take the newest candidate when several fit.
        """
        if not applies:
            return True
        key = (id(applies), assume)
        if key not in self._applies_cache:
            self._applies_cache[key] = self._applies(applies, assume)
        return self._applies_cache[key]

    def admits(self, versions: tuple[tuple[Any, ...], ...], *, assume: bool) -> Truth:
        """The same for a `target` condition: rows of package, specifier, yes mask, maybe mask."""
        key = (versions, assume)
        if key not in self._applies_cache:
            applies = {package: Applies(*spec) for package, *spec in versions}
            self._applies_cache[key] = self._applies(applies, assume)
        return self._applies_cache[key]

    def open_packages(self, applies: Mapping[str, Applies]) -> set[str]:
        """The packages whose version would decide a rule's `applies`."""
        single = {
            package
            for package, spec in applies.items()
            if self._applies({package: spec}, False) is None
        }
        return single or set(applies)

    def _applies(self, applies: Mapping[str, Applies], assume: bool) -> Truth:
        candidates = self.candidates
        if assume and candidates and not self.placed:
            candidates = 1 << (candidates.bit_length() - 1)
        yes = maybe = -1
        for package, spec in applies.items():
            told = self._told(package, spec)
            if told is not None:
                truth = told[0]
                package_yes = -1 if truth is True else 0
                package_maybe = 0 if truth is False else -1
            elif self.foreign_version is not None:
                package_yes, package_maybe = 0, -1
            else:
                package_yes, package_maybe = spec.yes, spec.yes | spec.maybe
            yes &= package_yes
            maybe &= package_maybe
        if self.foreign_version is not None or not candidates:
            return True if yes == -1 else None if maybe else False
        if not candidates & maybe:
            return False
        return True if not candidates & ~yes else None

    def _told(self, package: str, spec: Applies) -> tuple[Truth] | None:
        """The answer that a told version or commit gives, if one was told."""
        pin = self.pins.get(package)
        if pin is None:
            return None
        if pin.version is None:
            return self._told_commit(pin, package, spec)
        if not spec.commits and package == self.releases.framework and not self.foreign_version:
            return None
        if self._is_pinned(package, pin.version):
            # What the release itself asks for: the answer was worked out when rules were built.
            return None
        from cfglint.target.versions import within

        inside = within(pin.version, spec.spec)
        # A version string alone cannot tell which of its builds is meant.
        return (None,) if inside and spec.commits else (inside,)

    def _told_commit(self, pin: Pin, package: str, spec: Applies) -> tuple[Truth] | None:
        commits = pin.commits or ((pin.commit,) if pin.commit else ())
        if commits and spec.commits:
            verdicts = {any(_same_commit(one, c) for c in spec.commits) for one in commits}
            return (verdicts.pop(),) if len(verdicts) == 1 else (None,)
        if not commits or (self.placed and package == self.releases.framework):
            return None
        return (None,)

    def _is_pinned(self, package: str, version: str) -> bool:
        if self.candidates.bit_count() != 1:
            return False
        stated = self.releases.pins[self.release].get(package)
        return stated == f"=={version}"


def _same_commit(one: str, other: str) -> bool:
    return one.startswith(other[: len(one)]) and other.startswith(one[: len(other)])


def _fits(pin: Pin, stated: str) -> bool:
    """Whether a pin goes with what a release asks for."""
    from cfglint.target.versions import surely_apart, within

    if pin.version is not None:
        return within(pin.version, stated)
    return pin.spec is None or not surely_apart(pin.spec, stated)


def build_target(
    releases: ReleaseInfo,
    *,
    pins: Iterable[str] = (),
    gpus: int | None = None,
    gpu: str | None = None,
    origin: str = "--target",
) -> Target:
    """A target from options or settings.

    Raises:
        TargetError: a pin or a GPU name cannot be understood.
    """
    found: dict[str, Pin] = {}
    for text in pins:
        package, pin = parse_pin(text, origin)
        if pin.commit is not None and package == releases.framework:
            pin = placed(pin)
        found[package] = pin
    facts: dict[str, Fact] = {}
    if gpus is not None:
        if gpus < 1:
            raise TargetError("the number of GPUs is at least 1")
        facts["gpus"] = Fact(gpus, "--gpus" if origin == "--target" else origin)
    if gpu is not None:
        from cfglint.target.hardware import gpu_facts

        facts.update(gpu_facts(gpu, "--gpu" if origin == "--target" else origin))
    return Target(releases, found, facts)
