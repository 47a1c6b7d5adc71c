"""Which repository a folder is part of."""

from __future__ import annotations

import os

from cfglint.source.files.base import Files


def repository_root(folder: str, files: Files) -> str | None:
    """The top of the git work tree that a folder lies in; None outside one."""
    folder = os.path.abspath(folder)
    while not files.has(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder
