"""Findings that rest on an assumed release: the project leaves it open, and an older one is not affected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta

from cfglint.diagnostic import Diagnostic, SeverityName
from cfglint.environment.environment import Environment
from cfglint.environment.fitting import excluded
from cfglint.environment.pins import Pin
from cfglint.knowledge.marks import all_marks
from cfglint.knowledge.releases.ranges import within
from cfglint.knowledge.releases.table import known_releases, releases_of

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
#: How long before the newest release a file may have been written, so that it is not out of date: 18 months.
_DAYS = 548
#: How long before a commit packages that nothing states may have been installed: 4 months.
_INSTALLED_BEFORE = 122


def old_release(target: Environment) -> Environment | None:
    """The environment with the oldest release that a file may be written for; None if that is the assumed one."""
    if not target.assumed:
        return None
    if target.is_weak:
        # What nothing states may as well be what is assumed without it.
        return target.without_weak()
    own = target.pins.get(target.releases.package)
    # A commit that is known nowhere may be of any time.
    first = "" if own is not None and own.is_lost else _long_before(target, target.release)
    dates = target.releases.dates
    oldest = next((one for one in _open_releases(target) if dates[one] >= first), target.release)
    return None if oldest == target.release else target.at(oldest)


def release_of_day(target: Environment, day: str, *, recent: bool = False) -> Environment | None:
    """The environment with the newest release of a day, of those that it leaves open.

    Args:
        day: YYYY-MM-DD.
        recent: a day that is not long ago counts, too.

    Returns:
        None if the day is not long ago, or if the release is the assumed one anyway.
    """
    if not recent and day >= _long_before(target, target.newest):
        return None
    versions, dates = _open_releases(target), target.releases.dates
    then = next((one for one in reversed(versions) if dates[one] <= day), versions[0])
    return None if then == target.release else _of_day(target, day).at(then)


def _of_day(target: Environment, day: str) -> Environment:
    """An environment in which packages that nothing states are no newer than some time before a day."""
    pins = dict(target.pins)
    day = (date.fromisoformat(day) - timedelta(_INSTALLED_BEFORE)).isoformat()
    for marks in all_marks():
        stated = pins.get(marks.package)
        if marks.package == target.releases.package or not (stated is None or stated.dated):
            continue
        releases = releases_of(marks.package)
        known = [one for one in releases.versions if releases.dates[one] <= day]
        newest = known[-1] if known else releases.versions[0]
        spec = f"<={newest}"
        if stated is not None and stated.spec is not None:
            if not within(newest, stated.spec):
                continue
            spec = f"{stated.spec},{spec}"
        pins[marks.package] = Pin(None, None, "the day of the last commit", spec, inferred=True)
    return Environment(target.releases, pins, target.facts, as_of=target.as_of)


def _open_releases(target: Environment) -> list[str]:
    versions = enumerate(target.releases.versions)
    return [version for bit, version in versions if target.candidates >> bit & 1]


def _long_before(target: Environment, release: str) -> str:
    """The day that divides what is old from what is not where a release is the newest one, YYYY-MM-DD."""
    return _days_before(target.releases.dates[release])


def _days_before(day: str) -> str:
    return (date.fromisoformat(day) - timedelta(_DAYS)).isoformat()


def older_companion(target: Environment, packages: Iterable[str]) -> Environment | None:
    """The environment with the oldest releases of packages beside a stated framework; None if none of them is open.

    Where one is stated, even as a range, an installer decides on the release. Of one that only imports show, or
    nothing, any may be there that goes with the others and is not long out of date.
    """
    pins = dict(target.pins)
    for package in packages:
        stated, known = pins.get(package), known_releases(package)
        if known is None or package == target.releases.package:
            continue
        if stated is not None and not (stated.inferred and stated.version is None):
            continue
        spec = None if stated is None else stated.spec
        fitting = [
            one
            for one in known.versions
            if (spec is None or within(one, spec)) and not excluded(known, one, target.pins)
        ]
        if fitting:
            first = _days_before(known.dates[fitting[-1]])
            oldest = next(one for one in fitting if known.dates[one] >= first)
            pins[package] = Pin(oldest, None, "as if it was stated", implied=True)
    if pins == target.pins:
        return None
    return Environment(target.releases, pins, target.facts, as_of=target.as_of)


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


def only_if_certain(
    found: list[Diagnostic],
    target: Environment,
    title: str,
    day: str | None,
    is_installed: Callable[[], bool],
    check: Callable[[Environment], list[Diagnostic]],
    packages: Callable[[Diagnostic], Iterable[str]] = lambda one: (),
) -> list[Diagnostic]:
    """The findings, those less severe that the assumed release alone has.

    Errors have to hold in the releases of a year and a half. Where the file was last changed before that, they
    and warnings have to hold in the release of that time, and become one step less severe otherwise. If nothing
    installs the framework either, no one who follows the project gets a later release: they become notes.

    Args:
        title: the framework's.
        day: of the last change of the file, YYYY-MM-DD; None if that is unknown.
        is_installed: whether the project installs the framework, in any release.
        check: the findings of the same document with another target.
        packages: those whose releases the rule of a finding is about.
    """
    then, lowered = _lowered(target, day, is_installed)
    out = _as_certain_as(then, lowered, found, target, title, day, check, packages)
    if then is not None and day is not None and day >= _long_before(target, target.newest):
        # Not long ago other releases than that of the day ran as well.
        return _as_certain_as(None, _MILDER_ERRORS, out, target, title, None, check, packages)
    return out


def _as_certain_as(
    then: Environment | None,
    lowered: dict[SeverityName, SeverityName],
    found: list[Diagnostic],
    target: Environment,
    title: str,
    day: str | None,
    check: Callable[[Environment], list[Diagnostic]],
    packages: Callable[[Diagnostic], Iterable[str]],
) -> list[Diagnostic]:
    """The findings, those less severe that are not found with the release of a day, or with an old one.

    Args:
        then: the environment of the day; None for an old release.
        lowered: what becomes of their severities.
    """
    if not any(one.severity in lowered for one in found):
        return found
    older = then or old_release(target)
    if older is None:
        return found
    there = check(older)
    if lowered is _NOTES and day is not None and day < min(target.releases.dates.values()):
        # What the keys and values of releases before all known ones were is not known.
        there = [one for one in there if not one.code.startswith(_OF_TABLES)]
    certain = set(_certain_places(there))

    def is_certain(one: Diagnostic) -> bool:
        return not certain.isdisjoint((_place(one), _place(one, one.code)))

    own = target.pins.get(target.releases.package)
    if target.is_fork() or (then is not None and own is not None and own.is_lost):
        # What the newest release alone refuses says nothing of a fork, or of a commit that was there on the day.
        return [one for one in found if one.severity not in lowered or is_certain(one)]
    release = older.release if then is None or day is None else _release_then(then, day)

    def weighed(one: Diagnostic) -> Diagnostic:
        own = one.severity
        if own not in lowered or is_certain(one):
            return one
        stated = states_it(one.message)
        if stated and own == "warning" and lowered is not _NOTES:
            return one
        doubt = ""
        if not stated:
            doubt = f" {doubt_of(target, title, release, _KINDS[own], packages(one))}"
        return one.replaced(
            severity=lowered[own], own_severity=one.rule_severity, message=one.message + doubt
        )

    return [weighed(one) for one in found]


def only_if_companions_agree(
    found: list[Diagnostic],
    target: Environment,
    title: str,
    check: Callable[[Environment], list[Diagnostic]],
    packages: Callable[[Diagnostic], Iterable[str]],
) -> list[Diagnostic]:
    """The findings beside a stated release of the framework; what hangs on a package that nothing states is a warning.

    Args:
        title: the framework's.
        check: the findings of the same document with another target.
        packages: those whose releases the rule of a finding is about.
    """
    about = {name for one in found if one.severity == "error" for name in packages(one)}
    older = older_companion(target, sorted(about))
    if older is None:
        return found
    certain = set(_certain_places(check(older)))

    def weighed(one: Diagnostic) -> Diagnostic:
        if one.severity != "error" or not certain.isdisjoint((_place(one), _place(one, one.code))):
            return one
        doubt = doubt_of(target, title, target.release, _KINDS["error"], packages(one))
        return one.replaced(
            severity="warning", own_severity=one.rule_severity, message=f"{one.message} {doubt}"
        )

    return [weighed(one) for one in found]


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


def _lowered(
    target: Environment, day: str | None, is_installed: Callable[[], bool]
) -> tuple[Environment | None, dict[SeverityName, SeverityName]]:
    """The environment of the last change, if that decides; and what becomes of the severities of what it does not have."""
    if day is None or target.is_weak:
        # A file that tells what was installed says more than the day of a commit.
        return None, _MILDER_ERRORS
    is_left = not is_installed()
    then = release_of_day(target, day, recent=is_left)
    if then is None:
        return None, _MILDER_ERRORS
    return then, _NOTES if is_left else _MILDER


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
