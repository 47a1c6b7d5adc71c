"""Texts that are not saved yet, over other files: what an editor shows."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.source.files.base import Files, FileStat, FolderEntry, Recent
from cfglint.source.files.memory import InMemory


class Overlay(Files):
    """Other files, some with replaced contents. Each text needs its own overlay.

    Args:
        contents: path -> the contents that replace those of a file, or are a new file. The path
            of a link is that of its target.
        under: all other files.
        working: the folder in which the run starts, where that is known.

    Raises:
        ValueError: one file would lie in another.
        OSError: something is not a path.
    """

    writable = False

    def __init__(
        self, contents: Mapping[str, bytes], under: Files, *, working: str | None = None
    ) -> None:
        self.recent = Recent()
        self.tops = under.tops
        self.working = working or under.working
        self._under = under
        self._own = InMemory({under.real(path): data for path, data in contents.items()})

    def _in_own(self, path: str) -> str | None:
        """The path that something of one's own has, a file or a folder; None when there is none."""
        try:
            real = self._under.real(path)
        except OSError:
            return None
        return real if self._own.exists(real) else None

    def read(self, path: str, limit: int, *, pipes: bool = False) -> bytes:
        own = self._in_own(path)
        if own is not None and (self._own.is_file(own) or not self._under.exists(path)):
            return self._own.read(own, limit)
        return self._under.read(path, limit, pipes=pipes)

    def state(self, path: str) -> FileStat | None:
        own = self._in_own(path)
        if own is None:
            return self._under.state(path)
        if self._own.is_file(own):
            return self._own.state(own)
        return self._under.state(path) or self._own.state(own)

    def has(self, path: str) -> bool:
        return self._in_own(path) is not None or self._under.has(path)

    def names(self, folder: str) -> list[str]:
        return [entry.name for entry in self.entries(folder)]

    def entries(self, folder: str) -> list[FolderEntry]:
        own = self._in_own(folder)
        if own is None:
            return self._under.entries(folder)
        ours = self._own.entries(own)
        found = self._under.entries(folder) if self._under.is_folder(folder) else []
        named = {entry.name: entry for entry in (*found, *ours)}
        return list(named.values())

    def real(self, path: str) -> str:
        return self._under.real(path)
