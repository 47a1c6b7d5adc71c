"""The files of a run: named ones, and those found in folders."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator

from cfglint.base.paths import SCRIPT_SUFFIXES
from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.source.files.base import Files
from cfglint.source.files.git_index import Tracked
from cfglint.source.files.ignores import (
    ignores_above,
    is_ignored,
    is_inside_ignored,
    is_kept_out_of_git,
    read_ignores,
)
from cfglint.source.files.retired import is_copied, is_kept_aside, is_of_others, is_retired

if TYPE_CHECKING:
    from cfglint.source.files.ignores import Ignores

_SUFFIXES = (".yml", ".yaml", ".json", ".py", ".ipynb", *SCRIPT_SUFFIXES)
_SKIPPED_FOLDERS = frozenset(
    {"node_modules", "__pycache__", "site-packages", "venv", "last_run_prepared", "wandb"}
    # The trainers of an installed package, as one that patches them has written them down.
    | {"unsloth_compiled_cache"}
)
#: Why a search leaves something out.
HIDDEN, OTHERS, RETIRED = "hidden folder", "folder of packages or results", "folder out of use"
THIRD_PARTY, KEPT_ASIDE = "folder of other projects", "file that another one replaced"
COPIED = "copy of a file beside it"
IGNORED, EXCLUDED = "ignored by git", "excluded by the settings or an option"
OUTSIDE, NO_CONFIG = "link out of the repository", "no training config"
#: Reasons that need no mention: nothing else is expected of such folders.
EXPECTED = frozenset({HIDDEN, OTHERS})
_Skip = Callable[[str, str], object]


class FoundFile(Record):
    """One file to read."""

    path: str
    #: The user gave it, not a folder above it.
    named: bool
    #: Its absolute path with all links followed.
    real: str


class RealPaths(dict[str, str]):
    """Path -> the absolute one with all links followed, looked up once."""

    def __init__(self, files: Files) -> None:
        super().__init__()
        self._files = files

    def __missing__(self, path: str) -> str:
        real = self[path] = self._files.real(path)
        return real


def discover(
    paths: Iterable[str],
    exclude: Callable[[str], bool],
    fail: Callable[[str], object],
    files: Files,
    skip: _Skip = lambda _path, _reason: None,
) -> Iterator[FoundFile]:
    """The files to read, each once, in a fixed order.

    Folders are searched for `.yml`, `.yaml`, `.json`, `.py`, `.ipynb` and shell scripts; what `.gitignore`
    files on the way leave out is left out unless git tracks it, and so are hidden folders and those whose
    names say that they are out of use. Links to folders are not followed, nor are those that lead out of
    the repository.

    Args:
        exclude: whether the settings exclude a path that was found in a folder.
        fail: is called for a path that does not exist, or is neither a file nor a folder, and of every
            folder that cannot be read.
        skip: is called for what a search leaves out, with the reason: for a file, or a folder with `/`
            behind it. Files of other kinds do not count.
    """
    seen: set[str] = set()
    for path in paths:
        if files.is_folder(path):
            for found, real in _walk(_without_dot(path), files, fail, skip):
                if exclude(found):
                    skip(found, EXCLUDED)
                elif _is_new(real, seen):
                    yield FoundFile(found, False, real)
        elif files.is_file(path):
            real = files.real(path)
            if _is_new(real, seen):
                yield FoundFile(path, True, real)
        elif files.exists(path):
            fail(f"{path}: neither a regular file nor a folder")
        else:
            fail(f"{path}: {_why_not(path, files)}")


def is_left_out(path: str, root: str, files: Files) -> bool:
    """Whether a search of a folder leaves a file in it out, for its name, its folders' or an ignore file.

    Args:
        path: the file, absolute and without links, as the folder is.
    """
    from cfglint.source.files.repository import repository_root

    folder = os.path.dirname(path)
    between = os.path.relpath(folder, root).split(os.sep) if folder != root else []
    if any(_why_skipped(name) is not None for name in between):
        return True
    if not path.lower().endswith(_SUFFIXES) or is_kept_aside(os.path.basename(path)):
        return True
    if not is_kept_out_of_git(path, files):
        return False
    return not Tracked(repository_root(folder, files), files).has(path)


def _why_skipped(folder: str) -> str | None:
    """Why a search looks into no folder of a name; None if it looks into them."""
    if folder.startswith("."):
        return HIDDEN
    if folder in _SKIPPED_FOLDERS:
        return OTHERS
    if is_of_others(folder):
        return THIRD_PARTY
    return RETIRED if is_retired(folder) else None


def _why_not(path: str, files: Files) -> str:
    """Why there is nothing at a path."""
    try:
        files.read(path, 0)
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENOTDIR):
            return f"cannot be read: {error.strerror}"
    return "no such file or folder"


def _is_new(real: str, seen: set[str]) -> bool:
    if real in seen:
        return False
    seen.add(real)
    return True


def _without_dot(folder: str) -> str:
    """A folder without `./` before it, so that its files are called as those that a file names."""
    while folder.startswith("./"):
        folder = folder[2:].lstrip("/") or os.curdir
    return folder


def _walk(
    root: str, files: Files, fail: Callable[[str], object], skip: _Skip
) -> Iterator[tuple[str, str]]:
    """The paths of the files below a folder, each with its real one."""
    from cfglint.source.files.repository import repository_root

    above = ignores_above(root, files)
    repository = repository_root(root, files)
    # What git tracks is no less so for an ignore file that names it.
    tracked = Tracked(repository, files)
    in_ignored = is_inside_ignored(root, above)
    if in_ignored and not tracked.has_below(root):
        skip(os.path.join(root, ""), IGNORED)
        return
    # (folder, its real path, the ignore rules that apply in it, whether they exclude it as a whole)
    stack: list[tuple[str, str, Ignores, bool]] = [(root, files.real(root), above, in_ignored)]
    # A link may not lead out of the repository or, without one, out of what is searched.
    border = os.path.join(files.real(repository or root), "")
    while stack:
        folder, real, ignores, in_ignored = stack.pop()
        own = read_ignores(folder, files)
        if own is not None:
            ignores = (*ignores, (folder, own))
        try:
            entries = sorted(files.entries(folder), key=lambda entry: entry.name)
        except OSError as error:
            # A folder that has been deleted since was a temporary one.
            if error.errno != errno.ENOENT:
                fail(f"{folder}: cannot be read: {error.strerror}")
            continue
        subfolders = []
        beside = {entry.name.lower() for entry in entries}
        for entry in entries:
            path = entry.name if folder == os.curdir else os.path.join(folder, entry.name)
            if entry.kind == "folder":
                reason = _why_skipped(entry.name)
                if reason is not None:
                    skip(path + "/", reason)
                    continue
                left_out = in_ignored or is_ignored(path + "/", ignores)
                if not left_out or tracked.has_below(path):
                    subfolders.append((path, os.path.join(real, entry.name), ignores, left_out))
                else:
                    skip(path + "/", IGNORED)
            elif entry.name.lower().endswith(_SUFFIXES) and (
                entry.kind == "file" or (entry.kind == "link" and files.is_file(path))
            ):
                if (in_ignored or is_ignored(path, ignores)) and not tracked.has(path):
                    skip(path, IGNORED)
                elif is_kept_aside(entry.name):
                    skip(path, KEPT_ASIDE)
                elif is_copied(entry.name, beside):
                    skip(path, COPIED)
                elif entry.kind == "file":
                    yield path, os.path.join(real, entry.name)
                elif (target := files.real(path)).startswith(border):
                    yield path, target
                else:
                    skip(path, OUTSIDE)
        stack.extend(reversed(subfolders))
