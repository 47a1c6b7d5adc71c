"""The configs that a named script starts, for the remark on a script that has no settings itself."""

from __future__ import annotations

from cfglint.files.base import Files
from cfglint.files.links import read_inside
from cfglint.knowledge import recognition

#: Larger scripts are not looked into, in bytes.
_MAX_BYTES = 1_000_000


def started_by(path: str, files: Files) -> tuple[str, ...]:
    """The configs that the commands of a script start, as they are written there."""
    if recognition.language_of(path) != "shell":
        return ()
    from cfglint.runs.starts.commands import read

    try:
        text = read_inside(path, _MAX_BYTES, files).decode("utf-8", "replace")
    except OSError:
        return ()
    return tuple(dict.fromkeys(start.config.text for start in read(path, text)))
