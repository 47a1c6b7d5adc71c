"""Where a project asks for a package without an upper bound, so that pip is free to choose the newest release."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple
from cfglint.environment.project.installs import (
    LISTS,
    WITH_COMMANDS,
    commands_with_rest,
    lists_packages,
    pattern_of,
)
from cfglint.environment.project.stated_versions import Place, place_at
from cfglint.environment.project_texts import project_texts
from cfglint.environment.python_sources import project_root
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge import compiled
from cfglint.knowledge.marks import all_marks
from cfglint.knowledge.releases.names import asked_by_newest, known_versions
from cfglint.knowledge.releases.ranges import surely_apart, within
from cfglint.knowledge.releases.table import releases_of

#: A release or a range, behind the name of a package.
_SPEC = lazy_pattern(r"[ \t]*((?:(?:[<>=!~]=?|@)[ \t]*[^\s,]{0,200}[ \t]*,?[ \t]*)*)")
#: What TOML has there: any release, or none below one.
_OPEN_VALUE = lazy_pattern(r"""[ \t]*=[ \t]*["'](?:\*|>=?[ \t]*[\w.]+)["']""")
_OTHER, _OPEN, _BOUNDED = "other", "open", "bounded"
#: What has commands and starts no shell.
_PROGRAMS = (".py",)
_COMMENT = lazy_pattern(r"(?:^|(?<=[ \t]))#[^\n]*", re.MULTILINE)
#: Words about a project, not about what it needs.
_ABOUT = lazy_pattern(r"^[ \t]*(?:name|description|keywords)\b[^\n]*", re.MULTILINE)


class Requested(NamedTuple):
    """Whether the files of a project ask for a package."""

    #: Where they ask for it without an upper bound; None if they do not, or if something bounds it.
    place: Place | None
    #: One of the files bounds it, states its release, or asks for what bounds it.
    is_held: bool


def asked(around: Surroundings, package: str) -> Requested:
    """Whether the files of a program's own folder, or of those above it, ask for a package, and where without an upper bound."""
    if around.folder is None:
        return Requested(None, is_held=True)
    root, folder = project_root(around, around.folder), os.path.abspath(around.folder)

    def look() -> Requested:
        first: Place | None = None
        for path, text in project_texts(around, root, LISTS + WITH_COMMANDS):
            is_above = f"{folder}{os.sep}".startswith(f"{os.path.dirname(path)}{os.sep}")
            if not is_above or path.endswith(_PROGRAMS):
                continue
            if text is None:
                return Requested(None, is_held=True)
            for start, part, pattern in _asking(path, text, package):
                for match in pattern.finditer(part):
                    kind = _bound(match["spec"])
                    if kind == _OTHER or (kind == _OPEN and (match["bounding"] or match["below"])):
                        continue
                    if match["below"] and _goes_with(package, match["below"], match["spec"]):
                        continue
                    if kind == _BOUNDED or match["holding"] or path.endswith(".lock"):
                        return Requested(None, is_held=True)
                    at = start + match.start("name")
                    first = first or place_at(path, text, at, at + len(match["name"]))
        return Requested(first, is_held=False)

    return around.memory.once(("asked without bound", root, folder, package), look)


def _asking(path: str, text: str, package: str) -> Iterator[tuple[int, str, re.Pattern[str]]]:
    """(offset, text, what a package is there) of the parts of a file that ask for packages: a list, or arguments."""
    if path.endswith(LISTS):
        if lists_packages(path):
            if not path.endswith(".lock"):
                text = _ABOUT.sub(_blank, _COMMENT.sub(_blank, text))
            yield 0, text, _asked(package, in_command=False)
        return
    for command, start, rest in commands_with_rest(text):
        if "install" in command + rest[:10]:
            yield start, _COMMENT.sub(_blank, rest), _asked(package, in_command=True)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


@lru_cache(maxsize=8)
def _asked(package: str, *, in_command: bool) -> re.Pattern[str]:
    """A package, the frameworks whose newest releases bound it, and what does in older releases."""
    frameworks = [marks.package for marks in all_marks() if _bounds(marks.package, package)]
    frameworks += compiled.load("frameworks").HOLDING
    holding = "|".join(map(pattern_of, frameworks)) or "(?!)"
    bounding = "|".join(map(pattern_of, compiled.load("frameworks").BOUNDING))
    below = "|".join(map(pattern_of, _below(package))) or "(?!)"
    before = r"(?<=[\s\"'])" if in_command else r"(?:^[ \t]*(?:-[ \t]+)?|(?<=[\"']))"
    return re.compile(
        rf"{before}[\"']?(?:(?P<name>{pattern_of(package)})|(?P<holding>{holding})|(?P<bounding>{bounding})"
        rf"|(?P<below>{below}))"
        rf"(?:\[[^\]\n]{{0,80}}\])?(?P<spec>[ \t]*=[ \t]*[\"'][^\n\"']{{0,80}}[\"']|[^\n\"'#]{{0,80}})",
        re.MULTILINE | re.IGNORECASE,
    )


def _bounds(framework: str, package: str) -> bool:
    """Whether the newest release of a framework asks for a package with an upper bound."""
    releases = releases_of(framework)
    wanted = releases.pins.get(releases.newest, {}).get(package, "")
    if framework == package or not any(sign in wanted for sign in ("<", "==")):
        return False
    known = known_versions(package)
    return not known or not within(known[-1], wanted)


def _below(package: str) -> list[str]:
    """What the newest release of a package asks for, of which no check looks at the releases."""
    followed = {*compiled.load("frameworks").ASKED}
    return [one for one in asked_by_newest(package) if one not in followed]


def _goes_with(package: str, other: str, spec: str) -> bool:
    """Whether what a file states of another package leaves the newest release of one as it is."""
    stated = _SPEC.match(spec)
    wanted = asked_by_newest(package).get(re.sub(r"[-_.]+", "-", other).lower(), "")
    if stated is None or any(sign in spec for sign in (*";@*^\"'", "~=", "!=")):
        return False
    if stated[1].startswith("=") and not stated[1].startswith("=="):
        return False  # conda's, which is a prefix
    return not surely_apart(re.sub(r"\s", "", stated[1]).rstrip(","), wanted)


def _bound(spec: str) -> str:
    """What follows on the name of a package: nothing that bounds it, a bound or a marker, or a longer name."""
    if spec[:1] and (spec[0].isalnum() or spec[0] in "-_./:"):
        return _OTHER
    if spec.lstrip().startswith(("=", ";")) and not spec.lstrip().startswith("=="):
        return _OPEN if _OPEN_VALUE.fullmatch(spec) else _BOUNDED
    stated = _SPEC.match(spec)
    if stated is None or not stated[1]:
        return _BOUNDED if ";" in spec else _OPEN
    is_bounded = ";" in spec or any(sign in stated[1] for sign in ("<", "==", "~=", "@", "!="))
    return _BOUNDED if is_bounded else _OPEN
