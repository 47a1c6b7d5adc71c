"""Settings files that a program of their project writes, which trains by itself: no command starts a run with them."""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.environment.python_sources import python_sources
from cfglint.source.files.scripts import PAGES, SCRIPTS

_PROGRAM = ".py"
#: A program that names a file more often does more with it.
_MOST = 20
#: A trainer that is made: the program trains by itself.
_TRAINS = lazy_pattern(r"\b[A-Z]\w{0,60}Trainer\(")
#: What is behind a path, or a variable for one, that is written to.
_WRITTEN = r"""\)?[ ]?(?:,[ ]?(?:mode=)?["'][wx]|\)?\.write_text\(|\)?\.open\(["'][wx])"""


def why_output(file: SearchedFile) -> str:
    """Why a file is no more than what a program writes; empty for any other."""
    # What is handed on may be so by the program itself.
    program = "" if file.is_handed_on else _writer_of(file)
    if not program or _starts_runs(file):
        return ""
    return f"{file.inside(program)} writes this file, and nothing starts a run with it."


def _writer_of(file: SearchedFile) -> str:
    """The program that writes a file; empty if it may be used."""
    writer = ""
    for path, written in file.others():
        if path.endswith(PAGES):
            continue
        if written is None:
            return ""
        if file.name not in written:
            continue
        text = file.in_force(path, written)
        if path.endswith(SCRIPTS) and file.name in text:
            return ""
        if path.endswith(_PROGRAM) and _writes(text, file.name):
            if file.marks.starts_in(text) or not _TRAINS.search(text):
                return ""
            writer = path
        elif re.search(rf"""["'/]{re.escape(file.name)}["']""", text):
            return ""
    return writer


def _starts_runs(file: SearchedFile) -> bool:
    """Whether a program of the project starts runs: it may be given the path."""
    programs = python_sources(file.around, file.root).values()
    return any(text is not None and file.marks.starts_in(text) for text in programs)


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
