"""Files that nothing in their project names.

A settings file is read because a command, a program or another config names it. Where a project has commands
that start trainings and none of its files names this one, no run is known that would meet what is found in it.
Of a kind of file that others always name, any program of the project will do.
"""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.file_report import FileReport
from cfglint.engine.severity.no_run.naming_texts import (
    is_about,
    is_listed_in,
    names_it,
    naming_texts,
    other_texts,
)
from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.knowledge.marks import Marks

#: The check of keys that no release has.
_UNKNOWN = "unknown-key"
_UNNAMED = "Nothing in the project names this file."
_KEPT = "Scripts keep its name in a variable, of which nothing in the project makes use."
_LISTED = "Nothing in the project names this file, except for a list of what is in its folders."
_PRINTED = "The project's programs print this file, and hand it to nothing."
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


def why_unnamed(file: SearchedFile) -> str:
    """Why no run is known that reads a file, as a sentence; empty where one may."""
    if file.around.named_by:
        return ""
    if not file.is_handed_on and not _is_like_none(file.report):
        # It may be the one that a person names.
        return ""
    texts, others = naming_texts(file), other_texts(file)
    if not others or not (
        texts.is_started
        or (file.is_second and _has_programs(others))
        or _is_of_other_programs(others, file.marks)
    ):
        return ""
    naming = [
        text for path, text in others if names_it(text, path, file, in_prose=file.is_handed_on)
    ]
    if not naming:
        if file.name in texts.idle:
            return _KEPT
        is_listed = any(is_listed_in(text, path, file.name) for path, text in others)
        return _LISTED if is_listed else _UNNAMED
    return _PRINTED if all(_only_prints(text, file.name) for text in naming) else ""


def _is_of_other_programs(texts: list[tuple[str, str]], marks: Marks) -> bool:
    """Whether there are programs, and nothing is about the framework of a file: they do without it."""
    return _has_programs(texts) and not any(is_about(text, marks) for _, text in texts)


def _has_programs(texts: list[tuple[str, str]]) -> bool:
    return any(path.endswith((".py", ".ipynb")) for path, _ in texts)


def _is_like_none(report: FileReport) -> bool:
    """Whether a file has keys that no release has, and that are no slips: it never ran as what it looks like."""
    return any(
        found.name == _UNKNOWN and found.severity == "error" and not found.meant
        for found in report.diagnostics
    )


def _only_prints(text: str, name: str) -> bool:
    """Whether a program loads a file once, and does nothing but print what it has loaded."""
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
