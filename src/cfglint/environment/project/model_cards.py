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
from cfglint.knowledge.releases.ranges import within
from cfglint.source.files.base import Files
from cfglint.source.files.folders import climb

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
_PLAIN: Final = lazy_pattern(r"\d{1,9}(?:\.\d{1,9}){1,3}")


def with_releases_of_cards(
    sources: list[Source],
    package: str,
    folder: str,
    pages: Iterable[str],
    text_of: Callable[[str], str],
    files: Files,
) -> list[Source]:
    """The sources, with the releases of the model cards where a pin is older than all that the cards tell.

    A lock file knows better, and so does a range that admits them; a card that does not tell the release of the package
    may be of another program.

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
    on_cards: dict[str, list[Statement]] = {}
    for one in (one for card in cards for one in card):
        on_cards.setdefault(one.package, []).append(one)
    outdated = [
        one for one in sources if any(_is_older(one.of(name), on_cards[name]) for name in on_cards)
    ]
    if not outdated or any(_is_covered(one.of(package), on_cards[package]) for one in sources):
        return sources
    stated = [
        _joined(found)
        for name, found in on_cards.items()
        if not any(_is_covered(one.of(name), found) for one in sources)
    ]
    names = {one.package for one in stated}
    kept = [
        one.replaced(statements=tuple(_bound(s) for s in one.statements if s.package not in names))
        if one in outdated
        else one.replaced(statements=tuple(s for s in one.statements if s.package not in names))
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
            # As little as a test, a card says that no other release is to be installed.
            found.append(Statement(_PACKAGES.get(name, name), place, row[2], tested=True))
    return found


def _is_older(statement: Statement | None, on_cards: list[Statement]) -> bool:
    """Whether a statement is a release before all that the cards tell."""
    if statement is None or statement.version is None:
        return False
    version = statement.version.partition("+")[0]
    return _PLAIN.fullmatch(version) is not None and not any(
        within(version, f">={_plain(one)}") for one in on_cards
    )


def _is_covered(statement: Statement | None, on_cards: list[Statement]) -> bool:
    """Whether a statement is one of the releases of the cards, a later one, or none that can be compared."""
    if statement is None or (statement.spec is None and statement.version is None):
        return statement is not None and bool(statement.commit or statement.day or statement.fork)
    if statement.version is None:
        return any(within(_plain(one), str(statement.spec)) for one in on_cards)
    return any(within(statement.version, f">={_plain(one)}") for one in on_cards)


def _bound(statement: Statement) -> Statement:
    """What is stated beside releases that are out of date: no more than from which release on."""
    version = (statement.version or "").partition("+")[0]
    if _PLAIN.fullmatch(version) is None:
        return statement
    return statement.replaced(version=None, spec=f">={version}")


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
