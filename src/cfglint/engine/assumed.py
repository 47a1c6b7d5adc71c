"""Findings that rest on an assumed release: the project leaves it open, and an older one is not affected."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.diagnostic import Diagnostic
from cfglint.environment.environment import Environment

#: How long before the newest release a file may have been written, so that it is not out of date: 18 months.
_DAYS = 548


def old_release(target: Environment) -> Environment | None:
    """The environment with the oldest release that a file may be written for; None if that is the assumed one."""
    return target.as_old_as(_DAYS) if target.assumed else None


def doubt_of(target: Environment, title: str, release: str, kind: str) -> str:
    """The sentence that says which release is not affected."""
    stated = target.pins.get(target.releases.package)
    unknown = (
        f"No release is known for the commit {stated} ({stated.origin})"
        if stated is not None and stated.is_lost
        else "No file states the release"
    )
    return f"{unknown}, and with {title} {release} there is no such {kind}."


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
    older = old_release(target)
    if older is None:
        return found
    certain: set[tuple[str, ...]] = set()
    for one in check(older):
        if one.severity != "note":
            certain.add(_place(one, one.code))
        if one.severity == "error":
            # It refuses the same for another reason.
            certain.add(_place(one))
    doubt = " " + doubt_of(target, title, older.release, "error")
    return [
        one.replaced(severity="warning", own_severity="error", message=_with(doubt, one.message))
        if one.severity == "error" and certain.isdisjoint((_place(one), _place(one, one.code)))
        else one
        for one in found
    ]


def _place(found: Diagnostic, *code: str) -> tuple[str, ...]:
    """Where a finding is."""
    return (found.file.path if found.file else "", str(found.span.start), *code)


def _with(doubt: str, message: str) -> str:
    """A message with the doubt, unless it says by itself since when there is such an error."""
    return message if " and later refuse " in message else message + doubt
