"""Markdown for a terminal: paragraphs and lists are wrapped to its width, code is kept as written.

It understands what the texts of rules use: paragraphs, lists, headings, fenced code, tables, and in
a line `code`, **bold** and [links](…). Everything else is printed as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from cfglint.report.escaping import visible
from cfglint.report.snippet import display_width
from cfglint.report.style import Style

_ITEM = re.compile(r"( *)([-*]|\d+[.)]) +")
_FENCE = re.compile(r" *(```|~~~)")
_HEADING = re.compile(r"#{1,6} +")
_INLINE = re.compile(
    r"(?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|\*\*(?P<bold>\S(?:.*?\S)?)\*\*"
    r"|\[(?P<label>[^\]]+)\]\((?P<url>[^)\s]+)\)"
)

_RULER = re.compile(r"[\s|:-]*")

#: A part of a word and its style: text, code or bold.
_Part = tuple[str, str]


def terminal(markdown: str, indent: str = "", *, style: Style, width: int) -> list[str]:
    """The lines of a Markdown text, each of at most so many columns where possible.

    Args:
        indent: goes in front of each line, and counts as part of it.
    """
    room = width - len(indent)
    return [indent + line for block in _blocks(markdown) for line in _shown(block, style, room)]


def _blocks(markdown: str) -> Iterator[list[str]]:
    """Lines that belong together: a paragraph, an item, a table, a piece of code."""
    block: list[str] = []
    fence = ""
    for line in markdown.rstrip().splitlines():
        mark = _FENCE.match(line)
        if fence:
            block.append(line)
            if mark is not None and mark.group(1) == fence:
                yield block
                block, fence = [], ""
            continue
        alone = not line.strip() or _HEADING.match(line)
        starts = alone or mark is not None or _ITEM.match(line)
        if block and (starts or _is_row(line) != _is_row(block[0])):
            yield block
            block = []
        if alone:
            yield [line]
        else:
            block.append(line)
            fence = mark.group(1) if mark is not None else ""
    if block:
        yield block


def _shown(block: list[str], style: Style, width: int) -> list[str]:
    first = block[0]
    if _FENCE.match(first):
        ends = len(block) > 1 and _FENCE.match(block[-1])
        return [f"  {visible(line)}" for line in block[1 : -1 if ends else None]]
    heading = _HEADING.match(first)
    if heading is not None:
        return [style.bold(visible(first[heading.end() :]))]
    if not first.strip():
        return [""]
    if _is_row(first):
        return _table(block, style, width)
    item = _ITEM.match(first)
    lead = item.group() if item is not None else " " * (len(first) - len(first.lstrip(" ")))
    text = " ".join([first[len(lead) :].strip(), *(line.strip() for line in block[1:])])
    rows = _filled(list(_words(text, style)), max(10, width - len(lead)))
    indent = " " * len(lead)
    return [
        f"{indent if number else lead}{_painted(row, style)}" for number, row in enumerate(rows)
    ]


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|")


def _table(lines: list[str], style: Style, width: int) -> list[str]:
    """The rows with their cells below each other, broken where the terminal is too narrow."""
    rows = [
        [list(_words(cell.strip(), style)) for cell in line.strip().strip("|").split("|")]
        for line in lines
        if not _RULER.fullmatch(line)
    ]
    count = max(map(len, rows), default=0)
    rows = [row + [[]] * (count - len(row)) for row in rows]
    sizes = [max(_row_width(row[at]) for row in rows) for at in range(count)]
    # No column is narrower than its longest word.
    least = [
        max([_width(word) for row in rows for word in row[at]], default=0) for at in range(count)
    ]
    while sum(sizes) + 2 * (count - 1) > width and sizes != least:
        widest = max((at for at in range(count) if sizes[at] > least[at]), key=sizes.__getitem__)
        sizes[widest] -= 1
    out = []
    for row in rows:
        cells = [_filled(cell, size) for cell, size in zip(row, sizes, strict=True)]
        for number in range(max(map(len, cells), default=0)):
            line = ""
            for cell, size in zip(cells, sizes, strict=True):
                part = cell[number] if number < len(cell) else []
                line += _painted(part, style) + " " * (size + 2 - _row_width(part))
            out.append(line.rstrip())
    return out


def _row_width(words: list[list[_Part]]) -> int:
    return sum(map(_width, words)) + max(0, len(words) - 1)


def _words(text: str, style: Style) -> Iterator[list[_Part]]:
    """The words of a text, each as its differently styled parts."""
    word: list[_Part] = []
    for part, kind in _parts(text, style):
        pieces = part.split(" ")
        for number, piece in enumerate(pieces):
            if number and word:
                yield word
                word = []
            if piece:
                word.append((visible(piece), kind))
    if word:
        yield word


def _parts(text: str, style: Style, kind: str = "text") -> Iterator[_Part]:
    end = 0
    for match in _INLINE.finditer(text):
        yield text[end : match.start()], kind
        end = match.end()
        if match["code"] is not None:
            code = match["code"]
            if code[0] == code[-1] == " " and code.strip():
                code = code[
                    1:-1
                ]  # the spaces that separate a backtick of the code from the delimiters
            # Without colors, the backticks mark the code.
            yield (code, "code") if style.color else (match.group(), kind)
        elif match["bold"] is not None:
            yield from _parts(match["bold"], style, "bold")
        else:
            yield from _parts(match["label"], style, kind)
            yield f" ({match['url']})", kind
    yield text[end:], kind


def _width(word: list[_Part]) -> int:
    return sum(display_width(part) for part, _ in word)


def _filled(words: list[list[_Part]], width: int) -> list[list[list[_Part]]]:
    """The words in rows of at most so many columns."""
    rows: list[list[list[_Part]]] = []
    used = width
    for word in words:
        size = _width(word)
        if not rows or used + 1 + size > width:
            rows.append([])
            used = -1
        rows[-1].append(word)
        used += 1 + size
    return rows


def _painted(row: list[list[_Part]], style: Style) -> str:
    paint: dict[str, Callable[[str], str]] = {
        "text": str,
        "code": style.code,
        "bold": style.bold,
    }
    return " ".join("".join(paint[kind](part) for part, kind in word) for word in row)
