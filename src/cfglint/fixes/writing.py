"""Writing a file so that an interrupt at any moment leaves the old or the new one.

The rule is a temporary file in the same folder that replaces the old one. A file with several
names, or in a folder that takes no new files, is written in place: a backup with both contents
is completed first, so that `remove_stale_temporaries` can undo a write that was cut short.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import platform
import re
import stat
import tempfile
import time
import zlib
from pathlib import Path as File
from typing import NamedTuple

from cfglint.source.files.disk import Disk
from cfglint.source.files.links import refuse_link

_OURS = re.compile(r"\..+\.cfglint-(\d+)-([0-9a-f]{8})-[0-9a-f]{8}\.(tmp|bak)", re.DOTALL)
#: A file of a process that another machine or container has started is stale after so many seconds;
#: whether it still runs cannot be asked from here.
_STALE_AFTER = 3600.0
#: File systems allow names of 255 bytes; ours add about 35 to the file's own.
_MAX_NAME_CHARS = 50
_BINARY = getattr(os, "O_BINARY", 0)
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)


class WriteResult(NamedTuple):
    """Whether the file now has the new bytes; if not, `reason` is a sentence for the user."""

    written: bool
    reason: str | None = None
    in_place: bool = False


class Cleanup(NamedTuple):
    """What an earlier, interrupted run had left behind.

    `removed`: files deleted; `restored`: files whose old bytes are back; `kept`: backups of files
    that someone has changed since, so that a person has to decide which version is right.
    """

    removed: tuple[File, ...]
    restored: tuple[File, ...]
    kept: tuple[File, ...]


def write_file(path: str | os.PathLike[str], expected: bytes, new: bytes) -> WriteResult:
    """Replace a file's bytes, if they are still the expected ones.

    Links are followed, but not out of a repository.

    Args:
        path: the file.
        expected: the bytes that the fix was made for.
        new: the bytes to write.
    """
    target = File(os.path.realpath(path))
    try:
        refuse_link(os.fspath(path), Disk())
        status = target.stat()
        if not stat.S_ISREG(status.st_mode):
            return WriteResult(False, "It is not a regular file.")
        if target.read_bytes() != expected:
            return WriteResult(False, "The file was changed while it was being checked.")
        if not os.access(target, os.W_OK):
            return WriteResult(False, "The file is write-protected.")
        if status.st_nlink == 1 and os.access(target.parent, os.W_OK | os.X_OK):
            try:
                return _replace(target, status, expected, new)
            except PermissionError:
                # The folder takes no new file after all, or the owner cannot be kept.
                pass
        return _write_in_place(target, expected, new)
    except OSError as error:
        return WriteResult(False, f"It could not be written: {error.strerror or error}.")


def write_new(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file of cfglint's own, such as a report, whatever it held before.

    A regular file appears whole or not at all; links are followed, but not out of a repository. A
    pipe, a terminal, a file with several names or in a folder that takes no new ones is written in
    place.

    Raises:
        OSError: it cannot be written.
    """
    refuse_link(os.fspath(path), Disk())
    target = File(os.path.realpath(path))
    status = None
    with contextlib.suppress(FileNotFoundError):
        status = os.stat(path)
    if status is not None and (
        not stat.S_ISREG(status.st_mode)
        or status.st_nlink > 1
        or not os.access(target, os.W_OK)
        or not os.access(target.parent, os.W_OK | os.X_OK)
        # Standard output under another name: who reads it has it open.
        or os.fspath(path).startswith("/dev/")
    ):
        # What a shell has made of standard output must not be cut off.
        with open(path, "ab" if os.fspath(path).startswith("/dev/") else "wb") as file:
            file.write(data)
        return
    temporary = _temporary_path(target.parent, target.name, "tmp")
    try:
        _create(temporary, data, status, mode=0o666)
        os.replace(temporary, target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
    _sync_folder(target.parent)


def create_file(path: str, data: bytes, top: str) -> None:
    """Write a file that is not there yet, with the folders above it, inside of a folder.

    Raises:
        OSError: there is something of that name, it would lie outside `top`, or it cannot be
            written.
    """
    target = File(path)
    inside = File(os.path.realpath(top))
    if inside not in [(real := File(os.path.realpath(target.parent))), *real.parents]:
        raise OSError(errno.EPERM, "a link leads out of the project")
    target.parent.mkdir(parents=True, exist_ok=True)
    _create(target, data, None, mode=0o666)


def _replace(target: File, status: os.stat_result, expected: bytes, new: bytes) -> WriteResult:
    temporary = _temporary_path(target.parent, target.name, "tmp")
    try:
        _create(temporary, new, status, attributes_of=target)
        if target.read_bytes() != expected:
            return WriteResult(False, "The file was changed while it was being checked.")
        os.replace(temporary, target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
    _sync_folder(target.parent)
    return WriteResult(True)


def _create(
    path: File,
    data: bytes,
    like: os.stat_result | None,
    mode: int = 0o600,
    attributes_of: File | None = None,
) -> None:
    """Write a new file and wait until it is on the disk.

    Args:
        like: whose mode and owner it gets.
        attributes_of: the file whose extended attributes (access lists and labels, too) it gets.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINKS | _BINARY, mode)
    try:
        _write_all(descriptor, data)
        if like is not None and hasattr(os, "fchown"):
            made = os.fstat(descriptor)
            if (made.st_uid, made.st_gid) != (like.st_uid, like.st_gid):
                os.fchown(descriptor, like.st_uid, like.st_gid)
            os.fchmod(descriptor, stat.S_IMODE(like.st_mode))
        if attributes_of is not None:
            _copy_attributes(attributes_of, descriptor)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _copy_attributes(source: File, descriptor: int) -> None:
    """Give an open file the extended attributes of another, where there are such.

    Raises:
        OSError: one cannot be set, and would be lost.
    """
    if not hasattr(os, "listxattr"):
        return
    try:
        names = os.listxattr(source)
    except OSError as error:
        if error.errno == errno.ENOTSUP:
            return
        raise
    for name in names:
        value = os.getxattr(source, name)
        try:
            os.setxattr(descriptor, name, value)
        except OSError:
            # The system sets some by itself.
            if name not in os.listxattr(descriptor) or os.getxattr(descriptor, name) != value:
                raise


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _sync_folder(folder: File) -> None:
    """Make a rename survive a power failure, where folders can be synced."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _temporary_path(folder: File, name: str, suffix: str) -> File:
    token = os.urandom(4).hex()
    return folder / (
        f".{name[:_MAX_NAME_CHARS]}.cfglint-{os.getpid()}-{_process_space()}-{token}.{suffix}"
    )


def _process_space() -> str:
    """What tells the processes of this machine, or container, from those of others by a number."""
    space = platform.node()
    with contextlib.suppress(OSError):
        space += os.readlink("/proc/self/ns/pid")
    with contextlib.suppress(OSError):
        space += File("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")
    return f"{zlib.crc32(space.encode('utf-8', 'surrogateescape')):08x}"


# ---------------------------------------------------------------------------- in place


def _write_in_place(target: File, expected: bytes, new: bytes) -> WriteResult:
    folder = target.parent
    if not os.access(folder, os.W_OK | os.X_OK):
        folder = File(tempfile.gettempdir())
    backup = _temporary_path(folder, target.name, "bak")
    unfinished = backup.with_suffix(".tmp")
    try:
        _create(unfinished, _pack(target, expected, new), None)
        os.replace(unfinished, backup)
    finally:
        with contextlib.suppress(FileNotFoundError):
            unfinished.unlink()
    _sync_folder(folder)
    try:
        if target.read_bytes() != expected:
            backup.unlink()
            return WriteResult(False, "The file was changed while it was being checked.")
        _overwrite(target, new)
    except BaseException:
        _overwrite(target, expected)
        backup.unlink()
        raise
    backup.unlink()
    _sync_folder(folder)
    return WriteResult(True, in_place=True)


def _overwrite(target: File, data: bytes) -> None:
    """Write over a file from its start; at any moment it is new bytes, then old ones."""
    descriptor = os.open(target, os.O_WRONLY | _NO_LINKS | _BINARY)
    try:
        _write_all(descriptor, data)
        os.ftruncate(descriptor, len(data))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _pack(target: File, old: bytes, new: bytes) -> bytes:
    """A backup: one line of JSON, then the old bytes, then the new ones."""
    head = {"cfglint": 1, "target": os.fspath(target), "old": len(old), "new": len(new)}
    return json.dumps(head).encode("ascii") + b"\n" + old + new


def _unpack(data: bytes) -> tuple[File, bytes, bytes] | None:
    """Target, old and new bytes of a backup; None if it is not one."""
    line, _, content = data.partition(b"\n")
    try:
        head = json.loads(line)
        target, old, new = File(head["target"]), int(head["old"]), int(head["new"])
    except (ValueError, KeyError, TypeError):
        return None
    return (target, content[:old], content[old:]) if len(content) == old + new else None


# ---------------------------------------------------------------------------- cleaning up


def remove_stale_temporaries(folder: str | os.PathLike[str]) -> Cleanup:
    """Clear away what an interrupted run left for a folder, and undo half-made writes in it.

    Only files with our name pattern, of the same user, whose process is gone, are touched.
    """
    place = File(os.path.realpath(folder))
    removed: list[File] = []
    restored: list[File] = []
    kept: list[File] = []
    for path in [*_stale(place), *_stale(File(tempfile.gettempdir()))]:
        with contextlib.suppress(OSError):
            if path.suffix == ".bak":
                contents = _unpack(_read_own(path))
                if contents is not None and contents[0].parent != place:
                    # A backup in the system's folder, of a file elsewhere.
                    continue
                if contents is None or os.path.realpath(contents[0]) != os.fspath(contents[0]):
                    # Not one of ours: we resolve links before we write. (A repository may hold
                    # a made-up backup next to a link to a file of the user's.)
                    kept.append(path)
                    continue
                state = _recover(*contents)
                if state is None:
                    kept.append(path)
                    continue
                if state:
                    restored.append(contents[0])
            path.unlink()
            removed.append(path)
    return Cleanup(tuple(removed), tuple(restored), tuple(kept))


def _recover(target: File, old: bytes, new: bytes) -> bool | None:
    """Undo a half-made write: True when it was, False when it was whole, None when unclear."""
    try:
        current = target.read_bytes()
    except FileNotFoundError:
        return None
    if current in (old, new):
        return False
    cut = 0
    while cut < min(len(current), len(new)) and current[cut] == new[cut]:
        cut += 1
    # New bytes up to some place and old ones after it: no other program has written to it since.
    shared = next((at for at in range(cut, -1, -1) if current[at:] == old[at:]), None)
    if shared is None:
        return None
    _overwrite(target, old)
    return True


def _stale(folder: File) -> list[File]:
    """Our files in a folder whose process has ended."""
    found = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            match = _OURS.fullmatch(entry.name)
            if match is None or not entry.is_file(follow_symlinks=False):
                continue
            status = entry.stat(follow_symlinks=False)
            mine = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
            if match.group(2) == _process_space():
                alive = _is_alive(int(match.group(1)))
            else:
                alive = time.time() - status.st_mtime < _STALE_AFTER
            if mine and not alive:
                found.append(File(entry.path))
    return sorted(found)


def _is_alive(pid: int) -> bool:
    """Whether a process runs. Where that cannot be asked without harm (Windows): yes."""
    if os.name == "nt":
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass  # it is another user's
    return True


def _read_own(path: File) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | _NO_LINKS | _BINARY)
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read()
