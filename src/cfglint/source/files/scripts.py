"""The files of a project that have commands in them: scripts, and the pages that explain them."""

from __future__ import annotations

import os

from cfglint.base.paths import SCRIPT_SUFFIXES
from cfglint.source.files.base import Files

#: The ends of the names of scripts and pages.
SCRIPTS = (*SCRIPT_SUFFIXES, ".md")
#: Those of pages, which tell of all that there is.
PAGES = (".md", ".rst")
_NAMES = ("Makefile", "makefile", "justfile")
SKIPPED = frozenset({"build", "dist", "node_modules", "site-packages", "venv", "wandb"})
#: The maximum number of files that are examined in one project.
_MAX_FILES = 300
_MAX_FOLDERS = 400


def scripts_below(root: str, files: Files, suffixes: tuple[str, ...] = SCRIPTS) -> list[str]:
    """The paths of such files below a folder, those of the upper folders first.

    Args:
        suffixes: the ends of their names.
    """
    folders, found = [root], []
    for folder in folders:
        try:
            entries = sorted(files.entries(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            path, name = os.path.join(folder, entry.name), entry.name
            if entry.kind == "folder":
                if name[0] != "." and name not in SKIPPED and len(folders) < _MAX_FOLDERS:
                    folders.append(path)
            elif entry.kind == "file" and (name.endswith(suffixes) or name in _NAMES):
                found.append(path)
                if len(found) == _MAX_FILES:
                    return found
    return found
