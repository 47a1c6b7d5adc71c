"""Forks of frameworks that a page of a project tells of in words: `Installs it from a fork`."""

from __future__ import annotations

import os
import re

from cfglint.environment.project_texts import project_texts
from cfglint.environment.python_sources import project_root
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge.marks import Marks
from cfglint.source.files.scripts import PAGES


def fork_on_pages(around: Surroundings, marks: Marks) -> str:
    """The page and the line that tell of a fork of a framework; empty if none does."""
    if around.folder is None:
        return ""
    root = project_root(around, around.folder)
    return around.memory.once(
        ("fork on pages", root, marks.package), lambda: _line_about(around, root, marks)
    )


def _line_about(around: Surroundings, root: str, marks: Marks) -> str:
    telling = _telling(marks)
    for path, text in project_texts(around, root, PAGES):
        if text is None or "fork" not in text.lower():
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if "fork" in line.lower() and telling.search(line):
                return f"{os.path.relpath(path, root).replace(os.sep, '/')} line {number}"
    return ""


def _telling(marks: Marks) -> re.Pattern[str]:
    """What a line says in which a fork is one of a framework: the noun, not the advice to make one.

    "NAME's fork" is one of something else, which the framework has.
    """
    names = {one for one in (marks.package, marks.repository) if one}
    name = "|".join(re.escape(one).replace(r"\-", "[-_ ]?") for one in sorted(names))
    return re.compile(
        rf"(?<![\w./-])(?:{name})[*`]{{0,3}}[ \t]{{1,9}}fork\b"
        rf"|(?<![\w./-])(?:{name})(?![\w-])[^\n.;|]{{0,60}}?\b(?:from|our|own|custom|modified|patched)\b"
        r"[^\n.;|]{0,40}?\bfork\b"
        rf"|\bfork(?:ed)?[ \t]{{1,9}}(?:of|from)[ \t]{{1,9}}(?:the[ \t]{{1,9}})?[\[`*(]{{0,3}}"
        rf"(?:[\w-]{{1,60}}/)?(?:{name})(?![\w-])",
        re.IGNORECASE,
    )
