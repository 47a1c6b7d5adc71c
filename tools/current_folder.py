"""The current folder, for commands that run in this process."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator


@contextlib.contextmanager
def inside(folder: str | os.PathLike[str]) -> Iterator[None]:
    """Make a folder the current one for a while."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
