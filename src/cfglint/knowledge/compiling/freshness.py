"""Keeps the compiled rules of a checkout in step with the rule files."""

from __future__ import annotations

import os

from cfglint.base.type_names import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_STAMP = "stamp.txt"
#: Rule files that may be newer than the compiled modules, since a test takes their rules from them.
TOLERATED: set[str] = set()


def refresh(rules: str, compiled: str) -> None:
    """Compile `rules` into the package folder `compiled` unless that was done since they changed.

    Raises:
        RuleFileError: a rule file is malformed.
    """
    stamp = _fingerprint(rules)
    stamp_path = os.path.join(compiled, _STAMP)
    try:
        with open(stamp_path, encoding="utf-8") as file:
            known = file.read()
            if known == stamp or (TOLERATED and _differing(known, stamp) <= TOLERATED):
                return
    except OSError:
        pass
    # From here on a run takes many seconds; every other start in a checkout goes without these.
    from pathlib import Path

    write(Path(rules), Path(compiled))
    _replace(Path(stamp_path), stamp)


def changed_files(rules: str, compiled: str) -> set[str]:
    """The sources that have changed since they were compiled; all of them if they never were."""
    try:
        with open(os.path.join(compiled, _STAMP), encoding="utf-8") as file:
            known = file.read()
    except OSError:
        known = ""
    return _differing(known, _fingerprint(rules))


def _differing(before: str, after: str) -> set[str]:
    lines = set(before.splitlines()) ^ set(after.splitlines())
    return {line.partition("\0")[0] for line in lines}


def write(rules: Path, compiled: Path) -> None:
    """Compile a rules folder into Python modules below `compiled`."""
    from cfglint.knowledge.compiling.modules import build

    modules = build(rules)
    compiled.mkdir(parents=True, exist_ok=True)
    for name, text in modules.items():
        _replace(compiled / name, text)
    for stale in compiled.glob("*.py"):
        if stale.name not in modules:
            stale.unlink()


def _replace(path: Path, text: str) -> None:
    """Write a file whole: another process may be importing it."""
    import tempfile

    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(temporary, path)


def _fingerprint(rules: str) -> str:
    """Each source of the compiled modules with its time and size, a line each.

    Every start in a checkout makes it, so that it neither imports nor hashes anything.
    """
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    lines: list[str] = []
    _list_sources(rules, lines)
    for name in ("knowledge/compiling", "knowledge/rules", "frameworks"):
        _list_sources(os.path.join(package, *name.split("/")), lines)
    return "".join(sorted(lines))


def _list_sources(folder: str, lines: list[str]) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith((".yaml", ".json", ".py")):
                status = entry.stat()
                lines.append(f"{entry.path}\0{status.st_mtime_ns}\0{status.st_size}\n")
            elif entry.is_dir():
                _list_sources(entry.path, lines)
