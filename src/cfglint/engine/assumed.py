"""Errors that rest on an assumed release: where the project leaves it open and an older one takes the file."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.diagnostic import Diagnostic
from cfglint.environment.environment import Environment

#: How long before the newest release a file may have been written, so that it is not out of date: 18 months.
_DAYS = 548


def only_if_certain(
    found: list[Diagnostic],
    target: Environment,
    title: str,
    check: Callable[[Environment], list[Diagnostic]],
) -> list[Diagnostic]:
    """The findings, those as warnings that are errors with the assumed release alone.

    Args:
        title: the framework's.
        check: the findings of the same document with another target.
    """
    if not any(one.severity == "error" for one in found):
        return found
    older = target.as_old_as(_DAYS)
    if older is None:
        return found
    certain: set[tuple[str, ...]] = set()
    for one in check(older):
        if one.severity != "note":
            certain.add(_place(one, one.code))
        if one.severity == "error":
            # It refuses the same for another reason.
            certain.add(_place(one))

    def is_certain(one: Diagnostic) -> bool:
        return not certain.isdisjoint((_place(one), _place(one, one.code)))

    if target.is_fork():
        # What the newest release alone refuses says nothing of a fork.
        return [one for one in found if one.severity != "error" or is_certain(one)]
    doubt = f" {_why(target)}, and with {title} {older.release} there is no such error."
    return [
        one.replaced(severity="warning", own_severity="error", message=_with(doubt, one.message))
        if one.severity == "error" and not is_certain(one)
        else one
        for one in found
    ]


def _why(target: Environment) -> str:
    """Why an older release may run, in words."""
    package = target.releases.package
    stated = target.pins.get(package)
    if stated is not None and stated.is_lost:
        return f"No release is known for the commit {stated} ({stated.origin})"
    if stated is not None and stated.spec is not None and not stated.inferred:
        return f"`{package}{stated.spec}` leaves the release open ({stated.origin})"
    return "No file states the release"


def _place(found: Diagnostic, *code: str) -> tuple[str, ...]:
    """Where a finding is."""
    return (found.file.path if found.file else "", str(found.span.start), *code)


def _with(doubt: str, message: str) -> str:
    """A message with the doubt, unless it says by itself since when there is such an error."""
    return message if " and later refuse " in message else message + doubt
