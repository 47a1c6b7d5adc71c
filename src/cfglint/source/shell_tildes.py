"""Home folders in what a script assigns: bash puts them in place of `~`, at the beginning and behind each `:`."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.source.shell_words import Piece

_TILDE = lazy_pattern(r"~([\w.-]{0,40})")


def with_homes(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The pieces of an assigned value, with those in place of its tildes that a script leaves open."""
    if not any(piece.kind == "text" and not piece.quoted and "~" in piece.text for piece in pieces):
        return pieces
    last = len(pieces) - 1
    return tuple(
        one
        for number, piece in enumerate(pieces)
        for one in (
            _divided(piece.text, first=number == 0, last=number == last)
            if piece.kind == "text" and not piece.quoted
            else (piece,)
        )
    )


def _divided(text: str, *, first: bool, last: bool) -> Iterator[Piece]:
    done = 0
    for match in _TILDE.finditer(text):
        begins = text[match.start() - 1] == ":" if match.start() else first
        ends = text[match.end()] in "/:" if match.end() < len(text) else last
        if not (begins and ends):
            continue
        if match.start() > done:
            yield Piece("text", text[done : match.start()], False)
        user = match[1]
        yield Piece("open", match[0], False) if user else Piece("variable", "HOME", False)
        done = match.end()
    if done < len(text):
        yield Piece("text", text[done:], False)
