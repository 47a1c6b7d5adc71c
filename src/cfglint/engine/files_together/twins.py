"""Files that are another one again, byte for byte, and that nothing uses.

They lie beside it under a longer name (`train (1).py`), or in another folder, while the text says where it belongs
(`# training/train.py`).
"""

from __future__ import annotations

import os
import re

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.file_in_project import FileInProject
from cfglint.environment.surroundings import Surroundings
from cfglint.source.files.base import Files
from cfglint.source.files.scripts import PAGES
from cfglint.source.text import MAX_BYTES

#: The path that a file begins with, in a comment.
_OWN_PATH = lazy_pattern(
    r"(?:#![^\n]{0,100}\n)?#[ \t]{0,4}(?:-\*-[^\n]{0,60}\n#[ \t]{0,4})?((?:[\w.-]{1,60}/){1,6}[\w.-]{1,80})[ \t]*\r?(?:\n|\Z)"
)
_HEAD = 600
#: What is before the name of a copy, in lower case.
_BEFORE = ("copy of ", "copy_of_", "copy-of-")
#: A name of a program that is put together: `train$N.py`.
_MADE = lazy_pattern(r"[}%$*]\w{0,40}\.py\b")
#: Of more files with such names none is looked into.
_MAX_BESIDE = 50


def is_twin(around: Surroundings) -> bool:
    """Whether a file has the bytes of one beside it with a plainer name, and nothing names it."""
    if around.folder is None or around.launches or not around.path:
        return False
    file, files = FileInProject(around, around.folder), around.files
    beside = file.beside()
    plainer = sorted((one for one in beside if _is_plainer(one, file.name)), key=len)[:_MAX_BESIDE]
    for one in plainer:
        path = os.path.join(file.folder, one)
        if _is_same(path, file.path, files):
            return not _is_named(file, path)
    return False


def is_astray(around: Surroundings) -> bool:
    """Whether a file begins with the path of one with the same bytes in another folder, and nothing means this one."""
    if around.folder is None or around.launches or not around.path:
        return False
    file, files = FileInProject(around, around.folder), around.files
    try:
        head = files.read(file.path, MAX_BYTES)[:_HEAD].decode("utf-8", "replace")
    except OSError:
        return False
    written = _OWN_PATH.match(head)
    if written is None or written[1].rpartition("/")[2] != file.name:
        return False
    path = os.path.normpath(os.path.join(file.root, written[1]))
    if path == file.path or not path.startswith(os.path.join(file.root, "")):
        return False
    return _is_same(path, file.path, files) and not _is_meant(file, path)


def _is_same(path: str, own: str, files: Files) -> bool:
    """Whether two files have the same bytes."""
    state, other = files.state(own), files.state(path)
    if state is None or other is None or other.kind != "file" or other.size != state.size:
        return False
    try:
        return files.read(path, MAX_BYTES) == files.read(own, MAX_BYTES)
    except OSError:
        return False


def _is_meant(file: FileInProject, original: str) -> bool:
    """Whether another file of the project names one with its folder, or from it."""
    inner = os.path.basename(file.folder)
    module = f"{inner}.{file.stem}"
    goes_there = re.compile(rf"\bcd[ \t]+[^\s;&|]{{0,200}}\b{re.escape(inner)}\b")
    for path, text in file.others():
        if path == original:
            continue
        if text is None:
            return True
        if os.path.dirname(path) == file.folder and file.is_named_in(text):
            return True
        if module in text or f"{inner}/{file.name}" in text:
            return True
        if file.name in text and goes_there.search(text):
            return True
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
    for path, text in file.others():
        if path == original:
            continue
        if text is None or file.is_named_in(text):
            return True
        if not path.endswith(PAGES) and (
            _MADE.search(text) if file.ending == ".py" else file.may_be_composed_in(text)
        ):
            return True
    return False
