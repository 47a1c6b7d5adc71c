"""Git, for the commands that read a clone."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git(folder: Path, *arguments: str) -> str:
    """What git prints in a folder.

    Raises:
        subprocess.CalledProcessError: git refuses.
    """
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], capture_output=True, check=True, text=True
    )
    return done.stdout
