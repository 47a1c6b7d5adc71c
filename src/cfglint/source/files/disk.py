"""The files of the disk: what a run from the command line reads."""

from __future__ import annotations

import errno
import os
import stat

from cfglint.base.type_names import IO
from cfglint.source.files.base import Files, FileStat, FolderEntry, Kind, Recent
from cfglint.source.files.links import refuse_link

#: A pipe is not waited for, and a program that is started later does not inherit the file.
_FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
#: Read at a time; most files are smaller.
_CHUNK = 65_536


class Disk(Files):
    """The files of the disk, read anew each time."""

    writable = True

    def __init__(self) -> None:
        self.recent = Recent()

    def read(self, path: str, limit: int, *, pipes: bool = False) -> bytes:
        try:
            descriptor = os.open(path, _FLAGS if pipes else _FLAGS | _AT_ONCE)
        except ValueError:
            raise _no_path(path) from None
        try:
            # What was opened is examined, not the name, which may mean something else by now.
            status = os.fstat(descriptor)
            mode = status.st_mode
            if stat.S_ISDIR(mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
            if not pipes and not stat.S_ISREG(mode):
                raise OSError(errno.EINVAL, "not a regular file", path)
            parts = []
            size = max(status.st_size + 1, _CHUNK)
            while limit > 0:
                part = os.read(descriptor, min(limit, size))
                if not part:
                    break
                parts.append(part)
                limit -= len(part)
                size = _CHUNK
        finally:
            os.close(descriptor)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def state(self, path: str) -> FileStat | None:
        try:
            status = os.stat(path)
        except (OSError, ValueError):
            return None
        mode = status.st_mode
        kind: Kind = "file" if stat.S_ISREG(mode) else "folder" if stat.S_ISDIR(mode) else "other"
        return FileStat(kind, status.st_size, status.st_mtime_ns, bool(mode & stat.S_IWOTH))

    def has(self, path: str) -> bool:
        return os.path.lexists(path)

    def names(self, folder: str) -> list[str]:
        try:
            return os.listdir(folder)
        except ValueError:
            raise _no_path(folder) from None

    def entries(self, folder: str) -> list[FolderEntry]:
        try:
            with os.scandir(folder) as entries:
                return [FolderEntry(entry.name, _kind(entry)) for entry in entries]
        except ValueError:
            raise _no_path(folder) from None

    def real(self, path: str) -> str:
        try:
            return os.path.realpath(path)
        except ValueError:
            raise _no_path(path) from None

    def is_file(self, path: str) -> bool:
        return os.path.isfile(path)

    def is_folder(self, path: str) -> bool:
        return os.path.isdir(path)


def _kind(entry: os.DirEntry[str]) -> Kind:
    try:
        if entry.is_symlink():
            return "link"
        if entry.is_dir(follow_symlinks=False):
            return "folder"
        return "file" if entry.is_file(follow_symlinks=False) else "other"
    except OSError:
        return "other"


def _no_path(path: str) -> OSError:
    """The error for what cannot be the name of a file, such as one with a NUL."""
    return OSError(errno.EINVAL, "not a valid path", path)


def open_stream(path: str) -> IO[bytes]:
    """A file as a stream, for what is too large to be read at once.

    Raises:
        OSError: it cannot be opened, or is a link that leads out of its repository.
    """
    refuse_link(path, Disk())
    try:
        return open(path, "rb")
    except ValueError:
        raise _no_path(path) from None
