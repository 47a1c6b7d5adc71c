"""The texts of a project that may name a file of a search: a command, a program, a page or another config."""

from __future__ import annotations

import os
import re
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple
from cfglint.engine.severity.no_run.idle_variables import without_idle_variables
from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.environment.project.naming import mentions
from cfglint.environment.project_texts import every_text, may_lack_some, project_texts
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
#: A page about another repository, which has its own programs.
_CLONES = lazy_pattern(r"\bgit[ \t]+clone\b|(?m:^[ \t>$]{0,9}cd[ \t]+\.\./)")
#: A program in a command.
_PROGRAM = lazy_pattern(r"(?<![\w.*$}-])([\w.-]{1,100}\.py)\b")


class NamingTexts(NamedTuple):
    """The files of a repository that may name others; none unless all are known to be read."""

    #: (path, text) of each, without comments, and without the lines of scripts that name files for nothing.
    rows: tuple[tuple[str, str], ...] = ()
    #: These lines.
    idle: str = ""
    #: Whether one of them has a command that starts a training, or names the settings of one.
    is_started: bool = False


def naming_texts(file: SearchedFile) -> NamingTexts:
    """All texts of a file's repository that may name files."""
    around, root = file.around, file.root

    def look() -> NamingTexts:
        if not around.files.has(os.path.join(root, ".git")) or may_lack_some(around, root):
            return NamingTexts()
        every = every_text(around, root)
        found = [(path, text) for path, text in every if text is not None]
        if len(found) < len(every):
            return NamingTexts()
        commands = [f"{command} " for one in launchers() for command in one.commands]
        scripts = project_texts(around, root)
        starts = [text for path, text in scripts if text and path.endswith(SCRIPTS)]
        is_started = any(command in text for text in starts for command in commands)
        is_started = is_started or any(_naming().search(text) for _, text in found)
        # A name in a comment starts nothing; one in the prose of a page may be all that there is.
        in_force = [(path, file.in_force(path, text)) for path, text in found]
        return NamingTexts(*without_idle_variables(in_force), is_started)

    return around.memory.once(("texts that may name files", root), look)


def other_texts(file: SearchedFile) -> list[tuple[str, str]]:
    """(path, text) of those without the file itself."""
    return [row for row in naming_texts(file).rows if row[0] != file.path]


def names_it(text: str, path: str, file: SearchedFile, *, in_prose: bool = True) -> bool:
    """Whether the text of a file names the one that is checked, or puts a name together that may be its.

    A text that has another file of its kind beside it written out puts together the name of that one.

    Args:
        path: the file with the text.
        in_prose: the sentences of a page may name it, too, and not its commands alone.
    """
    if path.endswith(PAGES):
        text = _without_drawings(text, path, file)
        if _is_of_missing_programs(text, file):
            return False
        if not in_prose:
            text = "\n".join(line for line in text.splitlines() if _COMMAND.search(line))
    if mentions(text, file.path, os.path.dirname(path)):
        return True
    if path.endswith(_WRITTEN_OUT) or not is_about(text, file.marks):
        return False
    others = file.others_of_its_kind if file.is_second else ()
    return file.may_be_composed_in(text) and not any(one in text for one in others)


def _without_drawings(text: str, path: str, file: SearchedFile) -> str:
    """The text of a page without its drawings of folders, which are looked for once a run."""
    return file.around.memory.once(("without drawings", path), lambda: _DRAWN.sub("", text))


def is_listed_in(text: str, path: str, name: str) -> bool:
    """Whether a page has a drawing of folders with a file of some name."""
    return path.endswith(PAGES) and any(name in line for line in _DRAWN.findall(text))


def is_about(text: str, marks: Marks) -> bool:
    """Whether a text has a word of a framework."""
    lowered = text.lower()
    return any(word in lowered for word in marks.words or (marks.package,))


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


@lru_cache(maxsize=1)
def _naming() -> re.Pattern[str]:
    """A config or a program with the name of a file of settings, which is a start, too."""
    rows = compiled.load("frameworks").FRAMEWORKS.items()
    names = "|".join(name for name, row in rows if row["named_by_others"])
    return re.compile(
        rf"""\b(?:{names})["']?[ \t]{{0,9}}[:=][ \t]{{0,9}}["']?[\w./-]{{1,200}}\.json\b"""
    )
