"""Keys and values that are not parted by a colon and a space, or parted twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.source.diagnosis.lines import KEY, Line, Lines
from cfglint.source.diagnosis.model import Cause, Change, Slip, shown
from cfglint.source.text import Span

_WORD = lazy_pattern(rf"({KEY})(?=\s|$)")
_GLUED = lazy_pattern(rf"({KEY}):(?!//)(?=[^\s\\:])")
_EQUALS = lazy_pattern(rf"({KEY})([ \t]*(?::?=)[ \t]*)(?![=])")
_RESERVED = "`@%*&!|>[]{},?"


def colons(lines: Lines, line: Line) -> Iterator[Slip]:
    """What may be wrong with the colons of a line."""
    text = lines.text
    if line.kind != "code" or line.content >= line.last:
        return
    at, last = line.content, line.last
    equals = _EQUALS.match(text, at, last)
    if equals is not None and not (line.colons and line.colons[0] < equals.end()):
        value = text[equals.end() : last]
        mended = f"{equals.group(1)}: {value}" if value else f"{equals.group(1)}:"
        yield Slip(
            Cause.EQUALS_SIGN,
            Span(at, last),
            f"`{shown(equals.group(1))}` has = where YAML expects a colon: write `{shown(mended, 60)}`.",
            (Change(at + len(equals.group(1)), equals.end(), ": " if value else ":"),),
            title="Write a colon",
            cost=0,
        )
    glued = _GLUED.match(text, at, last)
    if glued is not None:
        mended = f"{glued.group(1)}: {text[glued.end() : last]}"
        yield Slip(
            Cause.MISSING_SPACE,
            Span(at, last),
            f"`{shown(text[at:last])}` has no space after its colon: write `{shown(mended, 60)}`.",
            (Change(glued.end(), glued.end(), " "),),
            title="Add the space",
            cost=0,
        )
    word = _WORD.match(text, at, last)
    if word is not None and equals is None and glued is None:
        yield from _missing(lines, line, word)
    elif equals is None and glued is None:
        yield from _prose(lines, line)
    yield from _second(lines, line)


def _prose(lines: Lines, line: Line) -> Iterator[Slip]:
    """A sentence among keys, such as one about what is to be filled in."""
    if line.colons or line.dashes or line.quoted or " " not in lines.text[line.lead : line.last]:
        return
    below = lines.after(line, 1)
    if not below or below[0].indent != line.indent or below[0].dashes or not below[0].colons:
        return
    yield Slip(
        Cause.PROSE,
        Span(line.lead, line.last),
        f"`{shown(lines.text[line.lead : line.last])}` is not `key: value`, as the line below is: write it as a comment.",
        (Change(line.lead, line.lead, "# "),),
        cost=2,
    )


def _missing(lines: Lines, line: Line, word: re.Match[str]) -> Iterator[Slip]:
    text = lines.text
    if line.colons and line.colons[0] <= word.end():
        return
    at, last = line.content, line.last
    key, value = word.group(1), text[word.end() : last].strip()
    mended = f"{key}: {value}" if value else f"{key}:"
    end = word.end()
    # `key : value` has its colon, `key  value` gets its own in place of nothing.
    yield Slip(
        Cause.MISSING_COLON,
        Span(at, last),
        f"`{shown(text[at:last])}` has no colon: write `{shown(mended, 60)}`.",
        (Change(end, end, ":"),),
        title="Add the colon",
        cost=3 if line.colons else 1 if value or _has_children(lines, line) else 2,
    )


def _has_children(lines: Lines, line: Line) -> bool:
    below = lines.after(line, 1)
    return bool(below) and (below[0].indent > line.indent or below[0].dashes > line.dashes)


def _second(lines: Lines, line: Line) -> Iterator[Slip]:
    """A value that has to be quoted: it contains a `: `, or begins with a character of YAML's own."""
    text = lines.text
    if not line.colons and not line.dashes:
        return
    start = line.colons[0] + 1 if line.colons else line.content
    while start < line.last and text[start] in " \t":
        start += 1
    value = text[start : line.last]
    if not value or value[0] in "\"'\u201c\u201d\u201e\u2018\u2019" or "\t" in value:
        return
    quote = '"' if '"' not in value and "\\" not in value else "'"
    quoted = f"{quote}{value.replace(quote, quote * 2)}{quote}"
    change = (Change(start, line.last, quoted),)
    if len(line.colons) > 1:
        between = text[start : line.colons[1]].split()
        two_keys = len(between) > 1 and "_" in between[-1]
        yield Slip(
            Cause.SECOND_COLON,
            Span(line.colons[1], line.colons[1] + 1),
            "There are two keys on this line: give each its own line."
            if two_keys
            else f"The value contains a second `: `: quote it, `{shown(quoted, 60)}`.",
            change,
            title="" if two_keys else "Quote the value",
            cost=1,
        )
    elif value[0] in _RESERVED and not (value[0] in "[{" and value[-1] in "]}"):
        yield Slip(
            Cause.RESERVED_CHARACTER,
            Span(start, line.last),
            f"A value cannot start with {value[0]} here: quote it, `{shown(quoted, 60)}`.",
            change,
            title="Quote the value",
            cost=2 if value[0] in "`@%" else 4,
        )
