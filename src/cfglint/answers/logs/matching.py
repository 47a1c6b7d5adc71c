"""How much of a symptom a text has, and how much of it the words of an error have."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from cfglint.answers.logs.callers import innermost
from cfglint.answers.logs.failures import Failure

#: Fewer characters in common say nothing.
_FEWEST = 6
#: Before the innermost frame, where symptoms are looked for in frames.
_INNERMOST = "innermost: "
#: Marks of quotation and code, which titles, shells and pages drop or change on the way of a message to a question.
_QUOTES = str.maketrans("", "", "`'\"\u00b4\u2018\u2019\u201c\u201d")


def matched_in(failure: Failure, pieces: Sequence[str]) -> int:
    """The characters of a symptom's pieces in a failure: in its text, those at the end in the frames that led to it.

    The innermost frame has a mark, by which a symptom can name the code that raised.
    """
    whole = matched_text(failure.text, pieces)
    if whole or not failure.frames:
        return whole
    frames = _shown_frames(failure.frames)
    for number in range(len(pieces) - 1, 0, -1):
        message = matched_text(failure.text, pieces[:number])
        if message:
            called = matched_text(frames, pieces[number:])
            return message + called if called else 0
    return 0


@lru_cache(maxsize=256)
def _shown_frames(frames: tuple[tuple[str, int, str], ...]) -> str:
    """The frames, one a line, with a mark at the innermost one that does not only look something up."""
    files = [file.replace("\\", "/") for file, _, _ in frames]
    at = innermost(frames)
    files[at] = f"{_INNERMOST}{files[at]}"
    return "\n".join(
        f"{file} {function}" for file, (_, _, function) in zip(files, frames, strict=True)
    )


def matched_text(text: str, pieces: Sequence[str]) -> int:
    """The characters of a symptom's pieces, if the text has all of them in this order.

    What is between quotes in the symptom is between the same quotes in the text.
    """
    place = 0
    for number, piece in enumerate(pieces):
        found = text.find(piece, place)
        if found < 0 and "`" in piece and "`" not in text:
            # Pages drop the marks of code of a message that is pasted into them.
            piece = piece.replace("`", "")
            found = text.find(piece, place)
        if found < 0 or (number and _leaves_quotes(text[place:found], pieces, number)):
            return 0
        place = found + len(piece)
    return sum(map(len, pieces))


def _leaves_quotes(gap: str, pieces: Sequence[str], number: int) -> bool:
    """Whether the text before a piece ends quotes that the piece is inside of."""
    quote = pieces[number - 1][-1]
    return (
        quote in "'\""
        and quote in gap
        and any(later.startswith(quote) for later in pieces[number + 1 :])
    )


def plain(text: str) -> str:
    """A text in lower case with single spaces and without quotes."""
    return " ".join(text.translate(_QUOTES).split()).lower()


def all_of(words: str, pieces: Sequence[str]) -> int:
    """The characters of a symptom, if some words in plain letters have all of it."""
    return matched_text(words, list(filter(None, map(plain, pieces))))


def shared_with(words: str, pieces: Sequence[str]) -> int:
    """How many characters some words of an error share with a symptom; 0 if they are of another one.

    Args:
        words: in plain letters; all of the symptom, more than it, or a part.
    """
    whole = all_of(words, pieces)
    if whole:
        return whole
    part = _part(words, list(filter(None, map(plain, pieces))))
    return part if 2 * part >= len(words) else 0


def _part(words: str, lowered: Sequence[str]) -> int:
    """The characters of a part of a symptom that words have, wherever in it they begin."""
    most = 0
    for number, piece in enumerate(lowered):
        if words in piece:
            return len(words) if len(words) >= _FEWEST else 0
        begin = _overlap(piece, words)
        rest = _beginning(words[begin:], lowered[number + 1 :]) if begin else 0
        # They begin inside of a piece and may go on behind it, or in the gap before it.
        most = max(most, begin + rest, _beginning(words, lowered[number:]))
    return most


def _beginning(words: str, pieces: Sequence[str]) -> int:
    """The characters of the first pieces of a symptom that words have; 0 unless these reach into its end."""
    shared, place = 0, 0
    for piece in pieces:
        found = words.find(piece, place)
        if found >= 0:
            place = found + len(piece)
            shared += len(piece)
            continue
        part = _overlap(words[place:], piece)
        return shared + part if part else 0
    return shared


def _overlap(first: str, second: str) -> int:
    """The length of the longest end of a text that another one begins with; 0 for a few characters."""
    for length in range(min(len(first), len(second)), _FEWEST - 1, -1):
        if first.endswith(second[:length]):
            return length
    return 0
