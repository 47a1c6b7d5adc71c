"""The text of repairs: how JSON writes what the file writes differently."""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern

#: Longer integers take long to build, and Python refuses to print them.
MAX_INTEGER_CHARS = 3000
_LOOSE_NUMBER = lazy_pattern(r"([-+]?)(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][-+]?[0-9]+)?")
_BREAK = lazy_pattern(r"\r\n|\r|\n")


def is_printable(text: str) -> bool:
    """Whether a text can be in a file as it is, and be seen."""
    return all(char.isprintable() for char in text)


def in_double_quotes(match: re.Match[str]) -> str:
    """A part of a text in single quotes, as it is in double ones."""
    part = match.group()
    return {"\\'": "'", '"': '\\"'}.get(part, part)


def as_number(word: str) -> str | None:
    """How JSON writes a number that has a plus, or no digit on one side of its point."""
    match = _LOOSE_NUMBER.fullmatch(word)
    if match is None or len(word) > MAX_INTEGER_CHARS:
        return None
    sign, whole, fraction, exponent = match.groups(default="")
    if not whole and len(fraction) < 2:
        return None
    if fraction == ".":
        fraction = ".0"
    return f"{sign.replace('+', '')}{whole or '0'}{fraction}{exponent}"


def without_comment(text: str, start: int, end: int) -> tuple[int, int, str]:
    """The edit that removes a comment, with its line if nothing else is on it."""
    begin = start
    while begin > 0 and text[begin - 1] in " \t":
        begin -= 1
    stop = end
    while stop < len(text) and text[stop] in " \t":
        stop += 1
    first = begin == 0 or text[begin - 1] in "\r\n"
    match = _BREAK.match(text, stop)
    if first and match is not None:
        return begin, match.end(), ""
    if first and stop == len(text):
        # The file keeps its last line as it ends.
        before = begin - 2 if text.startswith("\r\n", begin - 2) else begin - 1
        return max(before, 0), stop, ""
    if match is not None or stop == len(text):
        return begin, stop, ""
    return start, stop if text[start - 1] in " {[" else end, ""
