"""The interface for reading files, wherever they are: on the disk, in memory, in an editor.

Paths are those of the operating system. A relative one is resolved from the current folder.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from cfglint.base.record import Record
from cfglint.base.type_names import Any, Literal, Protocol, TypeVar, cast

_T = TypeVar("_T")

#: The kind of a folder's entry; `other` is a pipe, a device, a socket, or unknown.
Kind = Literal["file", "folder", "link", "other"]
#: How many values are kept.
_KEPT = 64


class FileStat(Record):
    """The status of the file or folder that a path leads to, links followed."""

    #: Never `link`.
    kind: Kind
    #: Of a file: its size in bytes.
    size: int
    #: A number that differs after the contents have changed.
    changed: int
    #: Of a folder: whether it is world-writable.
    is_shared: bool = False


class FolderEntry(Record):
    """One name in a folder, links not followed."""

    name: str
    kind: Kind


class Recent:
    """A cache of values that were computed from files, the least recently used dropped first."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """The cached value of this key; computed by `make` if it is not cached."""
        known = self._known
        # A value that is used moves to the end; the first one is dropped.
        value = known.pop(key) if key in known else make()
        known[key] = value
        if len(known) > _KEPT:
            del known[next(iter(known))]
        return cast("_T", value)


class Files(Protocol):
    """Where a session reads. No method changes anything, and none raises except as documented."""

    #: The cache of values that were computed from these files.
    recent: Recent
    #: Whether these are the files of the disk, so that a repaired text can be written to them.
    writable: bool
    #: The folders that the user named, absolute: without a repository around it, each is the top of a project.
    tops: frozenset[str] = frozenset()
    #: The folder in which the run starts, absolute, where that is known: paths in its files count from there.
    working: str | None = None

    def read(self, path: str, limit: int, *, pipes: bool = False) -> bytes:
        """The first bytes of a regular file, `limit` of them at most.

        Args:
            limit: requesting one more byte than allowed detects a larger file.
            pipes: read a pipe or a device, too, and wait for it: for what the user named.

        Raises:
            OSError: it is not there, no regular file, no path, or cannot be read; `strerror`
                says why.
        """
        ...

    def state(self, path: str) -> FileStat | None:
        """The status of what a path leads to; None if it does not exist, or is unknown."""
        ...

    def has(self, path: str) -> bool:
        """Whether the name exists, even as a broken link."""
        ...

    def names(self, folder: str) -> list[str]:
        """The names in a folder, in no particular order.

        Raises:
            OSError: it is not a folder, or cannot be listed.
        """
        ...

    def entries(self, folder: str) -> list[FolderEntry]:
        """The names in a folder with their kinds, in no particular order.

        Raises:
            OSError: it is not a folder, or cannot be listed.
        """
        ...

    def real(self, path: str) -> str:
        """The absolute path with all links followed, as far as there is something.

        Raises:
            OSError: it is not a path.
        """
        ...

    def exists(self, path: str) -> bool:
        """Whether a path leads to something."""
        return self.state(path) is not None

    def is_file(self, path: str) -> bool:
        """Whether a path leads to a regular file."""
        state = self.state(path)
        return state is not None and state.kind == "file"

    def is_folder(self, path: str) -> bool:
        """Whether a path leads to a folder."""
        state = self.state(path)
        return state is not None and state.kind == "folder"
