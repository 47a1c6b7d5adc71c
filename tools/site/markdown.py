"""Pieces of Markdown that pages are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cfglint.report.escaping import visible

#: An example may be long to show that it is read.
_MOST_LINES = 60


def code(text: str) -> str:
    """The text as code in a line."""
    shown = visible(text)
    longest = max((len(ticks) for ticks in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    space = " " if longest or not shown.strip() else ""
    return f"{fence}{space}{shown}{space}{fence}"


def plain(text: str) -> str:
    """The text with nothing that Markdown would interpret."""
    return re.sub(r"([\\`*_\[\]<>#|~{}$])", r"\\\1", visible(text))


def block(text: str, language: str = "text") -> str:
    """A block of code, which the search leaves out: it would find the same keys everywhere."""
    lines = text.rstrip("\n").split("\n")
    if len(lines) > _MOST_LINES:
        lines[_MOST_LINES:] = [f"… {len(lines) - _MOST_LINES} more lines"]
    shown = "\n".join(map(visible, lines))
    longest = max((len(ticks) for ticks in re.findall("`{3,}", shown)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{{code-block}} {language}\n:class: no-search\n\n{shown}\n{fence}\n"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table; a bar in a cell, even in code, has a backslash before it."""
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines
    )


def crumbs(*parts: tuple[str, str]) -> str:
    """The way to a page from the start: titles and addresses."""
    return "{.crumbs}\n" + " / ".join(f"[{title}]({address})" for title, address in parts) + "\n"
