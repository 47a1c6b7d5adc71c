"""What a script or a page has in it without running it, or showing it: comments of all kinds, and texts that are printed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern

#: `echo "pip install torch"`, `: pip install torch`: up to the end of the command.
_PRINTED = lazy_pattern(
    r"(?:^|&&|[;|(])[ \t]*(?:RUN[ \t]+)?(?:echo|printf|:)[ \t]+"
    r"(?:\"[^\"\n]{0,1000}\"|'[^'\n]{0,1000}'|[^\n;&|\"'])*",
    re.MULTILINE,
)
#: Lines that the shell hands to a command which does nothing: `: '` to `'`, `: <<'END'` to `END`.
_QUOTED = lazy_pattern(r":[ \t]+(['\"])")
_DOCUMENT = lazy_pattern(r":[ \t]*<<-?[ \t]*['\"]?(\w{1,60})['\"]?")
#: A condition that never holds.
_NEVER = lazy_pattern(r"if[ \t]+(?:false|\[[ \t]+(?:false|\"\")[ \t]+\])[ \t]*(?:;.*)?")
_LETTER = lazy_pattern(r"[^\r\n]")
_BRANCHES = ("else", "elif")
#: How many lines a condition has that is looked through.
_LONGEST = 200


def without_idle_text(path: str, text: str) -> str:
    """A script, an image or a page with spaces for what it does not run, so that all else keeps its place."""
    if path.endswith((".md", ".rst")):
        return _blanked(text, _hidden(text))
    if path.endswith(".py"):
        return text
    if ":" in text or "false" in text or '""' in text:
        text = _blanked(text, _unused(text))
    return _PRINTED.sub(lambda match: _LETTER.sub(" ", match[0]), text)


def _blanked(text: str, parts: Iterator[tuple[int, int]]) -> str:
    """A text with spaces in place of some parts, which come in order."""
    kept, at = [], 0
    for start, end in parts:
        kept += [text[at:start], _LETTER.sub(" ", text[start:end])]
        at = end
    return "".join((*kept, text[at:]))


def _hidden(text: str) -> Iterator[tuple[int, int]]:
    """What HTML hides in a page."""
    start = text.find("<!--")
    while start >= 0 and (end := text.find("-->", start)) >= 0:
        yield start, end + 3
        start = text.find("<!--", end)


def _unused(text: str) -> Iterator[tuple[int, int]]:
    """The lines of a shell script that are in a text which nothing uses, or below a condition that never holds."""
    lines = text.splitlines(keepends=True)
    starts, bare = [0], [line.strip() for line in lines]
    for line in lines:
        starts.append(starts[-1] + len(line))
    ends: dict[str, list[int]] = {}
    for number, line in enumerate(bare):
        ends.setdefault(line, []).append(number)
    number = 0
    while number < len(bare):
        last = _last_line(number, bare, ends)
        if last is not None:
            yield starts[number], starts[last + 1]
            number = last
        number += 1


def _last_line(number: int, bare: list[str], ends: dict[str, list[int]]) -> int | None:
    """The last line of an unused part that begins at one; None if none begins there, or if it has no end."""
    line = bare[number]
    quoted, document = _QUOTED.fullmatch(line), _DOCUMENT.fullmatch(line)
    if quoted is not None or document is not None:
        end = quoted[1] if quoted is not None else document[1] if document is not None else ""
        later = ends.get(end, [])
        at = bisect_right(later, number)
        return later[at] if at < len(later) else None
    if _NEVER.fullmatch(line) is None:
        return None
    # Up to the next end of a condition, if no other one and no other branch is in between.
    finish = ends.get("fi", [])
    at = bisect_right(finish, number)
    if at == len(finish) or finish[at] - number > _LONGEST:
        return None
    between = bare[number + 1 : finish[at]]
    nested = any(one.startswith(("if ", *_BRANCHES)) for one in between)
    return None if nested else finish[at]
