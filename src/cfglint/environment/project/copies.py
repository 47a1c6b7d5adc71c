"""Copies of a framework's sources in a project: in the folder of its package, or in a clone below a folder named after it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.knowledge.marks import all_marks
from cfglint.source.files.base import Files

if TYPE_CHECKING:
    from cfglint.environment.project.stated_versions import Statement

#: Where a module says its version: `__version__ = "0.9.3"`, `VERSION = "0.9.3"`.
_VERSION = lazy_pattern(r"\b(?:__version__|VERSION) = ")

#: Behind what lists packages: a copy need not be what is installed.
_RANK = 15
#: The folder of a clone's sources, which is what is installed.
SOURCES = "src"
_SOURCES_RANK = 6
#: Of a folder with more entries none is looked into for a copy.
_MAX_FOLDERS = 64


@lru_cache(maxsize=1)
def _packages() -> dict[str, tuple[str, ...]]:
    """The folder of a package -> its files that state a version; names that any project may have are left out."""
    found: dict[str, tuple[str, ...]] = {}
    for marks in all_marks():
        for name in marks.version_files:
            top, slash, _ = name.partition("/")
            if slash and top != "src":
                found[top] = (*found.get(top, ()), name)
    return found


def is_copy(name: str) -> bool:
    """Whether a folder has the package of a framework in its name, as a clone mostly has."""
    lower = name.lower()
    return any(top in lower for top in _packages())


def version_files(folder: str, name: str, files: Files) -> list[tuple[str, str, int]]:
    """The files that state the version of the copy that a folder is, or has."""
    lower = name.lower()
    return [
        (path, "clone", _RANK)
        for top, names in _packages().items()
        if top in lower
        for place in (
            (folder, os.path.join(folder, name)) if name == top else (os.path.join(folder, name),)
        )
        for path in (os.path.join(place, *one.split("/")) for one in names)
        if files.state(path) is not None
    ]


def clones(folder: str, files: Files) -> list[tuple[str, str, int]]:
    """The files in a folder of sources that state the version of a framework."""
    found = []
    for marks in all_marks():
        for name in marks.version_files:
            path = os.path.join(folder, *name.split("/"))
            if name.startswith(f"{SOURCES}/{marks.package}/") and files.state(path) is not None:
                found.append((path, "clone", _SOURCES_RANK))
    return found


def only_one_below(root: str, entries: Iterable[str], files: Files) -> list[tuple[str, str, int]]:
    """The files that state the version of a copy in a folder of the top, beside that of the scripts.

    Of several copies none is known to be meant.
    """
    folders = [name for name in entries if "." not in name and not is_copy(name)]
    if len(folders) > _MAX_FOLDERS:
        return []
    found = []
    for top, names in _packages().items():
        places = [
            os.path.join(root, folder, *one.split("/"))
            for folder in folders
            for one in names
            if one.startswith(f"{top}/")
        ]
        there = [path for path in places if files.state(path) is not None]
        if len(there) == 1:
            found.append((there[0], "clone", _RANK))
    return found


def version_stated(path: str, text: str) -> list[Statement]:
    """The version of a framework that a file of its sources states."""
    from cfglint.environment.project.stated_versions import Statement, place_at

    assigned = _VERSION.split(text, 1)[-1] if path.endswith(".py") else text
    version = assigned.partition("\n")[0].strip().strip("\"'")
    if not version[:1].isdigit():
        return []
    place = place_at(path, text, text.find(version))
    own = path.replace(os.sep, "/")
    return [
        Statement(marks.package, place, version)
        for marks in all_marks()
        if own.endswith(tuple(f"/{name}" for name in marks.version_files))
    ]
