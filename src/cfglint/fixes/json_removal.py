"""Taking members and items out of JSON; their comments stay."""

from __future__ import annotations

from cfglint.diagnostic import Edit
from cfglint.fixes.json_layout import (
    Comments,
    comma_after,
    comments_of,
    indent_at,
    is_last,
    start_of,
)
from cfglint.fixes.layout import Collection, child_count, line_end, line_start, next_line
from cfglint.fixes.refusal import Refusal
from cfglint.source.document import Document

COMMENTS_INSIDE = "There are comments inside the value, and it is not clear where they belong."


def removal(document: Document, parent: Collection, index: int) -> tuple[Edit, ...]:
    """Take a child out with its comma, and with its lines where it has them to itself.

    Comments stay, on lines of their own.

    Raises:
        Refusal: it shares its lines, and has a comment inside.
    """
    text = document.text
    comments = comments_of(document)
    start = start_of(parent, index)
    _, behind = comma_after(text, comments, parent, index)
    commented = comments.inside(start, behind)
    if child_count(parent) == 1 and not commented:
        around = text[parent.start + 1 : start] + text[behind : parent.end - 1]
        if not around.strip():
            return (Edit(parent.start + 1, parent.end - 1, ""),)
    first = line_start(text, start)
    previous = comma_after(text, comments, parent, index - 1) if index else (first, first)
    stop = comments.skip(text, behind, lines=False)
    own_lines = (
        comments.skip(text, first, lines=False) == start
        and stop == line_end(text, stop)
        and parent.start < first
        and previous[1] <= first
    )
    last = is_last(parent, index)
    if own_lines:
        indent, newline = indent_at(text, start), document.source.newline
        kept = "".join(indent + comment + newline for comment in comments.within(text, first, stop))
        edits = [Edit(first, min(next_line(text, stop), parent.end - 1), kept)]
    elif commented:
        raise Refusal(COMMENTS_INSIDE)
    elif index and not comments.inside(previous[1], start):
        edits = [Edit(previous[1], behind, "")]
    else:
        # A comment before it, perhaps about the line above, stays.
        edits = [Edit(start, behind if last else _next_token(text, comments, behind), "")]
    if last and previous[0] < previous[1]:
        edits.insert(0, Edit(*previous, ""))
    return tuple(edits)


def _next_token(text: str, comments: Comments, at: int) -> int:
    """Where what follows an offset begins, be it a comment."""
    while at < len(text) and text[at] in " \t\r\n" and not comments.inside(at, at + 1):
        at += 1
    return at
