"""What the `.gitignore` files of a project exclude."""

from __future__ import annotations

import os

from cfglint.base.paths import relative_path
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.source.files.base import Files
from cfglint.source.files.inside import of_project

if TYPE_CHECKING:
    from cfglint.base.globs import Globs

    #: (folder, the patterns of its ignore file), the outermost first.
    Ignores = tuple[tuple[str, Globs], ...]

#: A larger `.gitignore` is ignored, in bytes.
_MAX_IGNORES = 1_000_000


def is_kept_out_of_git(path: str, files: Files) -> bool:
    """Whether ignore files exclude a path, whatever lies there, or a folder that it is in."""
    folder = os.path.dirname(os.path.abspath(path))
    ignores, own = ignores_above(folder, files), read_ignores(folder, files)
    if own is not None:
        ignores = (*ignores, (folder, own))
    return is_ignored(path, ignores) or is_inside_ignored(folder, ignores)


def ignores_above(root: str, files: Files) -> Ignores:
    """The ignore rules of the folders from the top of the git work tree down to the root."""
    found: list[tuple[str, Globs]] = []
    folder = os.path.abspath(root)
    if files.has(os.path.join(folder, ".git")):
        return ()
    while True:
        parent = os.path.dirname(folder)
        if parent == folder:
            return ()
        folder = parent
        patterns = read_ignores(folder, files)
        if patterns is not None:
            found.append((folder, patterns))
        if files.has(os.path.join(folder, ".git")):
            return tuple(reversed(found))


def read_ignores(folder: str, files: Files) -> Globs | None:
    """The patterns of a folder's own ignore file; None if it has none that can be read."""
    path = os.path.join(folder, ".gitignore")
    if not files.has(path):
        return None
    try:
        data = of_project(folder, files).read(path, _MAX_IGNORES + 1)
    except OSError:
        return None
    if len(data) > _MAX_IGNORES:
        return None
    from cfglint.base.globs import Globs

    lines = data.decode("utf-8-sig", "replace").split("\n")
    return Globs(line.removesuffix("\r") for line in lines)


def is_ignored(path: str, ignores: Ignores) -> bool:
    """Whether the nearest ignore file that names a path (with `/` behind a folder's) excludes it."""
    for base, patterns in reversed(ignores):
        relative = relative_path(path, os.path.abspath(base))
        verdict = patterns.verdict(relative.replace(os.sep, "/"), is_folder=path.endswith("/"))
        if verdict is not None:
            return verdict
    return False


def is_inside_ignored(folder: str, above: Ignores) -> bool:
    """Whether a folder, or one that it is in, is excluded by the ignore files above it."""
    inside = [(os.path.abspath(base), patterns) for base, patterns in above]
    path = os.path.abspath(folder)
    while inside:
        while inside and inside[-1][0] == path:
            inside.pop()
        if inside and is_ignored(path + "/", tuple(inside)):
            return True
        path = os.path.dirname(path)
    return False
