"""The paths that git tracks in a work tree, read from its index; git itself is not started."""

from __future__ import annotations

import os

from cfglint.base.record import NamedTuple
from cfglint.source.files.base import Files
from cfglint.source.files.inside import Inside

#: The index of 200,000 files has about 25 MB.
_MAX_BYTES = 50_000_000
_HEAD = 12
#: Of an entry: times, device, inode, mode, owner, size and hash, then flags and its path.
_FIXED = 60
#: A file, a link, another repository.
_REPOSITORY = 0xE000
_KINDS = frozenset({0x8000, 0xA000, _REPOSITORY})
#: Where the hash of an entry is.
_HASH = slice(40, 60)
_EXTENDED = 0x4000


class IndexEntry(NamedTuple):
    """What the index knows of a file as it was checked out."""

    #: In nanoseconds.
    changed: int
    size: int
    #: Of another repository (a submodule): its commit.
    commit: str = ""


class _Index(NamedTuple):
    """The tracked paths, and the folders that they are in."""

    paths: dict[str, IndexEntry]
    folders: frozenset[str]


#: What is tracked outside of a work tree.
_NOTHING = _Index({}, frozenset())


class Tracked:
    """The tracked paths of a work tree, read when they are first asked for, and again only after the index has changed.

    Args:
        root: the top of the work tree; None outside of one.
    """

    def __init__(self, root: str | None, files: Files) -> None:
        self._root = root
        self._files = files
        self._known: _Index | None = None

    def has(self, path: str) -> bool:
        """Whether a file is tracked."""
        return self._relative(path) in self._index().paths

    def knows(self, path: str) -> bool:
        """Whether a file is tracked, or one in a folder of that path."""
        inside = self._relative(path)
        return bool(inside) and (inside in self._index().paths or inside in self._index().folders)

    def is_unchanged(self, path: str) -> bool:
        """Whether a file is tracked and was not written since it was checked out."""
        known, state = self._index().paths.get(self._relative(path)), self._files.state(path)
        return (
            known is not None
            and state is not None
            and (known.changed, known.size) == (state.changed, state.size)
        )

    def commit(self, path: str) -> str:
        """The commit of a submodule, as the work tree's own commit has it; empty if it has none of that path."""
        known = self._index().paths.get(self._relative(path))
        return "" if known is None else known.commit

    def has_below(self, folder: str) -> bool:
        """Whether a tracked file is in a folder, or in one below it."""
        return self._relative(folder) in self._index().folders

    def _relative(self, path: str) -> str:
        absolute = os.path.abspath(path)
        root = os.path.abspath(self._root or "")
        inside = absolute.startswith(os.path.join(root, ""))
        return absolute[len(root) :].strip(os.sep).replace(os.sep, "/") if inside else ""

    def _index(self) -> _Index:
        if self._known is None:
            self._known = self._read()
        return self._known

    def _read(self) -> _Index:
        if self._root is None:
            return _NOTHING
        path = os.path.join(os.path.abspath(self._root), ".git", "index")
        files = Inside(os.path.dirname(path), self._files)
        state = files.state(path)
        if state is None or state.size > _MAX_BYTES:
            return _NOTHING
        key = ("index", path, state.changed, state.size)
        return files.recent.once(key, lambda: _read(path, files))


def _read(path: str, files: Files) -> _Index:
    try:
        data = files.read(path, _MAX_BYTES + 1)
    except OSError:
        return _NOTHING
    paths = entries_in(data) if len(data) <= _MAX_BYTES else {}
    parts = (path[:end] for path in paths for end, sign in enumerate(path) if sign == "/")
    return _Index(paths, frozenset(parts))


def entries_in(data: bytes) -> dict[str, IndexEntry]:
    """Path -> entry of an index; none for what is not one, or not of a known version."""
    version = int.from_bytes(data[4:8], "big")
    if data[:4] != b"DIRC" or version not in (2, 3, 4):
        return {}
    found: dict[str, IndexEntry] = {}
    at, last = _HEAD, b""
    for _ in range(int.from_bytes(data[8:12], "big")):
        kind = int.from_bytes(data[at + 24 : at + 28], "big") & 0xF000
        if kind not in _KINDS:
            return {}  # hashes of another length, or not an index after all
        begin = at + _FIXED + 2
        if int.from_bytes(data[begin - 2 : begin], "big") & _EXTENDED and version > 2:
            begin += 2
        dropped = 0
        if version == 4:
            dropped, begin = _varint(data, begin)
        end = data.find(b"\0", begin)
        if end < 0 or dropped > len(last):
            return {}
        last = (last[: len(last) - dropped] if version == 4 else b"") + data[begin:end]
        seconds, fraction, size = (
            int.from_bytes(data[at + first : at + first + 4], "big") for first in (8, 12, 36)
        )
        commit = data[at : at + _FIXED][_HASH].hex() if kind == _REPOSITORY else ""
        found[os.fsdecode(last)] = IndexEntry(seconds * 1_000_000_000 + fraction, size, commit)
        # Up to version 3 an entry ends with one to eight zeros, at a multiple of eight bytes.
        at = end + 1 if version == 4 else at + (end - at + 8) // 8 * 8
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """(a number of git's variable length, the place behind it)."""
    byte = data[at] if at < len(data) else 0
    value = byte & 0x7F
    while byte & 0x80 and at + 1 < len(data):
        at += 1
        byte = data[at]
        value = ((value + 1) << 7) | (byte & 0x7F)
    return value, at + 1
