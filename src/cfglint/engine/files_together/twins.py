"""Files that are another one of their folder again, byte for byte, under a longer name that nothing uses: `train (1).py`."""

from __future__ import annotations

import os

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.file_in_project import FileInProject
from cfglint.environment.surroundings import Surroundings
from cfglint.source.files.scripts import PAGES
from cfglint.source.text import MAX_BYTES

#: What is before the name of a copy, in lower case.
_BEFORE = ("copy of ", "copy_of_", "copy-of-")
#: A name of a program that is put together: `train$N.py`.
_MADE = lazy_pattern(r"[}%$*]\w{0,40}\.py\b")
#: A JSON that is too large to be read is data.
_DATA = ".json"
#: Of more files with such names none is looked into.
_MAX_BESIDE = 50


def is_twin(around: Surroundings) -> bool:
    """Whether a file has the bytes of one beside it with a plainer name, and nothing names it."""
    if around.folder is None or around.launches or not around.path:
        return False
    file, files = FileInProject(around, around.folder), around.files
    beside = file.beside()
    plainer = sorted((one for one in beside if _is_plainer(one, file.name)), key=len)[:_MAX_BESIDE]
    if not plainer or (state := files.state(file.path)) is None:
        return False
    for one in plainer:
        path = os.path.join(file.folder, one)
        other = files.state(path)
        if other is None or other.kind != "file" or other.size != state.size:
            continue
        try:
            is_same = files.read(path, MAX_BYTES) == files.read(file.path, MAX_BYTES)
        except OSError:
            continue
        if is_same:
            return not _is_named(file, path)
    return False


def _is_plainer(name: str, other: str) -> bool:
    """Whether the other name is this one with something added."""
    stem, ending = os.path.splitext(name.lower())
    longer, same = os.path.splitext(other.lower())
    if ending != same or not stem or stem == longer:
        return False
    return longer.startswith(stem) or any(longer == before + stem for before in _BEFORE)


def _is_named(file: FileInProject, original: str) -> bool:
    """Whether another file of the project has the name of one, or may put it together."""
    from cfglint.environment.project.naming import may_compose

    for path, text in file.others():
        if path == original or (text is None and path.endswith(_DATA)):
            continue
        if text is None or file.name in text or file.is_imported_in(text):
            return True
        if not path.endswith(PAGES) and (
            _MADE.search(text) if file.ending == ".py" else may_compose(text, file.path)
        ):
            return True
    return False
