"""Settings files that a program of their project writes, which trains by itself: no command starts a run with them."""

from __future__ import annotations

import os
import re

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.environment.project.naming import text_in_force
from cfglint.environment.project_texts import CONFIGS, every_text
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.knowledge.marks import marks_of
from cfglint.source.files.scripts import SCRIPTS

_PROGRAM = ".py"
_PAGES = (".md", ".rst")
#: A program that names a file more often does more with it.
_MOST = 20
#: A trainer that is made: the program trains by itself.
_TRAINS = lazy_pattern(r"\b[A-Z]\w{0,60}Trainer\(")
#: What is behind a path, or a variable for one, that is written to.
_WRITTEN = r"""\)?[ ]?(?:,[ ]?(?:mode=)?["'][wx]|\)?\.write_text\(|\)?\.open\(["'][wx])"""


def why_output(_: FileReport, case: Case) -> str:
    """Why a file is no more than what a program writes; empty for any other."""
    program = _writer_of(case)
    return f"{program} writes this file, and nothing starts a run with it." if program else ""


def _writer_of(case: Case) -> str:
    """The program that writes a file, as a path from the top of its project; empty if it may be used."""
    around, marks = case.around, marks_of(case.framework.name)
    is_named_by_others = case.framework.row["named_by_others"] or (
        marks.launcher is not None and marks.launcher.settings
    )
    if around.folder is None or around.launches or not around.path.endswith(CONFIGS):
        return ""
    if is_named_by_others:
        return ""  # the program itself may hand it on
    root, own = project_root(around, around.folder), os.path.abspath(around.path)
    name, writer = os.path.basename(own), ""
    for path, text in every_text(around, root):
        if path == own or path.endswith(_PAGES):
            continue
        if text is None:
            return ""
        if name not in text:
            continue
        text = text_in_force(path, text)
        if path.endswith(SCRIPTS) and name in text:
            return ""
        if path.endswith(_PROGRAM) and _writes(text, name):
            if marks.starts_in(text) or not _TRAINS.search(text):
                return ""
            writer = os.path.relpath(path, root).replace(os.sep, "/")
        elif re.search(rf"""["'/]{re.escape(name)}["']""", text):
            return ""
    return "" if writer and _is_handed_on(case, root) else writer


def _is_handed_on(case: Case, root: str) -> bool:
    """Whether a program of the project starts runs: it may be given the path."""
    marks = marks_of(case.framework.name)
    programs = python_sources(case.around, root).values()
    return any(text is not None and marks.starts_in(text) for text in programs)


def _writes(text: str, name: str) -> bool:
    """Whether a program opens a file of that name to write it, wherever it names it."""
    quoted = re.compile(rf"""["'](?:[\w./-]{{0,200}}/)?{re.escape(name)}["']""")
    found = list(quoted.finditer(text))
    return 0 < len(found) <= _MOST and all(_is_written(text, match) for match in found)


def _is_written(text: str, named: re.Match[str]) -> bool:
    """Whether what is named at a place is written to, there or by the variable that it is given to."""
    if re.compile(_WRITTEN).match(text, named.end()):
        return True
    line = text[text.rfind("\n", 0, named.start()) + 1 : named.start()]
    variable = re.match(r"[ \t]{0,40}(\w{1,60})[ ]?=(?!=)", line)
    if variable is None:
        return False
    return re.search(rf"\b{variable[1]}{_WRITTEN}", text) is not None
