"""Programs that nothing in their project starts, and that show by themselves that no run is meant.

A script starts another program of the same name, or the name says that it is a draft.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.environment.project_texts import every_text
from cfglint.environment.python_sources import places, project_root
from cfglint.environment.surroundings import Surroundings
from cfglint.source.files.scripts import SCRIPTS

_PROGRAMS = (".py", ".ipynb")
_DRAFT = lazy_pattern(
    r"(?i)(?:untitled|play|playground|scratch|scratchpad|sandbox|draft|tmp)[-_ ]?\d{0,3}"
)
#: A folder that a script goes to, of which nothing is put together.
_FOLDER = lazy_pattern(r"(?<!\S)cd[ \t]+[\"']?([\w./-]{1,200})")
_MAX_FOLDERS = 20
#: How long a path is, what is around it, and of how many of a text is looked at.
_LONGEST, _AROUND, _MAX_PLACES = 200, " \t\r\n\"'`,=;()[]<>&|", 100


def why_set_aside(_: FileReport, case: Case) -> str:
    """Why no run meets what is found in a program that nothing starts; empty for any other file."""
    around = case.around
    if around.folder is None or around.launches or not around.path.endswith(_PROGRAMS):
        return ""
    root = project_root(around, around.folder)
    if not around.files.has(os.path.join(root, ".git")):
        return ""
    own = os.path.abspath(around.path)
    name = os.path.basename(own)
    stem = os.path.splitext(name)[0]
    other = ""
    for path, text in every_text(around, root):
        if os.path.abspath(path) == own:
            continue
        if text is None:
            return ""
        if name in text:
            started = _started(text, name, os.path.dirname(os.path.abspath(path)), root, around)
            if started is None or started == own or not path.endswith(SCRIPTS):
                return ""
            other = os.path.relpath(started, root).replace(os.sep, "/")
        elif path.endswith(_PROGRAMS) and next(places(text, stem), None) is not None:
            return ""
    if other:
        return f"Scripts of the project start {other}, and nothing starts this program."
    if _DRAFT.fullmatch(stem):
        return "The name says that this is a draft, and nothing in the project names it."
    return ""


def _started(text: str, name: str, folder: str, root: str, around: Surroundings) -> str | None:
    """The only file that a text means by a name; None if it may be another one."""
    found = set()
    bases = list(_bases(text, folder, root))
    for written in _written(text, name):
        front = written.removesuffix(name)
        # The end of a longer name, or one that is put together.
        if (front and front[-1] != "/") or any(sign in front for sign in "$*?{~"):
            return None
        there = {os.path.normpath(os.path.join(base, written)) for base in bases}
        there = {one for one in there if around.files.is_file(one)}
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
