"""The files of one project: a border around it that no path and no link leads over.

What a file of a stranger names (a default of Hydra, an import, a schema, a lock file's name that is a link) is read
through here, and only through here. What the user names is read as it is (`links.py`).
"""

from __future__ import annotations

import errno
import os

from cfglint.source.files.base import Files, FileStat, FolderEntry
from cfglint.source.files.folders import climb


class Inside(Files):
    """Other files, as far as they lie in a folder after all links are followed.

    What lies outside does not exist: it is neither opened nor listed, and has no status. Names (`has`) and links
    (`real`) are looked up everywhere, as a search for the top of the repository must.

    Args:
        root: the folder.
        under: all files.

    Raises:
        OSError: the root is not a path.
    """

    def __init__(self, root: str, under: Files) -> None:
        self.recent = under.recent
        self.tops = under.tops
        self.working = under.working
        self.writable = under.writable
        #: All files of the machine: for what the user's environment names, and nothing else.
        self.under = under
        self._root = under.real(root)
        self._drive = os.path.splitdrive(os.path.abspath(root))[0]

    def _inner(self, path: str) -> str:
        """What a path leads to.

        Raises:
            OSError: it lies outside, or it is not a path.
        """
        absolute = os.path.abspath(path)
        # To follow the links of another drive would ask another machine, on a Windows network.
        if os.path.splitdrive(absolute)[0] in ("", self._drive):
            real = self.under.real(absolute)
            if real == self._root or real.startswith(os.path.join(self._root, "")):
                return real
        raise OSError(errno.EPERM, "it is outside the project", path)

    def read(self, path: str, limit: int, *, pipes: bool = False) -> bytes:
        return self.under.read(self._inner(path), limit, pipes=pipes)

    def state(self, path: str) -> FileStat | None:
        try:
            return self.under.state(self._inner(path))
        except OSError:
            return None

    def has(self, path: str) -> bool:
        return self.under.has(path)

    def names(self, folder: str) -> list[str]:
        return self.under.names(self._inner(folder))

    def entries(self, folder: str) -> list[FolderEntry]:
        return self.under.entries(self._inner(folder))

    def real(self, path: str) -> str:
        return self.under.real(path)


def of_project(folder: str, files: Files) -> Inside:
    """The files of the project that a folder is in: of its repository, or what is close where there is none."""
    return Inside(climb(os.path.abspath(folder), files)[0], files)


def of_machine(files: Files) -> Files:
    """All files of the machine, for what the user's environment names, such as the cache of the hub."""
    return files.under if isinstance(files, Inside) else files
