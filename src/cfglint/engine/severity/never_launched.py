"""The settings of a launcher that no command of the project calls.

Where scripts start the trainings with other launchers, and a settings file is named by what prepares such settings alone
(`LAUNCHER config` writes one), nothing reads it.
"""

from __future__ import annotations

import os
import re

from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.environment.project.naming import text_in_force
from cfglint.environment.project_texts import MANY, every_text, project_texts
from cfglint.environment.python_sources import project_root
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge.marks import Launcher, all_marks, launchers, marks_of
from cfglint.source.files.scripts import SCRIPTS

#: People take the command that a page leaves out from elsewhere.
_PAGE = ".md"
#: So many folders between a file and a program are more than one that starts something with it has.
_DEEP = 3


def why_never_launched(_: FileReport, case: Case) -> str:
    """Why nothing reads a launcher's settings; empty where a command may, and for any other file."""
    launcher, around = marks_of(case.framework.name).launcher, case.around
    if launcher is None or not launcher.settings or around.folder is None:
        return ""
    if around.launches or around.named_by or not around.path:
        return ""
    root = project_root(around, around.folder)
    is_other = around.memory.once(
        ("started by others than", launcher.name, around.folder),
        lambda: _is_started_by_others(launcher, around, root),
    )
    if not is_other or _is_named(os.path.abspath(around.path), around, root):
        return ""
    return f"No command of the project calls {launcher.commands[0]}, which alone reads this file."


def _is_started_by_others(launcher: Launcher, around: Surroundings, root: str) -> bool:
    """Whether scripts have commands of other launchers, and nothing may have one of this launcher."""
    scripts = project_texts(around, root)
    if len(scripts) >= MANY:
        return False
    called = re.compile("|".join(map(_pattern, launcher.commands)))
    handing = [
        marks
        for marks in all_marks()
        if marks.starter is not None and marks.starter.launched_with == launcher.name
    ]
    for path, text in every_text(around, root):
        if text is None:
            if _is_beside_the_point(path, around):
                continue
            return False
        if called.search(text) or any(marks.starts_in(text) for marks in handing):
            return False
    others = [f"{name} " for one in launchers() if one != launcher for name in one.commands]
    return any(
        text is not None
        and path.endswith(SCRIPTS)
        and not path.endswith(_PAGE)
        and any(name in text_in_force(path, text) for name in others)
        for path, text in scripts
    )


def _pattern(command: str) -> str:
    """The words of a command in a line, or in a list of texts."""
    return r"[ \t\"',]{1,9}".join(map(re.escape, command.split()))


def _is_named(own: str, around: Surroundings, root: str) -> bool:
    """Whether anything but a script names a file: a page shows it to people, a program or a config may load it."""
    scripts = {path for path, _ in project_texts(around, root) if not path.endswith(_PAGE)}
    name = os.path.basename(own)
    return any(
        not _is_beside_the_point(path, around) if text is None else name in text
        for path, text in every_text(around, root)
        if path != own and path not in scripts
    )


def _is_beside_the_point(path: str, around: Surroundings) -> bool:
    """Whether a file that is not read is data, or one of the programs that runs have kept below the settings' folder."""
    inner = os.path.relpath(path, around.folder)
    return path.endswith(".json") or (
        path.endswith(".py") and inner.count(os.sep) >= _DEEP and not inner.startswith(os.pardir)
    )
