"""Versions and hardware of one run, and which releases of the framework fit them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cfglint.base.lazy import lazy_pattern
from cfglint.base.logic import UNKNOWN, Truth
from cfglint.base.type_names import Any
from cfglint.environment.fitting import (
    Fit,
    agreeing,
    beside,
    by_commit,
    by_day,
    excluded,
    fit,
    later_releases,
)
from cfglint.environment.going_with import beside_stated, going_with, those_without
from cfglint.environment.pins import Fact, Pin, in_development
from cfglint.environment.pythons import PYTHON, installable
from cfglint.knowledge.releases.applies import Applies
from cfglint.knowledge.releases.ranges import is_below, within
from cfglint.knowledge.releases.table import Releases
from cfglint.knowledge.releases.unlisted import Unlisted, known_release, unlisted

#: A day, or a month.
DAY = lazy_pattern(r"\d{4}-\d{2}(?:-\d{2})?")
#: So many of the versions that a release fits are named.
_SHOWN = 2
#: What decides whether something applies: package -> its versions.
AppliesTo = Mapping[str, Applies]


class Environment:
    """Versions and hardware for one run.

    A release of the framework is a candidate if it is compatible with every stated version. What
    applies to all candidates is known; what applies to some only is not. Ordinary rules assume the newest
    candidate; a rule with `if_undecided` does not.
    """

    def __init__(
        self,
        releases: Releases,
        pins: Mapping[str, Pin] | None = None,
        facts: Mapping[str, Fact] | None = None,
        *,
        as_of: str | None = None,
    ) -> None:
        self.releases = releases
        self.pins: dict[str, Pin] = dict(pins or {})
        self.facts: dict[str, Fact] = dict(facts or {})
        #: The day whose newest release is assumed where none is stated; None for today.
        self.as_of = as_of
        #: The releases of later days, which are as unknown as if they did not exist; none if one of
        #: them is stated.
        self.hidden = later_releases(releases, self.pins.get(releases.package), as_of)
        self._admitted: dict[tuple[Any, bool], Truth] = {}
        self._narrowed: dict[int, Environment] = {}
        self._others: dict[str, Environment] = {}
        own = self.pins.get(releases.package)
        if own is not None and own.version is not None and ".dev" in own.version:
            own = self.pins[releases.package] = in_development(own, releases)
        #: Set if the framework's own version is stated but is not a known release.
        self.foreign_version: str | None = None
        #: Whether the framework is a build between releases, so that none may be assumed.
        self.placed = False
        #: What the versions around the framework say of its release, where it is not stated itself.
        self.fit = Fit(0)
        self.candidates = self._candidates(own)
        #: Whether the release is not certain: several fit, so that ordinary rules assume the newest of
        #: them, or the evidence for the only one is weak.
        self.assumed = self.is_weak or (
            not self.placed and (self.candidates.bit_count() > 1 or self.fit.weak)
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Environment) and self.__getstate__() == other.__getstate__()

    def __hash__(self) -> int:
        return hash((self.releases.package, self.as_of))

    def __getstate__(self) -> dict[str, Any]:
        # What was computed is quickly computed again.
        return {**self.__dict__, "_admitted": {}, "_narrowed": {}, "_others": {}}

    def _candidates(self, own: Pin | None) -> int:
        everything = (1 << len(self.releases.versions)) - 1
        for version in self.hidden:
            everything &= ~(1 << self.releases.versions.index(version))
        fitting = installable(self.releases.package, self.releases.versions, self.facts)
        fitting &= going_with(self.releases.package, self.releases.versions, self.pins)
        everything = everything & fitting or everything
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
                return self._bits(dict.fromkeys(known))
        if own is not None and own.spec is not None:
            oldest = int(is_below(own.spec, self.releases.versions[0]))
            inside = self._in_range(own.spec)
            everything = (inside & everything) or inside or oldest or everything
        others = {
            package: pin
            for package, pin in self.pins.items()
            if package != self.releases.package and (pin.version or pin.spec) is not None
        }
        if others:
            self.fit = fit(self.releases, others, everything)
        return self.fit.releases or everything

    def _in_range(self, spec: str) -> int:
        return self._bits(one for one in self.releases.versions if within(one, spec))

    def _bits(self, versions: Iterable[str]) -> int:
        return sum(1 << self.releases.versions.index(one) for one in versions)

    def _bit(self, version: str) -> int | None:
        known = known_release(version, self.releases)
        return None if known is None else self.releases.versions.index(known)

    @property
    def is_beyond(self) -> bool:
        """Whether the framework is a build behind the newest known release, or of a commit with no known place."""
        own = self.pins.get(self.releases.package)
        if own is None or own.version is not None:
            return False
        return own.between[1] is None if own.between is not None else own.commit is not None

    def fork_of(self, package: str) -> Pin | None:
        """The fork of a package that the project installs."""
        pin = self.pins.get(package)
        return pin if pin is not None and pin.fork else None

    def is_fork(self) -> bool:
        """Whether a fork of the framework runs of which nothing says from which release it is made."""
        own = self.fork_of(self.releases.package)
        return own is not None and own.version is None

    @property
    def release(self) -> str:
        """The release that ordinary rules are checked against."""
        if self.foreign_version is not None:
            return self.foreign_version
        return self.releases.versions[self.candidates.bit_length() - 1]

    @property
    def release_origin(self) -> str:
        """Where the release is known from, in words."""
        own = self.pins.get(self.releases.package)
        if own is not None and (own.version is not None or self.placed):
            return own.origin
        if self.fit.against:
            agree = self.fit.compared - len(self.fit.against)
            against = ", ".join(f"{name} {self.pins[name]}" for name in self.fit.against)
            return f"fits {agree} of the {self.fit.compared} stated versions, not {against}"
        if self.candidates.bit_count() == 1 and self.fit.releases and not self.fit.vague:
            return "implied by " + ", ".join(
                f"{name}{'' if pin.spec else '=='}{pin}"
                for name, pin in self.pins.items()
                if name != self.releases.package
            )
        python = self.facts.get(PYTHON)
        without = those_without(self.releases.package, self.newest, self.pins)
        if self.release != self.newest and without:
            named = " and ".join(f"{name} {self.pins[name]}" for name in without[:_SHOWN])
            return f"the newest that goes with {named}"
        if self.release != self.newest and python is not None:
            return f"the newest that fits Python {python.value}, {python.origin}"
        if self.release != self.newest:
            return " ".join(filter(None, ("the newest that fits", self._fitted())))
        return f"the newest as of {self.as_of}" if self.hidden else "the newest known"

    def _fitted(self) -> str:
        """The stated versions that the newest release would not go with, in words."""
        asked = self.releases.pins.get(self.newest, {})
        names = [name for name in self.pins if name in asked and name != self.releases.package]
        shown = [f"{name} {self.pins[name]}" for name in names[:_SHOWN]]
        more = len(names) - len(shown)
        return " and ".join(shown) + (f" and {more} more" if more > 0 else "")

    @property
    def newest(self) -> str:
        """The newest release of the day that counts."""
        if not self.hidden:
            return self.releases.newest
        return [one for one in self.releases.versions if one not in self.hidden][-1]

    def unlisted(self) -> dict[str, Unlisted]:
        """Package -> the doubt about its version, for those that are not a known release."""
        stated = ((name, pin.version) for name, pin in self.pins.items() if pin.version is not None)
        found = ((name, unlisted(name, version)) for name, version in stated)
        return {name: doubt for name, doubt in found if doubt is not None}

    @property
    def is_unstated(self) -> bool:
        """Whether the newest release is assumed, or the newest that goes with other stated packages."""
        own = self.pins.get(self.releases.package)
        is_bound = bool(those_without(self.releases.package, self.newest, self.pins))
        return self.is_newest_by_default or (self.assumed and own is None and is_bound)

    @property
    def is_newest_by_default(self) -> bool:
        """Whether the newest known release is assumed because no other is stated."""
        own = self.pins.get(self.releases.package)
        is_open = own is None or own.inferred
        return self.assumed and is_open and self.release == self.newest

    def contradicting(self) -> dict[str, str]:
        """Package -> what the stated release asks for, of the versions that are stated otherwise.

        Only what options and settings state: a project's files are examined where they are.
        """
        own = self.pins.get(self.releases.package)
        if own is None or own.version is None or own.in_project or self.foreign_version:
            return {}
        stated = {name: pin for name, pin in self.pins.items() if not pin.in_project}
        return excluded(self.releases, self.release, stated)

    def excluding(self) -> dict[str, str]:
        """Package -> what the assumed release asks for, of the stated versions that it does not admit."""
        if not self.assumed or self.foreign_version is not None:
            return {}
        return excluded(self.releases, self.release, self.pins)

    def beside(self, package: str, usual: str, releases: Iterable[str]) -> str:
        """The version of another package: the stated one, or the usual one where what is stated admits it.

        Args:
            usual: the one that comes with the framework's release.
            releases: the known ones, the oldest first.
        """
        known, usual = beside_stated(package, usual, list(releases), self.facts, self.pins)
        if self.hidden:
            known = by_day(package, known, str(self.as_of))
            usual = usual if usual in known else known[-1]
        return beside(package, usual, known, self.pins)

    def fact(self, name: str) -> Any:
        """A hardware fact, `UNKNOWN` if it is not stated."""
        found = self.facts.get(name)
        return UNKNOWN if found is None else found.value

    @property
    def is_weak(self) -> bool:
        """Whether the evidence for a version is weak."""
        return any(pin.weak for pin in self.pins.values())

    def without_weak(self) -> Environment:
        """This environment as it is without weak evidence."""
        if "" not in self._others:
            pins = {name: pin for name, pin in self.pins.items() if not pin.weak}
            self._others[""] = Environment(self.releases, pins, self.facts, as_of=self.as_of)
        return self._others[""]

    def at_least(self, release: str | None) -> Environment:
        """This environment without the candidates before a release, where it leaves that open."""
        first = 0 if release is None else self.releases.versions.index(release)
        return self._narrowed_to(-1 << first)

    def at_most(self, release: str | None) -> Environment:
        """This environment without the candidates after a release, where it leaves that open."""
        last = self.releases.versions.index(release or self.releases.versions[-1])
        return self._narrowed_to((2 << last) - 1)

    def _narrowed_to(self, shown: int) -> Environment:
        """This environment with the candidates that a file itself shows, unless they exclude all."""
        narrowed = self._narrowed.get(shown) if self.assumed else self
        if narrowed is None:
            # What the file itself shows outweighs versions that fit other releases by chance.
            others = (1 << len(self.releases.versions)) - 1 if self.fit.vague else 0
            narrowed, remaining = self, self.candidates & shown or others & shown
            if remaining not in (0, self.candidates):
                pins = agreeing(self.releases, remaining, self.pins)
                narrowed = Environment(self.releases, pins, self.facts, as_of=self.as_of)
                # Of the releases that a file shows, those that the versions around them fit.
                narrowed.candidates = narrowed.fit.releases & remaining or remaining
            self._narrowed[shown] = narrowed
        return narrowed

    def at(self, release: str) -> Environment:
        """This environment with one release of the framework, as if a file of the project stated that."""
        if release not in self._others:
            self._others[release] = self._at(release)
        return self._others[release]

    def _at(self, release: str) -> Environment:
        package = self.releases.package
        pins = {**self.pins, package: Pin(release, None, "as if it was stated", in_project=True)}
        found = Environment(self.releases, pins, self.facts, as_of=self.as_of)
        found.candidates, found.assumed = 1 << self.releases.versions.index(release), False
        return found

    def applies(self, applies: AppliesTo, *, assume: bool) -> Truth:
        """Whether a rule's releases are this environment's.

        Args:
            applies: the compiled `applies` of a rule.
            assume: take the newest candidate when several fit.
        """
        return self._applies(applies, assume) if applies else True

    def release_before_has(self, applies: AppliesTo) -> bool:
        """Whether the target is a build between two releases, and the earlier one is among a rule's.

        Builds that a rule lists by their commits are not meant.
        """
        if not self.placed or any(spec.commits for spec in applies.values()):
            return False
        before = self.candidates & -self.candidates
        return all(
            (answer[0] is True) if (answer := self._by_pin(package, spec)) else before & spec.yes
            for package, spec in applies.items()
        )

    def admits(self, versions: tuple[tuple[Any, ...], ...], *, assume: bool) -> Truth:
        """The same for rows of package, specifier, yes mask, maybe mask, as conditions have them."""
        key = (versions, assume)
        if key not in self._admitted:
            applies = {package: Applies(*spec) for package, *spec in versions}
            self._admitted[key] = self.applies(applies, assume=assume)
        return self._admitted[key]

    def open_packages(self, applies: AppliesTo) -> set[str]:
        """The packages whose version would decide a rule's `applies`."""
        single = {
            package
            for package, spec in applies.items()
            if self._applies({package: spec}, False) is None
        }
        return single or set(applies)

    def _applies(self, applies: AppliesTo, assume: bool) -> Truth:
        candidates = self.candidates
        if assume and candidates and not self.placed and not self.is_fork():
            candidates = 1 << (candidates.bit_length() - 1)
        yes = maybe = -1
        for package, spec in applies.items():
            answer = self._by_pin(package, spec)
            if answer is not None:
                package_yes = -1 if answer[0] is True else 0
                package_maybe = 0 if answer[0] is False else -1
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

    def _by_pin(self, package: str, spec: Applies) -> tuple[Truth] | None:
        """(whether the stated version or commit of a package is in a range,); None if none is stated.

        Also None where the release of the framework itself decides.
        """
        pin = self.pins.get(package)
        if pin is None:
            return None
        if pin.version is None:
            is_placed = self.placed and package == self.releases.package
            return by_commit(pin, spec, is_placed=is_placed)
        if not spec.commits and package == self.releases.package and not self.foreign_version:
            return None
        if self._is_pinned(package, pin.version):
            # What the release itself asks for: the answer was computed when rules were built.
            return None
        inside = within(pin.version, spec.spec)
        # A version string alone cannot tell which of its builds is meant.
        return (None,) if inside and spec.commits else (inside,)

    def _is_pinned(self, package: str, version: str) -> bool:
        if self.candidates.bit_count() != 1:
            return False
        stated = self.releases.pins[self.release].get(package)
        return stated == f"=={version}"
