"""What is wrong with the words of a script's commands, as the files show that they start.

Such a script has no settings of its own. Its commands are judged with the configs that they start.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import islice

from cfglint.answers.preflight.launched import RunPart, of_path
from cfglint.base.type_names import Final
from cfglint.engine.file_report import FileReport
from cfglint.engine.runner import Runner
from cfglint.engine.session import RunError
from cfglint.knowledge.recognition import language_of
from cfglint.source.files.base import Files
from cfglint.source.files.folders import climb, is_inside

#: Of more files that one script starts, the first are checked with it.
_MOST: Final = 10


def started_parts(path: str, files: Files) -> Iterator[RunPart]:
    """The configs and programs that a script starts, as far as they are there, and of its project."""
    if language_of(path) != "shell":
        return
    try:
        parts = of_path(path, files).parts
    except RunError:
        return
    root, _ = climb(os.path.dirname(os.path.abspath(path)), files)
    there = (one for one in parts if one.role in ("config", "program") and not one.missing)
    own = (one for one in there if is_inside(os.path.abspath(one.path), root, files))
    yield from islice(own, _MOST)


def reports_on_script(
    path: str, runner: Runner, leaves_out: Callable[[str], bool] = lambda _path: False
) -> Iterator[FileReport]:
    """What is found in a script when the files that it starts are checked; nothing is changed.

    Args:
        runner: one that does not fix.
        leaves_out: which of these files are not looked at, such as those that the same run checks.
    """
    files = runner.session.files
    real = files.real(path)
    runner = runner.of_script(os.path.abspath(path))
    for part in started_parts(path, files):
        if leaves_out(part.path):
            continue
        reader = runner.reading_as(part.framework) if part.framework else runner
        try:
            report = reader.check_file(os.path.abspath(part.path), named=bool(part.framework))
        except RunError:
            continue  # the file itself says why
        if report is not None:
            yield from (one for one in report.elsewhere if files.real(one.path) == real)
