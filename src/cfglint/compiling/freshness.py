"""Keeps the compiled rules of a checkout in step with the rule files."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

_STAMP = "stamp.txt"


def refresh(rules: str, compiled: str) -> None:
    """Compile `rules` into the package folder `compiled` unless that was done since they changed.

    Raises:
        RuleFileError: a rule file is malformed.
    """
    stamp = _fingerprint(rules)
    stamp_path = os.path.join(compiled, _STAMP)
    with contextlib.suppress(OSError), open(stamp_path, encoding="utf-8") as file:
        if file.read() == stamp:
            return
    write(Path(rules), Path(compiled))
    _replace(Path(stamp_path), stamp)


def write(rules: Path, compiled: Path) -> None:
    """Compile a rules folder into Python modules below `compiled`."""
    from cfglint.compiling.modules import build

    modules = build(rules)
    compiled.mkdir(parents=True, exist_ok=True)
    for name, text in modules.items():
        _replace(compiled / name, text)
    for stale in compiled.glob("*.py"):
        if stale.name not in modules:
            stale.unlink()


def _replace(path: Path, text: str) -> None:
    """Write a file whole: another process may be importing it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(temporary, path)


def _fingerprint(rules: str) -> str:
    digest = hashlib.sha256()
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = [
        rules,
        *(os.path.join(package, name) for name in ("compiling", "rules", "frameworks")),
    ]
    for folder in folders:
        for root, subfolders, files in os.walk(folder):
            subfolders.sort()
            for name in sorted(files):
                if name.endswith((".yaml", ".json", ".py")):
                    path = os.path.join(root, name)
                    status = os.stat(path)
                    digest.update(f"{path}\0{status.st_mtime_ns}\0{status.st_size}\n".encode())
    return digest.hexdigest()
