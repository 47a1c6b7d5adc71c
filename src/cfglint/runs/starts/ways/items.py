"""A command as the items of a YAML list, each on a line of its own."""

from __future__ import annotations

from cfglint.runs.starts.start import Word

_MAX_ITEMS = 60


def words(text: str, at: int, variables: dict[str, str]) -> list[Word]:
    """The command of which the item at a place is one, if that is a single word."""
    own = _item(text, text.rfind("\n", 0, at) + 1)
    if own is None or own[1].start != at or any(c.isspace() for c in own[1].text):
        return []
    first = text.rfind("\n", 0, at) + 1
    for _ in range(_MAX_ITEMS):
        previous = text.rfind("\n", 0, max(0, first - 1)) + 1
        item = _item(text, previous)
        if first == 0 or item is None or item[0] != own[0]:
            break
        first = previous
    found: list[Word] = []
    while len(found) < 2 * _MAX_ITEMS:
        item = _item(text, first)
        if item is None or item[0] != own[0]:
            break
        found.append(item[1])
        end = text.find("\n", first)
        if end < 0:
            break
        first = end + 1
    return found


def _item(text: str, start: int) -> tuple[int, Word] | None:
    """(indentation, the word) of a line that is an item of a list."""
    end = text.find("\n", start, start + 500)
    line = text[start : end if end >= 0 else start + 500].rstrip()
    content = line.lstrip(" ")
    if not content.startswith("- "):
        return None
    indent = len(line) - len(content)
    inner = content[2:].lstrip(" ")
    begin = start + len(line) - len(inner)
    if len(inner) > 1 and inner[0] in "\"'" and inner[-1] == inner[0]:
        return indent, Word(inner[1:-1], begin + 1, begin + len(inner) - 1, "$" in inner)
    return indent, Word(inner, begin, begin + len(inner), "$" in inner)
