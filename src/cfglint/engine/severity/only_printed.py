"""Settings files that programs of their project load and print, and hand to nothing."""

from __future__ import annotations

import os
import re

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.environment.project.naming import mentions, text_in_force
from cfglint.environment.project_texts import OTHERS, project_texts
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.environment.surroundings import Surroundings

#: A file that a program loads as a whole, and the variable for that.
_LOADED = lazy_pattern(
    r"""\bopen\([ ]?["']([\w./-]{1,200})["'][^)\n]{0,60}\)[ ]as[ ]\w{1,40}:\s{1,40}(\w{1,60})[ ]?=[ ]?json\.load\("""
)
#: What is called in a line.
_CALLED = lazy_pattern(r"\b(\w{1,60})\(")
#: What shows a value, or takes a part of one.
_SHOWING = frozenset(
    {"dumps", "get", "items", "keys", "len", "pformat", "print", "repr", "sorted", "str", "type"}
)
_REASON = "The project's programs print this file, and hand it to nothing."


def why_only_printed(_: FileReport, case: Case) -> str:
    """Why no run reads a file that programs only print; empty for any other."""
    around = case.around
    if around.folder is None or around.launches or not around.path.endswith(".json"):
        return ""
    return _REASON if _is_only_printed(around, around.folder) else ""


def _is_only_printed(around: Surroundings, folder: str) -> bool:
    """Whether programs load a file, and print what they have loaded, and nothing else of the project names it."""
    root, own = project_root(around, folder), os.path.abspath(around.path)

    def look() -> bool:
        programs = python_sources(around, root).items()
        naming = [
            (path, text)
            for path, text in programs
            if text is None or mentions(text_in_force(path, text), own, os.path.dirname(path))
        ]
        if not naming or not all(text and _only_prints(text, own) for _, text in naming):
            return False
        others = (*project_texts(around, root), *project_texts(around, root, OTHERS))
        return not any(
            mentions(text, own, os.path.dirname(path))
            if text is not None
            else not path.endswith(".json")  # so large that it is data
            for path, text in others
            if path != own
        )

    return around.memory.once(("only printed", own), look)


def _only_prints(text: str, path: str) -> bool:
    """Whether a program loads a file once, and does nothing but print what it has loaded."""
    name = os.path.basename(path)
    loaded = [match for match in _LOADED.finditer(text) if match[1].endswith(name)]
    if len(loaded) != 1 or text.count(name) != 1:
        return False
    used = re.compile(rf"\b{loaded[0][2]}\b")
    rest = text[: loaded[0].start()] + text[loaded[0].end() :]
    uses = [line.lstrip() for line in rest.splitlines() if used.search(line)]
    return bool(uses) and all(
        line.startswith("#")
        or (line.startswith("print(") and _SHOWING.issuperset(_CALLED.findall(line)))
        for line in uses
    )
