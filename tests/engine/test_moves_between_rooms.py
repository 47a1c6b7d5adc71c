"""The way of a document through linting: from which room of the package to which other one calls lead."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

from cfglint import Linter
from tests.test_house import FLOOR_OF, SOURCES

#: What all rooms use as others use the standard library.
_TOOLS = "base"
MAX_MOVES = 30
#: Calls into a room above: what a room was handed by that one, and asks for a value only there.
MAX_CLIMBS = 8
CONFIG = Path(__file__).parents[2] / "fixtures" / "broken" / "old-config.yml"


def room_of(frame: FrameType | None) -> str | None:
    """The room at the top of the package whose code a frame runs."""
    path = Path(frame.f_code.co_filename) if frame is not None else None
    if path is None or SOURCES not in path.parents:
        return None
    return path.relative_to(SOURCES).parts[0].removesuffix(".py")


def calls_between_rooms(text: str) -> set[tuple[str, str]]:
    """(room, called room) of all calls below `lint_document`, once each."""
    found: set[tuple[str, str]] = set()
    depth = 0

    def look(frame: FrameType, event: str, argument: object) -> None:
        nonlocal depth
        if event == "return" and depth:
            depth -= 1
        elif event == "call" and (depth or frame.f_code.co_name == "lint_document"):
            depth += 1
            caller = frame.f_back
            while depth > 1 and caller is not None and room_of(caller) is None:
                caller = caller.f_back
            room, called = room_of(caller), room_of(frame)
            if room is not None and called is not None and room != called:
                found.add((room, called))

    linter = Linter(settings=False)
    linter.lint(text, "train.yml")  # what is made once for all files
    before = sys.getprofile()
    sys.setprofile(look)
    try:
        linter.lint(text, "train.yml")
    finally:
        sys.setprofile(before)
    return {pair for pair in found if _TOOLS not in pair}


def test_a_document_moves_between_few_rooms_and_seldom_up() -> None:
    moves = calls_between_rooms(CONFIG.read_text(encoding="utf-8"))
    assert ("engine", "checks") in moves
    climbs = {(room, called) for room, called in moves if FLOOR_OF[room] < FLOOR_OF[called]}
    assert len(moves) <= MAX_MOVES, sorted(moves)
    assert len(climbs) <= MAX_CLIMBS, sorted(climbs)
