"""Paths as texts; nothing here looks at a disk."""

from __future__ import annotations

import os

#: How the names of shell scripts end, those for Slurm included.
SCRIPT_SUFFIXES = (".sh", ".bash", ".sbatch", ".slurm")


def relative_path(path: str, start: str | None = None) -> str:
    """A path from a folder (the current one by default); the absolute one from another drive."""
    absolute = os.path.abspath(path)
    try:
        return os.path.relpath(absolute, start if start is not None else os.curdir)
    except ValueError:
        return absolute
