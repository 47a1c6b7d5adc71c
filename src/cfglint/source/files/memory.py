"""Files in memory: for a browser, for bulk runs, for tests."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping

from cfglint.source.files.base import Files, FileStat, FolderEntry, Kind, Recent


class InMemory(Files):
    """Files that were given; the folders follow from their paths. There are no links.

    Args:
        contents: the files by their paths.

    Raises:
        ValueError: one file would lie in another, or something is not a path.
    """

    writable = False

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self.recent = Recent()
        self._contents: dict[str, bytes] = {}
        #: Folder -> the names in it.
        self._folders: dict[str, dict[str, Kind]] = {}
        for path, data in contents.items():
            if not path or "\0" in path:
                raise ValueError(f"{path!r} is not a valid path")
            absolute = os.path.abspath(path)
            self._contents[absolute] = data
            self._enter(absolute)

    def _enter(self, path: str) -> None:
        """Put a file into its folder, and that into its own."""
        kind: Kind = "file"
        while (above := os.path.dirname(path)) != path:
            names = self._folders.setdefault(above, {})
            known = names.setdefault(os.path.basename(path), kind)
            if known != kind:
                raise ValueError(f"{path!r} is both a file and a folder of other files")
            path, kind = above, "folder"

    def read(self, path: str, limit: int, *, pipes: bool = False) -> bytes:
        path = os.path.abspath(path)
        data = self._contents.get(path)
        if data is not None:
            return data[: max(limit, 0)]
        number = errno.EISDIR if path in self._folders else errno.ENOENT
        raise OSError(number, os.strerror(number), path)

    def state(self, path: str) -> FileStat | None:
        path = os.path.abspath(path)
        data = self._contents.get(path)
        if data is not None:
            return FileStat("file", len(data), 0)
        return FileStat("folder", 0, 0) if path in self._folders else None

    def has(self, path: str) -> bool:
        return self.exists(path)

    def names(self, folder: str) -> list[str]:
        return list(self._listed(folder))

    def entries(self, folder: str) -> list[FolderEntry]:
        return [FolderEntry(name, kind) for name, kind in self._listed(folder).items()]

    def _listed(self, folder: str) -> dict[str, Kind]:
        folder = os.path.abspath(folder)
        known = self._folders.get(folder)
        if known is not None:
            return known
        number = errno.ENOTDIR if folder in self._contents else errno.ENOENT
        raise OSError(number, os.strerror(number), folder)

    def real(self, path: str) -> str:
        if "\0" in path:
            raise OSError(errno.EINVAL, "not a valid path", path)
        return os.path.abspath(path)
