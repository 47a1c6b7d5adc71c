"""Findings that rest on an assumed release: the project leaves it open, and an older one is not affected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from cfglint.diagnostic import Diagnostic, SeverityName
from cfglint.engine.severity.releases.older import (
    long_before,
    old_release,
    older_companion,
    release_of_day,
)
from cfglint.environment.environment import Environment

#: One step less severe.
_MILDER: dict[SeverityName, SeverityName] = {"error": "warning", "warning": "note"}
_MILDER_ERRORS: dict[SeverityName, SeverityName] = {"error": "warning"}
_NOTES: dict[SeverityName, SeverityName] = {"error": "note", "warning": "note"}
#: Rules that go by the tables of a release.
_OF_TABLES = ("KEY", "TYP")
_UNSTATED = "No file states the release"
_KINDS = {"error": "error", "warning": "problem"}
#: How the checks of keys say that a finding is about some releases.
_OF_LATER_RELEASES = (
    *(" and later refuse ", " or a later one runs", " admits that release"),
    " without an upper bound (",
)


def states_it(message: str) -> bool:
    """Whether a message says by itself which releases it is about."""
    return any(words in message for words in _OF_LATER_RELEASES)


def doubt_of(
    target: Environment, title: str, release: str, kind: str, packages: Iterable[str] = ()
) -> str:
    """The sentence that says for which release a finding is not established.

    That a rule begins at a release does not show that an earlier one is without the problem.

    Args:
        packages: those whose releases the rule is about.
    """
    # What comes with a release, or is stated, is not open.
    stated = {name for name, pin in target.pins.items() if not pin.inferred}
    known = {target.releases.package, *stated, *target.releases.pins.get(release, ())}
    others = [one for one in packages if one not in known]
    if others and _why(target) == _UNSTATED:
        named = " and ".join(others)
        options = " ".join(f"--target {one}==VERSION" for one in others)
        return (
            f"No file states the release of {named} ({options} does), and the one beside {title} {release} is not"
            f" known to have this {kind}."
        )
    own = target.pins.get(target.releases.package)
    if target.is_weak and not (own is not None and own.weak):
        return f"{_why(target)}."
    return f"{_why(target)}, and {title} {release} is not known to have this {kind}."


class OtherReleases:
    """What becomes of the findings in a document that other releases do not have.

    Args:
        target: the environment with which they are found.
        title: the framework's.
        check: the findings of the same document with another target.
        packages: those whose releases the rule of a finding is about.
    """

    def __init__(
        self,
        target: Environment,
        title: str,
        check: Callable[[Environment], list[Diagnostic]],
        packages: Callable[[Diagnostic], Iterable[str]],
    ) -> None:
        self._target = target
        self._title = title
        self._check = check
        self._packages = packages

    def milder_unless_certain(
        self, found: list[Diagnostic], day: str | None, is_installed: Callable[[], bool]
    ) -> list[Diagnostic]:
        """The findings, those less severe that the assumed release alone has.

        Errors have to hold in the releases of a year and a half. Where the file was last changed before that, they
        and warnings have to hold in the release of that time, and become one step less severe otherwise. If nothing
        installs the framework either, no one who follows the project gets a later release: they become notes.

        Args:
            day: of the last change of the file, YYYY-MM-DD; None if that is unknown.
            is_installed: whether the project installs the framework, in any release.
        """
        target = self._target
        if day is None or target.is_weak:
            # A file that tells what was installed says more than the day of a commit.
            return self._unless_in_old_release(found)
        is_left = not is_installed()
        then = release_of_day(target, day, recent=is_left)
        if then is None:
            return self._unless_in_old_release(found)
        found = self._unless_on_day(found, then, day, _NOTES if is_left else _MILDER)
        # Not long ago other releases than that of the day ran as well.
        is_recent = day >= long_before(target, target.newest)
        return self._unless_in_old_release(found) if is_recent else found

    def that_hold_in(self, older: Environment, found: list[Diagnostic]) -> list[Diagnostic]:
        """The findings, without the errors and warnings that an older environment, which a file is for, does not have."""
        places = set(_certain_places(self._check(older)))
        return [
            one
            for one in found
            if one.severity not in _MILDER or states_it(one.message) or _is_at(one, places)
        ]

    def milder_unless_companions_agree(self, found: list[Diagnostic]) -> list[Diagnostic]:
        """The findings beside a stated framework; what hangs on a package that nothing states is a warning."""
        about = {name for one in found if one.severity == "error" for name in self._packages(one)}
        older = older_companion(self._target, sorted(about))
        if older is None:
            return found

        def doubt(one: Diagnostic) -> str:
            return self._doubt(one, self._target.release)

        return _milder(found, set(_certain_places(self._check(older))), _MILDER_ERRORS, doubt)

    def _unless_in_old_release(self, found: list[Diagnostic]) -> list[Diagnostic]:
        """The findings, with warnings for errors that an old release, which a file may be written for, does not have."""
        is_any = any(one.severity in _MILDER_ERRORS for one in found)
        older = old_release(self._target) if is_any else None
        if older is None:
            return found
        places = set(_certain_places(self._check(older)))
        if self._target.is_fork():
            return _without(found, places, _MILDER_ERRORS)

        def doubt(one: Diagnostic) -> str:
            return "" if states_it(one.message) else self._doubt(one, older.release)

        return _milder(found, places, _MILDER_ERRORS, doubt)

    def _unless_on_day(
        self,
        found: list[Diagnostic],
        then: Environment,
        day: str,
        lowered: dict[SeverityName, SeverityName],
    ) -> list[Diagnostic]:
        """The findings, those less severe that are not found with the release of a day.

        Args:
            then: the environment of the day.
            lowered: what becomes of their severities.
        """
        if not any(one.severity in lowered for one in found):
            return found
        there = self._check(then)
        if lowered is _NOTES and day < min(self._target.releases.dates.values()):
            # What the keys and values of releases before all known ones were is not known.
            there = [one for one in there if not one.code.startswith(_OF_TABLES)]
        places = set(_certain_places(there))
        own = self._target.pins.get(self._target.releases.package)
        if self._target.is_fork() or (own is not None and own.is_lost):
            return _without(found, places, lowered)
        release = _release_then(then, day)

        def doubt(one: Diagnostic) -> str | None:
            if not states_it(one.message):
                return self._doubt(one, release)
            return None if one.severity == "warning" and lowered is not _NOTES else ""

        return _milder(found, places, lowered, doubt)

    def _doubt(self, found: Diagnostic, release: str) -> str:
        """The sentence that says for which release a finding is not established."""
        kind = _KINDS[found.severity]
        return doubt_of(self._target, self._title, release, kind, self._packages(found))


def _without(
    found: list[Diagnostic],
    places: set[tuple[str, ...]],
    lowered: dict[SeverityName, SeverityName],
) -> list[Diagnostic]:
    """The findings, of some severities those alone that are in another environment as well.

    What the newest release alone refuses says nothing of a fork, or of a commit that was there on the day.
    """
    return [one for one in found if one.severity not in lowered or _is_at(one, places)]


def _milder(
    found: list[Diagnostic],
    places: set[tuple[str, ...]],
    lowered: dict[SeverityName, SeverityName],
    doubt: Callable[[Diagnostic], str | None],
) -> list[Diagnostic]:
    """The findings, those of some severities less severe that are not in other environments as well.

    Args:
        places: of what is found in the others.
        doubt: the sentence that says in which one a finding is not known to hold; None for one that stays.
    """

    def weighed(one: Diagnostic) -> Diagnostic:
        reason = doubt(one) if one.severity in lowered and not _is_at(one, places) else None
        if reason is None:
            return one
        return one.replaced(
            severity=lowered[one.severity],
            own_severity=one.rule_severity,
            message=f"{one.message} {reason}".rstrip(),
        )

    return [weighed(one) for one in found]


def _is_at(found: Diagnostic, places: set[tuple[str, ...]]) -> bool:
    """Whether a finding, or a refusal for another reason, is among those at some places."""
    return not places.isdisjoint((_place(found), _place(found, found.code)))


def _certain_places(found: list[Diagnostic]) -> Iterator[tuple[str, ...]]:
    """The places of what an older release has as well."""
    for one in found:
        if one.severity != "note":
            yield _place(one, one.code)
        if one.severity == "error":
            # It refuses the same for another reason.
            yield _place(one)


def _release_then(then: Environment, day: str) -> str:
    """The release of the last change, in words."""
    is_later = then.releases.dates[then.release] > day
    place = "the oldest known" if is_later else f"the newest at the last commit ({day})"
    return f"{then.release}, {place},"


def _why(target: Environment) -> str:
    """Why an older release may run, in words."""
    package = target.releases.package
    stated = target.pins.get(package)
    weak = next((name for name, pin in target.pins.items() if pin.weak), None)
    if weak is not None:
        named = package if stated is not None and stated.weak else weak
        return f"No file states the release of {named} for this run ({target.pins[named].origin})"
    if stated is not None and stated.is_lost:
        if not stated.commit:
            return f"No file states the release of the submodule ({stated.origin})"
        return f"No release is known for the commit {stated} ({stated.origin})"
    if stated is not None and stated.spec is not None and not stated.inferred:
        return f"`{package}{stated.spec}` leaves the release open ({stated.origin})"
    return _UNSTATED


def _place(found: Diagnostic, *code: str) -> tuple[str, ...]:
    """Where a finding is."""
    return (found.file.path if found.file else "", str(found.span.start), *code)
