"""The settings of a launcher that no command of the project calls.

Where scripts start the trainings with other launchers, and a settings file is named by what prepares such settings alone
(`LAUNCHER config` writes one), nothing reads it.
"""

from __future__ import annotations

import os
import re

from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.environment.project_texts import MANY, every_text, project_texts
from cfglint.knowledge.marks import Launcher, all_marks, launchers
from cfglint.source.files.scripts import PAGES, SCRIPTS

#: So many folders between a file and a program are more than one that starts something with it has.
_DEEP = 3


def why_never_launched(file: SearchedFile) -> str:
    """Why nothing reads a launcher's settings; empty where a command may, and for any other file."""
    launcher, around = file.marks.launcher, file.around
    if launcher is None or not launcher.settings or around.named_by:
        return ""
    is_other = around.memory.once(
        ("started by others than", launcher.name, file.folder),
        lambda: _is_started_by_others(launcher, file),
    )
    if not is_other or _is_named(file):
        return ""
    return f"No command of the project calls {launcher.commands[0]}, which alone reads this file."


def _is_started_by_others(launcher: Launcher, file: SearchedFile) -> bool:
    """Whether scripts have commands of other launchers, and nothing may have one of this launcher."""
    scripts = project_texts(file.around, file.root)
    if len(scripts) >= MANY:
        return False
    called = re.compile("|".join(map(_pattern, launcher.commands)))
    handing = [
        marks
        for marks in all_marks()
        if marks.starter is not None and marks.starter.launched_with == launcher.name
    ]
    for path, text in every_text(file.around, file.root):
        if text is None:
            if _is_kept_by_runs(path, file):
                continue
            return False
        if called.search(text) or any(marks.starts_in(text) for marks in handing):
            return False
    others = [f"{name} " for one in launchers() if one != launcher for name in one.commands]
    return any(
        text is not None
        and path.endswith(SCRIPTS)
        and not path.endswith(PAGES)
        and any(name in file.in_force(path, text) for name in others)
        for path, text in scripts
    )


def _pattern(command: str) -> str:
    """The words of a command in a line, or in a list of texts."""
    return r"[ \t\"',]{1,9}".join(map(re.escape, command.split()))


def _is_named(file: SearchedFile) -> bool:
    """Whether anything but a script names a file: a page shows it to people, a program or a config may load it."""
    scripts = {path for path, _ in project_texts(file.around, file.root)}
    return any(
        not _is_kept_by_runs(path, file) if text is None else file.name in text
        for path, text in file.others()
        if path.endswith(PAGES) or path not in scripts
    )


def _is_kept_by_runs(path: str, file: SearchedFile) -> bool:
    """Whether a file that is not read is one of the programs that runs have kept below the settings' folder."""
    inner = os.path.relpath(path, file.folder)
    is_deep = inner.count(os.sep) >= _DEEP and not inner.startswith(os.pardir)
    return path.endswith(".py") and is_deep
