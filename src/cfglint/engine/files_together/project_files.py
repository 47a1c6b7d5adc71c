"""Which files of a project may be changed without being named on the command line: those that a program loads, for one.

A stranger's program can name any file. Only one that a search of the project would find is changed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection

from cfglint.engine.file_report import FileReport
from cfglint.engine.files_together.discovery import is_left_out
from cfglint.environment.python_sources import project_root
from cfglint.environment.surroundings import Surroundings
from cfglint.source.files.repository import repository_root


def may_be_changed(path: str, around: Surroundings, excludes: Callable[[str], bool]) -> bool:
    """Whether a search of the project finds a file.

    Not found is what lies outside of the repository (without one: outside of the folder of the program) or in
    another one inside of it, what git ignores, what the settings exclude, hidden folders and those of packages.

    Args:
        around: of the program.
        excludes: whether the settings exclude a path.
    """
    if around.folder is None or excludes(path):
        return False
    files = around.files
    try:
        root = files.real(project_root(around, around.folder))
        real = files.real(path)
        folder = os.path.dirname(real)
        if not real.startswith(os.path.join(root, "")):
            return False
        repository = repository_root(folder, files)
        if repository is not None and repository != repository_root(root, files):
            return False
        return not is_left_out(real, root, files)
    except OSError:
        return False


def changeable(
    report: FileReport,
    around: Surroundings,
    in_run: Collection[str],
    excludes: Callable[[str], bool],
) -> FileReport:
    """The report on a file that another one names, without fixes unless the file is one of the project's.

    Args:
        around: of the file that names it.
        in_run: the files that are checked on their own account, links resolved.
        excludes: whether the settings exclude a path.
    """
    if not any(found.fixes for found in report.diagnostics):
        return report
    if around.files.real(report.path) in in_run or may_be_changed(report.path, around, excludes):
        return report
    return report.without_fixes()
