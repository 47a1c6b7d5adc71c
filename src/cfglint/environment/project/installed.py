"""The packages of the Python environment that is in use, from their metadata, read as text."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.stated_versions import WANTED, Place, Source, Statement, normalized
from cfglint.source.files.base import Files
from cfglint.source.files.nearby import decoded

_FOLDER = lazy_pattern(r"([A-Za-z0-9._]+)-([^-]+)\.dist-info")
_MAX_METADATA = 262_144


def installed(files: Files, environment: Mapping[str, str] | None = None) -> Source | None:
    """What is installed for the `python` of a shell; None when there is none.

    `VIRTUAL_ENV` wins over `PATH`, as in the shell itself. Nothing of the environment is run.
    """
    variables = os.environ if environment is None else environment
    prefix = variables.get("VIRTUAL_ENV") or variables.get("CONDA_PREFIX")
    if not prefix:
        path = variables.get("PATH", "")
        python = shutil.which("python", path=path) or shutil.which("python3", path=path)
        if python is None:
            return None
        prefix = os.path.dirname(os.path.dirname(os.path.abspath(python)))
    statements: list[Statement] = []
    for folder in _site_packages(prefix, files):
        statements += _statements(folder, files)
    if not statements:
        return None
    return Source(prefix, "installed", 0, tuple(statements), complete=True)


def _site_packages(prefix: str, files: Files) -> Iterator[str]:
    yield os.path.join(prefix, "Lib", "site-packages")
    for lib in ("lib", "lib64"):
        try:
            names = sorted(files.names(os.path.join(prefix, lib)))
        except OSError:
            continue
        for name in names:
            if name.startswith("python3"):
                yield os.path.join(prefix, lib, name, "site-packages")
                yield os.path.join(prefix, lib, name, "dist-packages")


def _statements(folder: str, files: Files) -> Iterator[Statement]:
    try:
        names = sorted(files.names(folder))
    except OSError:
        return
    for name in names:
        match = _FOLDER.fullmatch(name)
        if match is None or normalized(match.group(1)) not in WANTED:
            continue
        home = os.path.join(folder, name)
        metadata = os.path.join(home, "METADATA")
        version = match.group(2)
        line = 1
        for number, text in enumerate(decoded(metadata, _MAX_METADATA, files).splitlines(), 1):
            if not text:
                break
            if text.startswith("Version: "):
                version, line = text[len("Version: ") :].strip(), number
                break
        yield Statement(
            normalized(match.group(1)), Place(metadata, line), version, commit=_commit(home, files)
        )


def _commit(home: str, files: Files) -> str | None:
    """The commit that a package was installed from, which is more precise than its version."""
    text = decoded(os.path.join(home, "direct_url.json"), _MAX_METADATA, files)
    if not text:
        return None
    try:
        found = json.loads(text)["vcs_info"]["commit_id"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return found if isinstance(found, str) and re.fullmatch("[0-9a-f]{40}", found) else None
