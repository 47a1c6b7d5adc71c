"""Which fixes were made, finding by finding."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.engine.file_report import FileReport
from cfglint.report.escaping import visible, visible_path


def render(files: Iterable[FileReport], *, dry: bool) -> str:
    """A line for each fix below the name of its file.

    Args:
        dry: the fixes were computed, and no file was changed.
    """
    lines = []
    for file in files:
        if file.fixed:
            lines.append(f"{'Would fix' if dry else 'Fixed'} in {visible_path(file.path)}:")
            lines += [f"  {visible(fix.code)}  {visible(fix.title)}" for fix in file.fixed]
    return "".join(f"{line}\n" for line in lines)
