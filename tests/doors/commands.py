"""Commands of other programs."""

from __future__ import annotations

import subprocess
from pathlib import Path


def finished(command: list[str], folder: Path, env: dict[str, str] | None = None) -> str:
    """What a command says; it has to succeed."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout
