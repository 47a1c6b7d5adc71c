"""Projects of others that lie in a project to be read, or to be taken from: `external/NAME/`, `reference/NAME/`.

Such a folder has a page or a licence of its own, and programs. What the project around it installs is not for them, unless
one of its scripts goes there. Clones of frameworks are none: people work in these.
"""

from __future__ import annotations

import os
import re
from itertools import pairwise

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project import copies
from cfglint.environment.project.naming import text_in_force
from cfglint.knowledge.marks import all_marks
from cfglint.source.files.base import Files
from cfglint.source.files.folders import climb
from cfglint.source.files.nearby import read
from cfglint.source.files.retired import is_of_others
from cfglint.source.files.scripts import SCRIPTS, scripts_below

#: What folders are called in which such projects lie.
_AROUND = lazy_pattern(
    r"externals?|vendor(?:s|ed)?|references?|(?:external|reference|vendor)[-_](?:code\w{0,10}|impl\w{0,20}|projects?|repos?\w{0,20})",
    re.IGNORECASE,
)
_DESCRIBED = ("readme", "license", "licence")
_PROGRAMS = (".py", ".sh", ".ipynb")
#: What is before a folder in a command that goes there, or starts or installs something in it.
_GOES = r"(?:^|[\s`$;&|(\"'])(?:cd|pushd|python[\d.]*|bash|sh|pip3?|uv|make[ \t]+-C|torchrun|s?run|accelerate|deepspeed)[ \t][^\n#]{0,200}"
_MAX_BYTES = 1_000_000

#: The root of a folder's project, and the folders from that one up.
Chain = tuple[str, tuple[str, ...]]


def own_chain(folder: str, files: Files, known: dict[str, Chain]) -> Chain:
    """(root of a folder's project, the folders from that one up to it, or to the project of others that it lies in).

    Args:
        known: what was found of other folders; the projects of others are added.
    """
    root, levels = climb(folder, files)
    top = project_of_others(levels, files)
    if not top:
        return root, levels
    own = levels[: levels.index(top) + 1]
    if top not in known:
        known[top] = root, (top,) if not is_gone_to(top, root, files) else levels[len(own) - 1 :]
    return root, own if known[top][1] == (top,) else levels


def project_of_others(levels: tuple[str, ...], files: Files) -> str:
    """The folder of a project of others among those from a file's own up to the top; empty for none."""
    for folder, around in reversed(tuple(pairwise(levels))):
        name = os.path.basename(around)
        is_named = is_of_others(name) or _AROUND.fullmatch(name) is not None
        # The top itself may be called like that.
        if is_named and around != levels[-1] and not _is_clone(os.path.basename(folder)):
            return folder if _is_project(folder, files) else ""
    return ""


def _is_clone(name: str) -> bool:
    """Whether a folder is called like a framework."""
    words = set(re.split(r"[-_.]", name.lower()))
    return copies.is_copy(name) or any(marks.package in words for marks in all_marks())


def _is_project(folder: str, files: Files) -> bool:
    try:
        names = files.names(folder)
    except OSError:
        return False
    described = any(name.lower().startswith(_DESCRIBED) for name in names)
    return described and bool(scripts_below(folder, files, _PROGRAMS))


def is_gone_to(folder: str, root: str, files: Files) -> bool:
    """Whether a script or a page of a project has a command that goes to a folder, or to what is in it; also if one is not read."""
    inside = os.path.join(folder, "")
    for path in scripts_below(root, files, SCRIPTS):
        if path.startswith(inside):
            continue
        contents = read(path, _MAX_BYTES, files)
        if contents is None or contents.problem is not None:
            return True
        if goes_to(folder, path, contents.source.text):
            return True
    return False


def goes_to(folder: str, path: str, text: str) -> bool:
    """Whether the text of a script or a page has such a command."""
    name = os.path.basename(folder)
    if name not in text:
        return False
    text = text_in_force(path, text)
    command = re.compile(rf"{_GOES}(?<![\w-]){re.escape(name)}(?![\w-])", re.MULTILINE)
    return command.search(text) is not None
