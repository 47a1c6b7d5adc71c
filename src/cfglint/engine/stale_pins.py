"""Pins that a project's files contradict: with so many keys of later releases, another release runs."""

from __future__ import annotations

from cfglint.diagnostic import Diagnostic
from cfglint.engine.file_report import FileReport

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


def _origin(found: Diagnostic, report: FileReport) -> str:
    """The version and the place of the pin that a finding follows from; empty if it is not one that is left behind."""
    for package, pin in report.target.pins.items():
        file = pin.origin.rpartition(" line ")[0].lower()
        is_left_behind = pin.version and pin.in_project and file.endswith(_LEFT_BEHIND)
        if is_left_behind and f"({pin.origin})" in found.message:
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
