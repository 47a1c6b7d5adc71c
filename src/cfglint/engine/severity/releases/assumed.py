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
    if then is not None and day is not None and day >= long_before(target, target.newest):
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
    places = set(_certain_places(there))
    own = target.pins.get(target.releases.package)
    if target.is_fork() or (then is not None and own is not None and own.is_lost):
        # What the newest release alone refuses says nothing of a fork, or of a commit that was there on the day.
        return [one for one in found if one.severity not in lowered or _is_at(one, places)]
    release = older.release if then is None or day is None else _release_then(then, day)

    def doubt(one: Diagnostic) -> str | None:
        if not states_it(one.message):
            return doubt_of(target, title, release, _KINDS[one.severity], packages(one))
        return None if one.severity == "warning" and lowered is not _NOTES else ""

    return _milder(found, places, lowered, doubt)


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

    def doubt(one: Diagnostic) -> str:
        return doubt_of(target, title, target.release, _KINDS["error"], packages(one))

    return _milder(found, set(_certain_places(check(older))), {"error": "warning"}, doubt)


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
