"""The folders of a project: where it begins, and what is inside it."""

from __future__ import annotations

import os

from cfglint.source.files.base import Files

#: How many folders above the config are examined, in a repository and outside one.
MAX_LEVELS = 12
MAX_LEVELS_WITHOUT_REPOSITORY = 2

#: The root of a folder's project, and the folders from that one up.
Chain = tuple[str, tuple[str, ...]]


def is_inside(path: str, root: str, files: Files) -> bool:
    """Whether a path, its links followed, leads to something below a folder.

    Raises:
        OSError: it is not a path.
    """
    if os.path.splitdrive(path)[0] not in ("", os.path.splitdrive(root)[0]):
        # Following its links would ask another machine, on a Windows network.
        return False
    real, base = files.real(path), files.real(root)
    return real.startswith(base.rstrip(os.sep) + os.sep)


def climb(folder: str, files: Files) -> Chain:
    """(root of a folder's project, the folders from this one up to it)."""
    levels = []
    home = os.path.expanduser("~")
    current = folder
    for _ in range(MAX_LEVELS):
        levels.append(current)
        if files.has(os.path.join(current, ".git")):
            return current, tuple(levels)
        parent = os.path.dirname(current)
        if parent == current:
            break
        current = parent
    # No repository: only what is close or in a folder that was named, and nothing of the whole machine's or account's.
    named = [at for at, level in enumerate(levels) if level in files.tops]
    last = named[-1] if named else MAX_LEVELS_WITHOUT_REPOSITORY
    close = [
        level
        for at, level in enumerate(levels[: last + 1])
        if at == 0 or (level not in (home, os.path.dirname(level)) and not _shared(level, files))
    ]
    return close[-1], tuple(close)


def _shared(folder: str, files: Files) -> bool:
    """Whether anybody may put files into a folder (such as the one for temporary files)."""
    state = files.state(folder)
    return state is None or state.is_shared
