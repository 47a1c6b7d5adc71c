"""Files that nothing in their project names.

A settings file is read because a command, a program or another config names it. Where a project has commands
that start trainings and none of its files names this one, no run is known that would meet what is found in it.
Of a kind of file that others always name, any program of the project will do.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.environment.project.naming import may_compose, mentions, text_in_force
from cfglint.environment.project_texts import CONFIGS, MANY, OTHERS, project_texts
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge import compiled
from cfglint.knowledge.marks import Marks, launchers, marks_of
from cfglint.source.files.scripts import SCRIPTS

_LISTED = "Nothing in the project names this file, except for a list of what is in its folders."
#: A line of a drawing of folders: `├── ds.json`, `|-- ds.json`.
_DRAWN = lazy_pattern(r"(?m)^[ \t|│]{0,80}(?:[├└]|(?:\||`|\+)--[ \t-])[^\n]*")
_PAGES = (".md", ".rst")
#: Files that put no names together: what they name is written out.
_WRITTEN_OUT = (".toml", ".cfg", ".lock")
#: What a line has that is a command: an option, or a program that starts others.
_COMMAND = lazy_pattern(r"[ \t]--?\w|\b(?:python\d?|bash|sh|srun|sbatch|\w{0,20}run|launch)[ \t]")
#: The check of keys that no release has.
_UNKNOWN = "unknown-key"
_UNNAMED = "Nothing in the project names this file."
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


def as_notes_if_unnamed(report: FileReport, case: Case) -> FileReport:
    """The report on a file of a search; if nothing names the file, notes in place of errors and warnings alone."""
    reason = _why_unnamed(report, case) if report.diagnostics else ""
    if not reason:
        return report
    kept = tuple(
        found
        for found in report.diagnostics
        # What is only worth a note in a run is worth nothing without one.
        if found.severity != "note" or found.file is not None
    )
    return report.replaced(diagnostics=kept).as_notes(reason)


def _why_unnamed(report: FileReport, case: Case) -> str:
    """Why no run is known that reads a file, as a sentence; empty where one may."""
    around, marks = case.around, marks_of(case.framework.name)
    if around.named_by or around.launches or around.folder is None:
        return ""
    launcher = marks.launcher
    is_named_by_others = bool(
        case.framework.row["named_by_others"] or (launcher and launcher.settings)
    )
    if not around.path.endswith(CONFIGS):  # people start scripts and programs by hand
        return ""
    if not is_named_by_others and not _is_like_none(report):
        # It may be the one that a person names.
        return ""
    texts, is_started = _texts(around, around.folder)
    own = os.path.abspath(around.path)
    others = [(path, text) for path, text in texts if path != own]
    if not others or not (
        is_started
        or (case.framework.row["named_by_others"] and _has_programs(others))
        or _is_of_other_programs(others, marks)
    ):
        return ""
    beside = _others_beside(own, around) if case.framework.row["named_by_others"] else ()
    naming = [
        text
        for path, text in others
        if _names(text, path, own, marks, beside, in_prose=is_named_by_others)
    ]
    if not naming and _is_listed(os.path.basename(own), others):
        return _LISTED
    if not naming:
        return _UNNAMED
    return _PRINTED if all(_only_prints(text, own) for text in naming) else ""


def _is_listed(name: str, texts: list[tuple[str, str]]) -> bool:
    """Whether a page has a name in a drawing of folders."""
    return any(
        name in line[0]
        for path, text in texts
        if path.endswith(_PAGES) and name in text
        for line in _DRAWN.finditer(text)
    )


def _is_of_other_programs(texts: list[tuple[str, str]], marks: Marks) -> bool:
    """Whether there are programs, and nothing is about the framework of a file: they do without it."""
    return _has_programs(texts) and not any(_is_about(text, marks) for _, text in texts)


def _has_programs(texts: list[tuple[str, str]]) -> bool:
    return any(path.endswith((".py", ".ipynb")) for path, _ in texts)


def _is_about(text: str, marks: Marks) -> bool:
    lowered = text.lower()
    return any(word in lowered for word in marks.words or (marks.package,))


def _is_like_none(report: FileReport) -> bool:
    """Whether a file has keys that no release has, and that are no slips: it never ran as what it looks like."""
    return any(
        found.name == _UNKNOWN and found.severity == "error" and not found.meant
        for found in report.diagnostics
    )


def _others_beside(own: str, around: Surroundings) -> tuple[str, ...]:
    """The names of the files of its kind in a file's folder."""
    folder, name = os.path.split(own)
    ending = os.path.splitext(name)[1]
    try:
        names = around.files.names(folder)
    except OSError:
        return ()
    return tuple(one for one in names if one.endswith(ending) and one not in name and one != name)


def _names(
    text: str, path: str, own: str, marks: Marks, others: tuple[str, ...], *, in_prose: bool
) -> bool:
    """Whether the text of a file names another one, or puts a name together that may be its.

    Args:
        path: the file with the text.
        own: the other file.
        marks: those of its framework: a text that is not about that names none of its files.
        others: the files of its kind beside it: a text that has one of these written out means that one.
        in_prose: the sentences of a page may name it, too, and not its commands alone.
    """
    if path.endswith(_PAGES):
        text = _DRAWN.sub("", text)
    if not in_prose and path.endswith(_PAGES):
        text = "\n".join(line for line in text.splitlines() if _COMMAND.search(line))
    if mentions(text, own, os.path.dirname(path)):
        return True
    return not path.endswith(_WRITTEN_OUT) and (
        _is_about(text, marks) and may_compose(text, own) and not any(one in text for one in others)
    )


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


def _texts(around: Surroundings, folder: str) -> tuple[tuple[tuple[str, str], ...], bool]:
    """(path, text) of all files of a repository that may name others; nothing unless all are known to be read.

    And whether one of them has a command that starts a training, or names the settings of one.
    """
    root = project_root(around, folder)

    def look() -> tuple[tuple[tuple[str, str], ...], bool]:
        if not around.files.has(os.path.join(root, ".git")):
            return (), False
        scripts, configs = project_texts(around, root), project_texts(around, root, OTHERS)
        programs = python_sources(around, root).items()
        # A JSON too large to be read is data.
        every = [
            (path, text)
            for path, text in (*scripts, *configs, *programs)
            if text is not None or not path.endswith(".json")
        ]
        found = [(path, text) for path, text in every if text is not None]
        if len(found) < len(every) or max(len(scripts), len(configs)) >= MANY:
            return (), False
        commands = [f"{command} " for one in launchers() for command in one.commands]
        starts = [text for path, text in scripts if path.endswith(SCRIPTS)]
        is_started = any(text and command in text for text in starts for command in commands)
        is_started = is_started or any(_naming().search(text) for _, text in found)
        # A name in a comment starts nothing; one in the prose of a page may be all that there is.
        return tuple((path, text_in_force(path, text)) for path, text in found), is_started

    return around.memory.once(("texts that may name files", root), look)


@lru_cache(maxsize=1)
def _naming() -> re.Pattern[str]:
    """A config or a program with the name of a file of settings, which is a start, too."""
    rows = compiled.load("frameworks").FRAMEWORKS.items()
    names = "|".join(name for name, row in rows if row["named_by_others"])
    return re.compile(
        rf"""\b(?:{names})["']?[ \t]{{0,9}}[:=][ \t]{{0,9}}["']?[\w./-]{{1,200}}\.json\b"""
    )
