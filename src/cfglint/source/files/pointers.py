"""Pointers of Git LFS, which lie in a checkout in the place of files that were not downloaded."""

from __future__ import annotations

#: What each begins with, whatever the name of the file says.
_BEGINNING = b"version https://git-lfs.github.com/spec/"
#: Larger files are none.
_MAX_BYTES = 1_000
#: What a summary calls one.
POINTER = "pointer of Git LFS (`git lfs pull` downloads the file)"


def is_pointer(data: bytes) -> bool:
    """Whether what was read is a pointer, and not the file."""
    return len(data) <= _MAX_BYTES and data.startswith(_BEGINNING)
