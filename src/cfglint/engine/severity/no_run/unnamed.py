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
from cfglint.engine.file_report import FileReport
from cfglint.engine.severity.no_run.idle_variables import without_idle_variables
from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.environment.project.naming import may_compose, mentions
from cfglint.environment.project_texts import MANY, OTHERS, project_texts
from cfglint.environment.python_sources import python_sources
from cfglint.knowledge import compiled
from cfglint.knowledge.marks import Marks, all_marks, launchers
from cfglint.source.files.scripts import PAGES, SCRIPTS

#: Files that put no names together: what they name is written out.
_WRITTEN_OUT = (".toml", ".cfg", ".lock")
#: What a line has that is a command: an option, or a program that starts others.
_COMMAND = lazy_pattern(r"[ \t]--?\w|\b(?:python\d?|bash|sh|srun|sbatch|\w{0,20}run|launch)[ \t]")
#: A line of a drawing of folders: `├── ds.json`, `|-- ds.json`.
_DRAWN = lazy_pattern(r"(?m)^[ \t|│]{0,80}(?:[├└]|(?:\||`|\+)--[ \t-])[^\n]*")
#: The check of keys that no release has.
_UNKNOWN = "unknown-key"
#: A page about another repository, which has its own programs.
_CLONES = lazy_pattern(r"\bgit[ \t]+clone\b|(?m:^[ \t>$]{0,9}cd[ \t]+\.\./)")
#: A program in a command.
_PROGRAM = lazy_pattern(r"(?<![\w.*$}-])([\w.-]{1,100}\.py)\b")
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
    texts, idle, is_started = _texts(file)
    others = [(path, text) for path, text in texts if path != file.path]
    if not others or not (
        is_started
        or (file.is_second and _has_programs(others))
        or _is_of_other_programs(others, file.marks)
    ):
        return ""
    naming = [
        text for path, text in others if names_it(text, path, file, in_prose=file.is_handed_on)
    ]
    if not naming:
        if file.name in idle:
            return _KEPT
        return _LISTED if any(_lists(text, path, file.name) for path, text in others) else _UNNAMED
    return _PRINTED if all(_only_prints(text, file.name) for text in naming) else ""


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


def names_it(text: str, path: str, file: SearchedFile, *, in_prose: bool = True) -> bool:
    """Whether the text of a file names the one that is checked, or puts a name together that may be its.

    A text that has another file of its kind beside it written out puts together the name of that one.

    Args:
        path: the file with the text.
        in_prose: the sentences of a page may name it, too, and not its commands alone.
    """
    if path.endswith(PAGES):
        text = _DRAWN.sub("", text)
        if _is_of_missing_programs(text, file):
            return False
        if not in_prose:
            text = "\n".join(line for line in text.splitlines() if _COMMAND.search(line))
    if mentions(text, file.path, os.path.dirname(path)):
        return True
    if path.endswith(_WRITTEN_OUT) or not _is_about(text, file.marks):
        return False
    others = file.others_of_its_kind if file.is_second else ()
    return may_compose(text, file.path) and not any(one in text for one in others)


def _lists(text: str, path: str, name: str) -> bool:
    """Whether a page has a drawing of folders with a file of some name."""
    return path.endswith(PAGES) and any(name in line for line in _DRAWN.findall(text))


def _is_of_missing_programs(text: str, file: SearchedFile) -> bool:
    """Whether all commands of a page that name a file start programs which the project does not have.

    Those of a framework are in its clone, and those of another repository in that of it.
    """
    if file.name not in text or _CLONES.search(text) is not None:
        return False
    lines = text.replace("\\\n", " ").splitlines()
    commands = [line for line in lines if file.name in line and _COMMAND.search(line)]
    started = [{found[1] for found in _PROGRAM.finditer(line)} for line in commands]
    if not all(started) or not started:
        return False
    sources = python_sources(file.around, file.root)
    known = _programs_of_clones() | {os.path.basename(one) for one in sources}
    return bool(sources) and known.isdisjoint(set().union(*started))


@lru_cache(maxsize=1)
def _programs_of_clones() -> frozenset[str]:
    """The names of the files of frameworks' own repositories that start runs."""
    starters = (one.starter for one in all_marks())
    return frozenset(
        os.path.basename(path) for one in starters if one is not None for path in one.files
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


def texts_of_project(file: SearchedFile) -> list[tuple[str, str]]:
    """(path, text) of all other files of a repository that may name one, without comments; nothing unless all are read."""
    return [row for row in _texts(file)[0] if row[0] != file.path]


def _texts(file: SearchedFile) -> tuple[tuple[tuple[str, str], ...], str, bool]:
    """(path, text) of all files of a repository that may name others; nothing unless all are known to be read.

    And the lines of scripts that name files for nothing, and whether one of the texts has a command that starts a
    training, or names the settings of one.
    """
    around, root = file.around, file.root

    def look() -> tuple[tuple[tuple[str, str], ...], str, bool]:
        if not around.files.has(os.path.join(root, ".git")):
            return (), "", False
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
            return (), "", False
        commands = [f"{command} " for one in launchers() for command in one.commands]
        starts = [text for path, text in scripts if path.endswith(SCRIPTS)]
        is_started = any(text and command in text for text in starts for command in commands)
        is_started = is_started or any(_naming().search(text) for _, text in found)
        # A name in a comment starts nothing; one in the prose of a page may be all that there is.
        in_force = [(path, file.in_force(path, text)) for path, text in found]
        return (*without_idle_variables(in_force), is_started)

    return around.memory.once(("texts that may name files", root), look)


@lru_cache(maxsize=1)
def _naming() -> re.Pattern[str]:
    """A config or a program with the name of a file of settings, which is a start, too."""
    rows = compiled.load("frameworks").FRAMEWORKS.items()
    names = "|".join(name for name, row in rows if row["named_by_others"])
    return re.compile(
        rf"""\b(?:{names})["']?[ \t]{{0,9}}[:=][ \t]{{0,9}}["']?[\w./-]{{1,200}}\.json\b"""
    )
