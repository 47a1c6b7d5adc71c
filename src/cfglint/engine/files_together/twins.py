"""Files that are another one again, byte for byte, and that nothing uses.

They lie beside it under a longer name (`train (1).py`), or in another folder, while the text says where it belongs
(`# training/train.py`).
"""

from __future__ import annotations

import os
import re

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.surroundings import Surroundings
from cfglint.source.files.base import Files
from cfglint.source.text import MAX_BYTES

#: The path that a file begins with, in a comment.
_OWN_PATH = lazy_pattern(
    r"(?:#![^\n]{0,100}\n)?#[ \t]{0,4}(?:-\*-[^\n]{0,60}\n#[ \t]{0,4})?((?:[\w.-]{1,60}/){1,6}[\w.-]{1,80})[ \t]*\r?(?:\n|\Z)"
)
_HEAD = 600
#: What is before the name of a copy, in lower case.
_BEFORE = ("copy of ", "copy_of_", "copy-of-")
_PAGES = (".md", ".rst")
#: A name of a program that is put together: `train$N.py`.
_MADE = lazy_pattern(r"[}%$*]\w{0,40}\.py\b")
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
    if not plainer:
        return False
    for one in plainer:
        path = os.path.join(folder, one)
        if _is_same(path, own, files):
            return not _is_named(own, path, around)
    return False


def is_astray(around: Surroundings) -> bool:
    """Whether a file begins with the path of one with the same bytes in another folder, and nothing means this one."""
    if around.folder is None or around.launches or not around.path:
        return False
    from cfglint.environment.python_sources import project_root

    own, files = os.path.abspath(around.path), around.files
    root = project_root(around, around.folder)
    try:
        head = files.read(own, MAX_BYTES)[:_HEAD].decode("utf-8", "replace")
    except OSError:
        return False
    written = _OWN_PATH.match(head)
    if written is None or written[1].rpartition("/")[2] != os.path.basename(own):
        return False
    path = os.path.normpath(os.path.join(root, written[1]))
    if path == own or not path.startswith(os.path.join(root, "")):
        return False
    return _is_same(path, own, files) and not _is_meant(own, path, around)


def _is_same(path: str, own: str, files: Files) -> bool:
    """Whether two files have the same bytes."""
    state, other = files.state(own), files.state(path)
    if state is None or other is None or other.kind != "file" or other.size != state.size:
        return False
    try:
        return files.read(path, MAX_BYTES) == files.read(own, MAX_BYTES)
    except OSError:
        return False


def _is_meant(own: str, original: str, around: Surroundings) -> bool:
    """Whether another file of the project names one with its folder, or from it."""
    from cfglint.environment.project_texts import every_text
    from cfglint.environment.python_sources import places, project_root

    folder, name = os.path.split(own)
    stem = os.path.splitext(name)[0]
    root = project_root(around, folder)
    inner = os.path.basename(folder)
    module = f"{inner}.{stem}"
    goes_there = re.compile(rf"\bcd[ \t]+[^\s;&|]{{0,200}}\b{re.escape(inner)}\b")
    for path, text in every_text(around, root):
        if path in (own, original):
            continue
        if text is None:
            return True
        if os.path.dirname(path) == folder and (
            name in text or next(places(text, stem), None) is not None
        ):
            return True
        if module in text or f"{inner}/{name}" in text:
            return True
        if name in text and goes_there.search(text):
            return True
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
            return True
        if name in text or next(places(text, stem), None) is not None:
            return True
        if not path.endswith(_PAGES) and (
            _MADE.search(text) if own.endswith(".py") else may_compose(text, own)
        ):
            return True
    return False
