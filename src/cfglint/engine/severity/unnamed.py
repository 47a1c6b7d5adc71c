"""Settings files that nothing in their project names.

Such a file is read because a command, a program or another config names it. Where a project has such commands
and none of its files names this one, no run is known that would meet what is found in it.
"""

from __future__ import annotations

import os
import re

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.environment.project.naming import mentions
from cfglint.environment.project_texts import CONFIGS, project_texts
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.environment.surroundings import Surroundings
from cfglint.files.scripts import SCRIPTS
from cfglint.knowledge.marks import launchers, marks_of, without_comments

_OTHERS = (*CONFIGS, ".ipynb", ".toml")
#: With as many files some may have been left out, and one of those may name it.
_MANY = 300
#: The end of a name that is put together: `f"{stage}.json"`, `$STAGE.yaml`, `"%s.json"`, `name + ".json"`.
#: A file that a program loads as a whole, and the variable for that.
_LOADED = lazy_pattern(
    r"""\bopen\([ ]?["']([\w./-]{1,200})["'][^)\n]{0,60}\)[ ]as[ ]\w{1,40}:\s{1,40}(\w{1,60})[ ]?=[ ]?json\.load\("""
)
_MADE = lazy_pattern(r"""(?:[}%\$*][\w.-]{0,40}|\+[ \t]{0,9}["'])\.(?:json|ya?ml)\b""")


def as_notes_if_unnamed(report: FileReport, case: Case) -> FileReport:
    """The report on a file of a search; if nothing names the file, notes in place of errors and warnings alone."""
    if not report.diagnostics or not _is_unnamed(case):
        return report
    reason = "Nothing in the project names this file."
    if case.around.folder is not None and _is_only_shown(case.around, case.around.folder):
        reason = "The project's programs print this file, and hand it to nothing."
    kept = tuple(
        found
        for found in report.diagnostics
        # What is only worth a note in a run is worth nothing without one.
        if found.severity != "note" or found.file is not None
    )
    return report.replaced(diagnostics=kept).as_notes(reason)


def _is_unnamed(case: Case) -> bool:
    around, launcher = case.around, marks_of(case.framework.name).launcher
    is_named_by_others = case.framework.row["named_by_others"] or (launcher and launcher.settings)
    if not is_named_by_others or around.named_by or around.launches or around.folder is None:
        return False
    if _is_only_shown(around, around.folder):
        return True
    texts = _texts(around, around.folder)
    own = os.path.abspath(around.path)
    return bool(texts) and not any(
        mentions(text, own, os.path.dirname(path)) for path, text in texts if path != own
    )


def _is_only_shown(around: Surroundings, folder: str) -> bool:
    """Whether programs load a file, and print what they have loaded, and nothing else of the project names it."""
    root, own = project_root(around, folder), os.path.abspath(around.path)

    def look() -> bool:
        programs = python_sources(around, root).items()
        naming = [
            (path, text)
            for path, text in programs
            if text is None or mentions(without_comments(text), own, os.path.dirname(path))
        ]
        if not naming or not all(text and _only_shows(text, own) for _, text in naming):
            return False
        others = (*project_texts(around, root), *project_texts(around, root, _OTHERS))
        return not any(
            mentions(text, own, os.path.dirname(path))
            if text is not None
            else not path.endswith(".json")  # so large that it is data
            for path, text in others
            if path != own
        )

    return around.memory.once(("only shown", own), look)


def _only_shows(text: str, path: str) -> bool:
    """Whether a program loads a file once, and does nothing but print what it has loaded."""
    name = os.path.basename(path)
    loaded = [match for match in _LOADED.finditer(text) if match[1].endswith(name)]
    if len(loaded) != 1 or text.count(name) != 1:
        return False
    used = re.compile(rf"\b{loaded[0][2]}\b")
    rest = text[: loaded[0].start()] + text[loaded[0].end() :]
    uses = [line.lstrip() for line in rest.splitlines() if used.search(line)]
    return bool(uses) and all(line.startswith(("print(", "#")) for line in uses)


def _texts(around: Surroundings, folder: str) -> tuple[tuple[str, str], ...]:
    """(path, text) of all files of a repository that may name others; nothing unless all are known to be read.

    Nothing, too, if no file has a command that starts a training, or one puts names together.
    """
    root = project_root(around, folder)

    def look() -> tuple[tuple[str, str], ...]:
        if not around.files.has(os.path.join(root, ".git")):
            return ()
        scripts, configs = project_texts(around, root), project_texts(around, root, _OTHERS)
        programs = python_sources(around, root).items()
        every = (*scripts, *configs, *programs)
        found = [(path, text) for path, text in every if text is not None]
        if len(found) < len(every) or max(len(scripts), len(configs)) >= _MANY:
            return ()
        scripts = [(path, text) for path, text in scripts if path.endswith(SCRIPTS)]
        commands = [f"{command} " for one in launchers() for command in one.commands]
        if not any(text and command in text for _, text in scripts for command in commands):
            return ()
        if any(text and _MADE.search(text) for _, text in (*scripts, *programs)):
            return ()
        # A name in a comment starts nothing; one in the prose of a page may be all that there is.
        return tuple(
            (path, without_comments(text) if path.endswith((".sh", ".py")) else text)
            for path, text in found
        )

    return around.memory.once(("texts that may name files", root), look)
