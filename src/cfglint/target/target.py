"""The target: package versions and hardware, and which releases of the framework fit them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from cfglint.record import Record
from cfglint.rules.logic import UNKNOWN, Truth
from cfglint.rules.rule import Applies

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


class TargetError(ValueError):
    """A target that cannot be understood; the message says how to write it."""


class Pin(Record):
    """One package as the target has it."""

    version: str | None
    commit: str | None
    origin: str

    def __str__(self) -> str:
        return self.version or (self.commit or "")[:9]


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
    if not re.fullmatch(_VERSION, value, re.IGNORECASE):
        raise TargetError(
            f"{value!r} is no version of {package}; give one, such as {package}==1.2.3"
        )
    return package, Pin(value.removeprefix("v"), None, origin)


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
        self.candidates = self._candidates(own)
        #: Whether several releases fit, so that ordinary rules assume the newest of them.
        self.assumed = self.candidates.bit_count() > 1

    def _candidates(self, own: Pin | None) -> int:
        everything = (1 << len(self.releases.versions)) - 1
        if own is not None and own.version is not None:
            bit = self._bit(own.version)
            if bit is None:
                self.foreign_version = own.version
                return 0
            return 1 << bit
        others = {
            package: pin.version
            for package, pin in self.pins.items()
            if package != self.releases.framework and pin.version is not None
        }
        if not others:
            return everything
        mask = 0
        for bit, version in enumerate(self.releases.versions):
            stated = self.releases.pins[version]
            if all(
                package not in stated or _within(wanted, stated[package])
                for package, wanted in others.items()
            ):
                mask |= 1 << bit
        return mask or everything

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
        narrowed = self._narrowed.get(release)
        if narrowed is None:
            first = self.releases.versions.index(release)
            remaining = self.candidates & ~((1 << first) - 1)
            narrowed = self
            if remaining and remaining != self.candidates:
                narrowed = Target(self.releases, self.pins, self.facts)
                narrowed.candidates = remaining
            self._narrowed[release] = narrowed
        return narrowed

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
        if assume and candidates:
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
        if pin.commit is not None:
            if spec.commits:
                commit = pin.commit
                return (
                    any(
                        commit.startswith(c[: len(commit)]) and c.startswith(commit[: len(c)])
                        for c in spec.commits
                    ),
                )
            return (None,)
        assert pin.version is not None
        if not spec.commits and package == self.releases.framework and not self.foreign_version:
            return None
        inside = _within(pin.version, spec.spec)
        # A version string alone cannot tell which of its builds is meant.
        return (None,) if inside and spec.commits else (inside,)


def _within(version: str, spec: str) -> bool:
    from packaging.specifiers import SpecifierSet

    return SpecifierSet(spec, prereleases=True).contains(version.partition("+")[0])


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
