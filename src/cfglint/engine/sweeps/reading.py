"""Reads a sweep file."""

from __future__ import annotations

import os

from cfglint.runs.settings.sweeps import SweepFile, sweep_from_bytes
from cfglint.source.files.base import Files
from cfglint.source.files.links import read_inside
from cfglint.source.text import MAX_BYTES


def read_sweep(path: str, files: Files) -> SweepFile:
    """Read a sweep file that the user named.

    Raises:
        OSError: it cannot be opened or read.
    """
    return sweep_from_bytes(
        os.path.abspath(path), read_inside(path, MAX_BYTES + 1, files, pipes=True)
    )
