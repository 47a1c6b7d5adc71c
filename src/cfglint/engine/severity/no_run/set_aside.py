"""Programs that nothing in their project starts, and that show by themselves that no run is meant.

A script starts another program of the same name or a later version of this one, or the name says that it is a draft.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.source.files.scripts import SCRIPTS

#: What may import the module that a program is.
_PROGRAMS = (".py", ".ipynb")
_DRAFT = lazy_pattern(
    r"(?i)(?:untitled|play|playground|scratch|scratchpad|sandbox|draft|tmp)[-_ ]?\d{0,3}"
)
#: The name of a program without the number of its version, and that number: `train_v2`.
_VERSION = lazy_pattern(r"(.*?)(?:[-_ ]?v?(\d{1,3}))?")
#: A folder that a script goes to, of which nothing is put together.
_FOLDER = lazy_pattern(r"(?<!\S)cd[ \t]+[\"']?([\w./-]{1,200})")
_MAX_FOLDERS = 20
#: How long a path is, what is around it, and of how many of a text is looked at.
_LONGEST, _AROUND, _MAX_PLACES = 200, " \t\r\n\"'`,=;()[]<>&|", 100


def why_set_aside(file: SearchedFile) -> str:
    """Why no run meets what is found in a program that nothing starts; empty for any other."""
    if not file.around.files.has(os.path.join(file.root, ".git")):
        return ""
    other, later = "", _later_versions(file)
    started_later = ""
    for path, text in file.others():
        if text is None:
            return ""
        if later and not started_later and path.endswith(SCRIPTS):
            started_later = next((one for one in later if one in text), "")
        if file.name in text:
            started = _started(text, os.path.dirname(path), file)
            if started is None or started == file.path or not path.endswith(SCRIPTS):
                return ""
            other = file.inside(started)
        elif path.endswith(_PROGRAMS) and file.is_imported_in(text):
            return ""
    if other:
        return f"Scripts of the project start {other}, and nothing starts this program."
    if started_later:
        return (
            f"The project starts {started_later}, a later version, and nothing names this program."
        )
    if _DRAFT.fullmatch(file.stem):
        return "The name says that this is a draft, and nothing in the project names it."
    return ""


def _later_versions(file: SearchedFile) -> list[str]:
    """The programs beside one whose names are its own with a higher number: `train2.py` beside `train.py`."""
    base, number = _version(file.stem)
    folder = os.path.dirname(file.path)
    try:
        names = file.around.files.names(folder)
    except OSError:
        return []
    found = []
    for name in names:
        stem, ending = os.path.splitext(name)
        other, of_other = _version(stem)
        if ending == ".py" and other == base and of_other > number:
            found.append(name)
    return sorted(found)


def _version(stem: str) -> tuple[str, int]:
    match = _VERSION.fullmatch(stem)
    assert match is not None
    return match[1], int(match[2] or 0)


def _started(text: str, folder: str, file: SearchedFile) -> str | None:
    """The only file that a text in a folder means by the name of another one; None if it may be that one."""
    found = set()
    bases = list(_bases(text, folder, file.root))
    for written in _written(text, file.name):
        front = written.removesuffix(file.name)
        # The end of a longer name, or one that is put together.
        if (front and front[-1] != "/") or any(sign in front for sign in "$*?{~"):
            return None
        there = {os.path.normpath(os.path.join(base, written)) for base in bases}
        there = {one for one in there if file.around.files.is_file(one)}
        if len(there) != 1:
            return None
        found |= there
    return found.pop() if len(found) == 1 else None


def _written(text: str, name: str) -> Iterator[str]:
    """The paths that end in a name."""
    at, seen = text.find(name), 0
    while at >= 0 and seen < _MAX_PLACES:
        begin = at
        while begin and at - begin < _LONGEST and text[begin - 1] not in _AROUND:
            begin -= 1
        yield text[begin : at + len(name)]
        at, seen = text.find(name, at + len(name)), seen + 1


def _bases(text: str, folder: str, root: str) -> Iterator[str]:
    """The folders from which a script may start something: its own and those above, and where it goes from there."""
    inner = [match[1] for match in islice(_FOLDER.finditer(text), _MAX_FOLDERS)]
    while True:
        yield folder
        yield from (os.path.join(folder, one) for one in inner)
        if folder == root or not folder.startswith(root):
            return
        folder = os.path.dirname(folder)
