"""Projects of others that lie in a project to be read, or to be taken from: `external/NAME/`, `reference/NAME/`.

Such a folder has a page or a licence of its own, and programs. What the project around it installs is not for them, unless
one of its scripts goes there. Clones of frameworks are none: people work in these.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from itertools import pairwise

from cfglint.environment.project import copies
from cfglint.environment.project.naming import text_in_force
from cfglint.knowledge.marks import all_marks, launchers
from cfglint.source.files.base import Files
from cfglint.source.files.folders import Chain
from cfglint.source.files.nearby import text_of
from cfglint.source.files.retired import holds_others
from cfglint.source.files.scripts import SCRIPTS, scripts_below

_DESCRIBED = ("readme", "license", "licence")
_PROGRAMS = (".py", ".sh", ".ipynb")
#: What goes into a folder, or starts or installs something in it, beside launchers.
_GOING = (r"cd|pushd|python[\d.]*|bash|sh|pip3?|uv|make[ \t]+-C|s?run",)
_MAX_BYTES = 1_000_000


def own_levels(
    root: str, levels: tuple[str, ...], files: Files, known: dict[str, Chain]
) -> tuple[str, ...]:
    """The folders from one up to the top of its project, or to that of the project of others which it lies in.

    Args:
        known: what was found of other folders; the projects of others are added.
    """
    top = project_of_others(levels, files)
    if not top:
        return levels
    at = levels.index(top)
    if top not in known:
        known[top] = root, levels[at:] if is_gone_to(top, root, files) else (top,)
    return levels[: at + 1] if known[top][1] == (top,) else levels


def project_of_others(levels: tuple[str, ...], files: Files) -> str:
    """The folder of a project of others among those from a file's own up to the top; empty for none."""
    for folder, around in reversed(tuple(pairwise(levels))):
        name = os.path.basename(around)
        # The top itself may be called like that.
        if holds_others(name) and around != levels[-1] and not _is_clone(os.path.basename(folder)):
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
        text = text_of(path, _MAX_BYTES, files)
        if text is None or goes_to(folder, path, text):
            return True
    return False


def goes_to(folder: str, path: str, text: str) -> bool:
    """Whether the text of a script or a page has such a command."""
    name = os.path.basename(folder)
    if name not in text:
        return False
    text = text_in_force(path, text)
    command = rf"(?m){_goes()}[ \t][^\n#]{{0,200}}(?<![\w-]){re.escape(name)}(?![\w-])"
    return re.search(command, text) is not None


@lru_cache(maxsize=1)
def _goes() -> str:
    """The pattern of the first words of such a command."""
    launching = (re.escape(command.split()[0]) for one in launchers() for command in one.commands)
    return rf"(?:^|[\s`$;&|(\"'])(?:{'|'.join((*_GOING, *launching))})"
