"""The configs and programs that a named script starts, for the remark on a script without settings of its own."""

from __future__ import annotations

from cfglint.knowledge import recognition
from cfglint.source.files.base import Files
from cfglint.source.files.links import read_inside

#: Larger scripts are not looked into, in bytes.
_MAX_BYTES = 1_000_000


def started_by(path: str, files: Files) -> tuple[str, ...]:
    """The configs that the commands of a script start, as they are written there, and the programs that are there."""
    if recognition.language_of(path) != "shell":
        return ()
    from cfglint.runs.starts.commands import read

    try:
        text = read_inside(path, _MAX_BYTES, files).decode("utf-8", "replace")
    except OSError:
        return ()
    configs = [start.config.text for start in read(path, text)]
    return tuple(dict.fromkeys([*configs, *_programs(path, files)]))


def _programs(path: str, files: Files) -> list[str]:
    """The programs of the project that a script names."""
    from cfglint.answers.preflight.launched import of_path
    from cfglint.engine.session import RunError

    try:
        parts = of_path(path, files).parts
    except RunError:
        return []
    return [part.path for part in parts if part.role == "program" and not part.missing]
