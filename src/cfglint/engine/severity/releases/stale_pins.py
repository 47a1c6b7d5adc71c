"""Pins that a project's files contradict: with so many keys of later releases, another release runs."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.diagnostic import Diagnostic
from cfglint.engine.file_report import FileReport
from cfglint.environment.environment import Environment
from cfglint.environment.pins import Pin

#: The check of keys that the stated release does not have yet.
_LATER = "key-of-later-release"
#: Files that state what was once installed, or asked for, and stay when another release is installed by hand.
_LEFT_BEHIND = (".lock", "pipfile.lock", "pyproject.toml", "setup.cfg", "setup.py")
#: So many keys, and so many files, are no slip.
_MANY = 2


def outweighed(files: list[FileReport]) -> list[FileReport]:
    """The reports with one finding about a stale pin in the place of those that follow from it.

    A lock file, or what a package once asked for, is easily forgotten at an upgrade. Two keys of later releases
    in two files show it.
    """
    rows: dict[str, list[tuple[int, Diagnostic]]] = {}
    for number, report in enumerate(files):
        for found in report.diagnostics:
            if found.name == _LATER and found.severity != "note":
                origin = _origin(found, report)
                if origin:
                    rows.setdefault(origin, []).append((number, found))
    out = list(files)
    for origin, found_in in rows.items():
        keys = list(dict.fromkeys(str(found.path[-1]) for _, found in found_in if found.path))
        numbers = {number for number, _ in found_in}
        if len(keys) < _MANY or len(numbers) < _MANY:
            continue
        joined = _joined(origin, keys, len(numbers), found_in[0][1])
        dropped = {id(found) for _, found in found_in}
        for number in sorted(numbers):
            kept = tuple(one for one in files[number].diagnostics if id(one) not in dropped)
            first = (joined,) if number == found_in[0][0] else ()
            out[number] = out[number].replaced(diagnostics=first + kept)
    return out


def is_contradicted(found: list[Diagnostic], target: Environment) -> bool:
    """Whether a file has keys of later releases than a pin states that is easily left behind."""
    pin = target.pins.get(target.releases.package)
    return (
        pin is not None
        and _is_left_behind(pin)
        and any(one.name == _LATER and one.severity != "note" for one in found)
    )


def without_consequences(
    found: list[Diagnostic],
    releases: list[Environment],
    check: Callable[[Environment], list[Diagnostic]],
) -> list[Diagnostic]:
    """The findings without those that follow from a pin which the file contradicts.

    Args:
        releases: of which one may run; what is not found with each of them is no more than a consequence.
        check: the findings of the same document with another target.
    """
    others = [{(one.code, one.span) for one in check(target)} for target in releases]
    return [
        one
        for one in found
        if one.name == _LATER
        or one.severity == "note"
        or all((one.code, one.span) in places for places in others)
    ]


def _is_left_behind(pin: Pin) -> bool:
    return bool(pin.version) and pin.path.lower().endswith(_LEFT_BEHIND)


def _origin(found: Diagnostic, report: FileReport) -> str:
    """The version and the place of the pin that a finding follows from; empty if it is not one that is left behind."""
    for package, pin in report.target.pins.items():
        if _is_left_behind(pin) and f"({pin.origin})" in found.message:
            return f"{package} {pin.version} ({pin.origin})"
    return ""


def _joined(origin: str, keys: list[str], files: int, first: Diagnostic) -> Diagnostic:
    named = f"`{keys[0]}` and {'another key' if len(keys) == 2 else f'{len(keys) - 1} other keys'}"
    return first.replaced(
        severity="warning",
        message=(
            f"{named} in {files} files exist only in releases after {origin}. If that one runs, take them out;"
            " otherwise state the release that does."
        ),
        cost="",
        related=(),
        fixes=(),
        upstream="silent",
    )
