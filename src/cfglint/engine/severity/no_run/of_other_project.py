"""Files of a project of others that is kept to be read: `external/NAME/` with a page of its own, where nothing goes."""

from __future__ import annotations

import os
import re

from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.environment.project.foreign_projects import goes_to, project_of_others
from cfglint.environment.project_texts import every_text
from cfglint.source.files.folders import climb
from cfglint.source.files.scripts import SCRIPTS


def why_of_others(file: SearchedFile) -> str:
    """Why no run of this project reads a file of another one; empty for any other file."""
    around = file.around
    root, levels = climb(file.folder, around.files)
    top = project_of_others(levels, around.files)
    if not top or not around.files.has(os.path.join(root, ".git")):
        return ""
    is_used = around.memory.once(("project of others", top), lambda: _is_used(top, file))
    return (
        ""
        if is_used
        else f"`{file.inside(top)}` is a project of its own, and nothing outside uses it."
    )


def _is_used(folder: str, file: SearchedFile) -> bool:
    """Whether a script, a program or a config outside of a folder has a command or a path that leads there."""
    inside = os.path.join(folder, "")
    name = os.path.basename(folder)
    # In a text of a program, or as a part of a module's name; in a config wherever it is.
    quoted = re.compile(
        rf"[\"'][^\"'\n]{{0,200}}(?<![\w-]){re.escape(name)}(?![\w-])"
        rf"|^[ \t]*(?:from|import)[ \t][\w., \t]{{0,200}}\b{re.escape(name)}\b",
        re.MULTILINE,
    )
    for path, text in every_text(file.around, file.root):
        if path.startswith(inside):
            continue
        if text is None:
            if path == file.root:
                continue  # programs deep in other folders, of which there are too many
            return True
        if name not in text:
            continue
        if path.endswith(SCRIPTS) or os.path.basename(path).lower() in ("makefile", "justfile"):
            if goes_to(folder, path, text):
                return True
        elif not path.endswith(".py") or quoted.search(text):
            return True
    return False
