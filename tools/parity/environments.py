"""Small virtual environments to run releases in: one for each Python and pydantic."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from tools.parity.release import Prepared, ReleaseError

if TYPE_CHECKING:
    from collections.abc import Sequence

#: What a validator needs beside pydantic; the heavy rest is stood in for.
_PACKAGES = ("addict", "PyYAML", "pillow", "packaging")
#: The older pydantic releases have no builds for later Pythons.
_NOT_LATER_THAN = SpecifierSet("<3.13")
_MINORS = (12, 11, 10)


def environment(release: Prepared, cache: Path, interpreters: Sequence[str] = ()) -> Path:
    """The Python of an environment that can run the release; built when there is none yet."""
    base, version = _interpreter(release.python, interpreters)
    folder = cache / "environments" / f"python{version}-pydantic{release.pydantic}"
    python = folder / "bin" / "python"
    finished = folder / "finished"
    if not finished.is_file():
        shutil.rmtree(folder, ignore_errors=True)
        _run([base, "-m", "venv", str(folder)])
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _run([*install, f"pydantic=={release.pydantic}", *_PACKAGES])
        finished.touch()
    return python


def _interpreter(wanted: SpecifierSet, given: Sequence[str]) -> tuple[str, str]:
    allowed = wanted & _NOT_LATER_THAN
    for candidate in (*given, sys.executable, *_installed()):
        version = _version(candidate)
        if version and version in allowed:
            return candidate, ".".join(version.split(".")[:2])
    raise ReleaseError(f"no Python that is {allowed} was found; name one with --python")


def _installed() -> list[str]:
    """Other Pythons of this machine: on the path, and those that pyenv keeps."""
    names = [shutil.which(f"python3.{minor}") for minor in _MINORS]
    kept = Path.home() / ".pyenv" / "versions"
    below = [str(path) for minor in _MINORS for path in kept.glob(f"3.{minor}.*/bin/python")]
    return [name for name in names if name] + below


@lru_cache
def _version(python: str) -> str:
    code = "import sys; print('.'.join(map(str, sys.version_info[:3])))"
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        tail = "\n".join(done.stderr.strip().splitlines()[-5:])
        raise ReleaseError(f"{' '.join(command)} failed:\n{tail}")
