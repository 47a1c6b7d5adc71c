"""With which releases a project has trained: its trainers have written that in the model cards beside their checkpoints."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Final
from cfglint.environment.pins import is_version
from cfglint.environment.project.stated_versions import (
    Source,
    Statement,
    normalized,
    place_at,
)
from cfglint.files.base import Files
from cfglint.files.folders import climb
from cfglint.knowledge.releases.ranges import within

_NAME: Final = "readme.md"
_MARK: Final = "generated_from_trainer"
_TITLE: Final = "### Framework versions"
_ROW: Final = lazy_pattern(
    r"(?m)^[-*][ \t]+([A-Za-z][\w-]{0,40}):?[ \t]+v?(\d[\w.+]{0,40})[ \t]*\r?$"
)
#: How far below the title they are listed.
_REACH: Final = 600
_MAX_CARDS: Final = 100
_PACKAGES: Final = {"pytorch": "torch"}
_PLAIN: Final = lazy_pattern(r"\d+(?:\.\d+){1,3}")


def with_releases_of_cards(
    sources: list[Source],
    package: str,
    folder: str,
    pages: Iterable[str],
    text_of: Callable[[str], str],
    files: Files,
) -> list[Source]:
    """The sources, and the releases of the model cards in place of older ones that no card has.

    A lock file knows better, and a card that does not tell the release of the package may be of another program.

    Args:
        package: the one of which a card has to tell the release.
        folder: that of the configs; the nearest folder around it with cards counts.
        pages: the pages of the project.
    """
    if any(one.complete for one in sources):
        return sources
    cards = _nearest(list(pages), package, folder, text_of, files)
    if not cards:
        return sources
    stated = []
    for name in dict.fromkeys(one.package for card in cards for one in card):
        on_cards = [one for card in cards for one in card if one.package == name]
        if not any(_is_covered(file.of(name), on_cards) for file in sources):
            stated.append(_joined(on_cards))
    if not stated:
        return sources
    names = {one.package for one in stated}
    kept = [
        one.replaced(statements=tuple(s for s in one.statements if s.package not in names))
        for one in sources
    ]
    distance = min((one.distance for one in sources if one.statements), default=0)
    return [Source(stated[0].place.path, "card", distance, tuple(stated)), *kept]


def _nearest(
    pages: list[str], package: str, folder: str, text_of: Callable[[str], str], files: Files
) -> list[list[Statement]]:
    """What each of the cards below the nearest folder with some tells."""
    cards: dict[str, list[Statement]] = {}
    for path in pages:
        if os.path.basename(path).lower() == _NAME and len(cards) < _MAX_CARDS:
            found = read(path, text_of(path))
            if any(one.package == package for one in found):
                cards[path] = found
    for level in climb(folder, files)[1] if cards else ():
        below = [found for path, found in cards.items() if path.startswith(os.path.join(level, ""))]
        if below:
            return below
    return []


def read(path: str, text: str) -> list[Statement]:
    """The releases that a card tells."""
    at = text.find(_TITLE)
    if at < 0 or _MARK not in text:
        return []
    found = []
    for row in _ROW.finditer(text, at, min(len(text), at + _REACH)):
        name = normalized(row[1])
        if _PLAIN.fullmatch(row[2].partition("+")[0]) and is_version(row[2]):
            place = place_at(path, text, row.start(1), row.end(2))
            found.append(Statement(_PACKAGES.get(name, name), place, row[2]))
    return found


def _is_covered(statement: Statement | None, on_cards: list[Statement]) -> bool:
    """Whether a statement is one of the releases of the cards, a later one, or none that can be compared."""
    if statement is None or (statement.spec is None and statement.version is None):
        return statement is not None and bool(statement.commit or statement.day or statement.fork)
    if statement.version is None:
        return False
    return any(within(statement.version, f">={one.version}") for one in on_cards)


def _joined(on_cards: list[Statement]) -> Statement:
    """What several cards tell of a package: its release, or from which to which."""
    versions = sorted({_plain(one) for one in on_cards}, key=_order)
    if len(versions) == 1:
        return on_cards[0]
    return on_cards[0].replaced(version=None, spec=f">={versions[0]},<={versions[-1]}")


def _plain(statement: Statement) -> str:
    return str(statement.version).partition("+")[0]


def _order(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]
