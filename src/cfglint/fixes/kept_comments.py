"""Comments of lines that are removed: they stay in the file, on lines of their own."""

from __future__ import annotations

from cfglint.fixes.layout import line_start
from cfglint.source.document import Document


def comment_lines(document: Document, start: int, end: int, width: int) -> list[str]:
    """The comments between two offsets as lines, without line breaks.

    Each is indented as the line is that it is on, but all are moved to the left together until the
    first column that one of them uses is `width`.
    """
    text = document.text
    if text.find("#", start, end) < 0:
        return []
    found: list[tuple[int, str]] = []
    for comment in document.language.comments(document):
        at = comment.span.start
        if start <= at < end:
            line = text[line_start(text, at) : at]
            found.append((len(line) - len(line.lstrip(" ")), comment.text.rstrip()))
    shift = max(0, min((column for column, _ in found), default=0) - width)
    return [" " * (column - shift) + words for column, words in found]


def indented(lines: list[str], indent: str) -> list[str]:
    """The same comments, all at one indentation."""
    return [indent + line.lstrip(" ") for line in lines]
