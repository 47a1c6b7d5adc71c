"""Files that are another one of their folder again, byte for byte, under a longer name that nothing uses: `train (1).py`."""

from __future__ import annotations

import os

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.surroundings import Surroundings
from cfglint.source.text import MAX_BYTES

#: What is before the name of a copy, in lower case.
_BEFORE = ("copy of ", "copy_of_", "copy-of-")
_PAGES = (".md", ".rst")
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
    own, files = os.path.abspath(around.path), around.files
    folder, name = os.path.split(own)
    try:
        names = files.names(folder)
    except OSError:
        return False
    plainer = sorted((one for one in names if _is_plainer(one, name)), key=len)[:_MAX_BESIDE]
    if not plainer or (state := files.state(own)) is None:
        return False
    for one in plainer:
        path = os.path.join(folder, one)
        other = files.state(path)
        if other is None or other.kind != "file" or other.size != state.size:
            continue
        try:
            is_same = files.read(path, MAX_BYTES) == files.read(own, MAX_BYTES)
        except OSError:
            continue
        if is_same:
            return not _is_named(own, path, around)
    return False


def _is_plainer(name: str, other: str) -> bool:
    """Whether the other name is this one with something added."""
    stem, ending = os.path.splitext(name.lower())
    longer, same = os.path.splitext(other.lower())
    if ending != same or not stem or stem == longer:
        return False
    return longer.startswith(stem) or any(longer == before + stem for before in _BEFORE)


def _is_named(own: str, original: str, around: Surroundings) -> bool:
    """Whether another file of the project has the name of one, or may put it together."""
    from cfglint.environment.project.naming import may_compose
    from cfglint.environment.project_texts import every_text
    from cfglint.environment.python_sources import places, project_root

    name, stem = os.path.basename(own), os.path.splitext(os.path.basename(own))[0]
    for path, text in every_text(around, project_root(around, os.path.dirname(own))):
        if path in (own, original):
            continue
        if text is None:
            if path.endswith(_DATA):
                continue
            return True
        if name in text or next(places(text, stem), None) is not None:
            return True
        if not path.endswith(_PAGES) and (
            _MADE.search(text) if own.endswith(".py") else may_compose(text, own)
        ):
            return True
    return False
