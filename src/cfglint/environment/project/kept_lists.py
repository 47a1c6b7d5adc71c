"""Where lists of packages are that are no more than weak evidence: in the records of runs, and in folders beside."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project import copies
from cfglint.environment.project.file_kinds import OF_ENVIRONMENTS, is_not_of_training
from cfglint.source.files.base import Files
from cfglint.source.files.retired import is_of_others, is_retired

_LIST = "requirements.txt"
#: Where wandb keeps its runs, and what it lists the packages of one in.
_RUNS = "wandb"
_RUN = lazy_pattern(r"(?:offline-)?run-(\d{8}_\d{6})-[\w.-]{1,100}")
_OF_RUN = os.path.join("files", _LIST)
#: Of a folder with more entries none is looked into.
_MAX_FOLDERS = 64
_MAX_RUNS = 2_000


def record_in(folder: str, files: Files) -> str | None:
    """The list of packages that the newest run kept in a folder had; None if there is none."""
    runs = os.path.join(folder, _RUNS)
    try:
        names = files.names(runs)
    except OSError:
        return None
    stamped = [(run[1], name) for name in names[:_MAX_RUNS] if (run := _RUN.fullmatch(name))]
    paths = (os.path.join(runs, name, _OF_RUN) for _, name in sorted(stamped, reverse=True))
    return next((path for path in paths if files.is_file(path)), None)


def lists_beside(folders: tuple[str, ...], files: Files) -> Iterator[str]:
    """The requirements in folders beside those from a config's own up to the top."""
    for folder in folders:
        try:
            entries = files.entries(folder)
        except OSError:
            continue
        inner = sorted(one.name for one in entries if one.kind == "folder")
        if len(inner) > _MAX_FOLDERS:
            continue
        for name in inner:
            path = os.path.join(folder, name, _LIST)
            is_beside = _may_be_of_the_project(name) and os.path.dirname(path) not in folders
            if is_beside and files.is_file(path):
                yield path


def _may_be_of_the_project(folder: str) -> bool:
    return not (
        folder.startswith(".")
        or folder in OF_ENVIRONMENTS
        or is_retired(folder)
        or is_of_others(folder)
        or is_not_of_training(folder)
        or copies.is_copy(folder)
    )
