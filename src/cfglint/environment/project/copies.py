"""Copies of a framework's sources in a project: in the folder of its package, or in a clone below a folder named after it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.knowledge.marks import all_marks
from cfglint.source.files.base import Files
from cfglint.source.files.git_index import Tracked

if TYPE_CHECKING:
    from cfglint.environment.project.stated_versions import Source, Statement

#: Where a module says its version: `__version__ = "0.9.3"`, `VERSION = "0.9.3"`.
_VERSION = lazy_pattern(r"\b(?:__version__|VERSION) = ")

#: The version of a package that its `setup.py` states, and its name.
_SETUP = "setup.py"
_SETUP_VERSION = lazy_pattern(r"\bversion[ ]?=[ ]?[\"'](\d[\w.+-]{0,40})[\"']")
_SETUP_NAME = lazy_pattern(r"\bname[ ]?=[ ]?[\"']([\w.-]{1,60})[\"']")

#: Behind what lists packages: a copy need not be what is installed.
_RANK = 15
#: The folder of a clone's sources, which is what is installed.
SOURCES = "src"
_SOURCES_RANK = 6
#: The kind of a folder that git has as a commit alone, and the file that tells of which repository it is.
LINK = "link"
_MODULES = ".gitmodules"
#: Of a folder with more entries none is looked into for a copy.
_MAX_FOLDERS = 64


@lru_cache(maxsize=1)
def _packages() -> dict[str, tuple[str, ...]]:
    """The folder of a package -> its files that state a version, as a folder with the package has them."""
    found: dict[str, tuple[str, ...]] = {}
    for marks in all_marks():
        inner = [name.removeprefix(f"{SOURCES}/") for name in marks.version_files]
        for top in dict.fromkeys(name.partition("/")[0] for name in inner if "/" in name):
            found[top] = tuple(name for name in inner if name.startswith(f"{top}/"))
    return found


@lru_cache(maxsize=1)
def _clones() -> dict[str, tuple[str, ...]]:
    """A part of the name of a clone's folder -> its files that state a version."""
    found = dict(_packages())
    for marks in all_marks():
        for top in found.keys() & {
            name.removeprefix(f"{SOURCES}/").partition("/")[0] for name in marks.version_files
        }:
            inner = (name for name in marks.version_files if name.startswith(f"{SOURCES}/"))
            found[top] = (*found[top], *inner, _SETUP)
    return found


def bare_name(name: str) -> str:
    """The name of a folder as a package is written: `My-Package_src` -> `mypackagesrc`."""
    return name.lower().replace("-", "").replace("_", "")


def is_copy(name: str) -> bool:
    """Whether a folder has the package of a framework in its name, as a clone mostly has."""
    bare = bare_name(name)
    return any(top in bare for top in _packages())


def version_files(folder: str, name: str, files: Files) -> list[tuple[str, str, int]]:
    """The files that state the version of the copy that a folder is, or has."""
    bare, clone = bare_name(name), os.path.join(folder, name)
    paths = [
        os.path.join(place, *one.split("/"))
        for top, names in _clones().items()
        if top in bare
        for place, own in (((folder, _packages()[top]),) if name == top else ()) + ((clone, names),)
        for one in own
    ]
    found = [(path, "clone", _RANK) for path in paths if files.state(path) is not None]
    if (
        found
        or files.has(os.path.join(folder, _MODULES))
        or not Tracked(folder, files).commit(clone)
    ):
        return found
    return [(clone, LINK, _SOURCES_RANK)]


def linked(path: str, root: str, files: Files) -> Source | None:
    """What a folder states that git has as a commit of another repository, of which `.gitmodules` does not tell."""
    from cfglint.environment.project.readers.submodules import of_folder
    from cfglint.environment.project.stated_versions import Source

    statements = of_folder(path, Tracked(root, files).commit(path))
    return Source(path, LINK, 0, tuple(statements)) if statements else None


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

    if os.path.basename(path) == _SETUP:
        return _set_up(path, text)
    assigned = _VERSION.split(text, 1)[-1] if path.endswith(".py") else text
    version = assigned.partition("\n")[0].strip().strip("\"'")
    if not version[:1].isdigit():
        return []
    place = place_at(path, text, text.find(version))
    own = path.replace(os.sep, "/")
    return [
        Statement(marks.package, place, version)
        for marks in all_marks()
        if own.endswith(
            tuple(f"/{name.removeprefix(f'{SOURCES}/')}" for name in marks.version_files)
        )
    ]


def own_version(path: str, text: str, files: Files) -> list[Statement]:
    """The version of a framework that a project's `setup.py` states of itself, where the package is there, too.

    A project that has taken over the file alone installs the framework from elsewhere.
    """
    folder = os.path.dirname(path)
    for found in _set_up(path, text):
        files_of = (one.version_files for one in all_marks() if one.package == found.package)
        inner = [name.removeprefix(f"{SOURCES}/") for names in files_of for name in names]
        tops = {name.partition("/")[0] for name in inner if "/" in name} | {found.package}
        if any(
            files.has(os.path.join(folder, *at, top)) for at in ((), (SOURCES,)) for top in tops
        ):
            return [found]
    return []


def _set_up(path: str, text: str) -> list[Statement]:
    """The version of a framework in the `setup.py` of its clone."""
    from cfglint.environment.project.stated_versions import Statement, place_at

    name, version = _SETUP_NAME.search(text), _SETUP_VERSION.search(text)
    if name is None or version is None:
        return []
    return [
        Statement(marks.package, place_at(path, text, version.start(1)), version[1])
        for marks in all_marks()
        if marks.package == name[1]
    ]
