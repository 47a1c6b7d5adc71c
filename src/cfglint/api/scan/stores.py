"""Tables in object stores (`s3://…`, `gs://…`), by pyarrow's file systems; credentials are their affair."""

from __future__ import annotations

import io
import os
import re
from typing import IO, Any

import pyarrow as pa
from pyarrow import fs

from cfglint.api.scan.model import ScanError

#: A drive of Windows has one letter.
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
#: Below a folder of a store, files with these suffixes are tables.
_SUFFIXES = (".parquet", ".arrow", ".arrows", ".jsonl", ".ndjson")
_BUFFER = 1 << 20


def is_uri(source: str) -> bool:
    """Whether a source is named by an address instead of a path."""
    return _URI.match(source) is not None


def tables_at(uri: str) -> list[str]:
    """The tables at an address: itself, or those below it where it is a folder, in order.

    Raises:
        ScanError: there is none, or the store does not answer.
    """
    try:
        store, path = fs.FileSystem.from_uri(uri)
        info = store.get_file_info(path)
        if info.type == fs.FileType.File:
            return [uri]
        if info.type != fs.FileType.Directory:
            raise ScanError(f"{uri}: no such table or folder")
        below = store.get_file_info(fs.FileSelector(path, recursive=True))
    except (OSError, pa.ArrowException) as error:
        raise ScanError(f"{uri}: cannot be read: {str(error).strip()}") from None
    address, mark, options = uri.partition("?")
    root = path.rstrip("/")
    found = [
        f"{address.rstrip('/')}{one.path.removeprefix(root)}{mark}{options}"
        for one in below
        if one.type == fs.FileType.File and one.path.endswith(_SUFFIXES)
    ]
    if not found:
        raise ScanError(f"{uri}: no table is in this folder ({', '.join(_SUFFIXES)})")
    return sorted(found)


def stream(path: str) -> IO[bytes]:
    """A table as bytes that are read in order, from any position.

    Raises:
        OSError: it cannot be read.
    """
    if not is_uri(path):
        return open(path, "rb")
    return io.BufferedReader(_opened(path), _BUFFER)


def arrow_source(path: str) -> Any:
    """A table as Arrow reads it: a file of the disk is mapped into memory.

    Raises:
        OSError: it cannot be read.
    """
    return _opened(path) if is_uri(path) else pa.memory_map(path)


def parquet_source(path: str) -> Any:
    """A table as Parquet's reader takes it: a path, or a file of a store."""
    return _opened(path) if is_uri(path) else path


def state(path: str) -> tuple[int, int]:
    """The size of a table and when it was changed, as far as the store tells that.

    Raises:
        OSError: it is not there.
    """
    if not is_uri(path):
        status = os.stat(path)
        return status.st_size, status.st_mtime_ns
    store, inside = fs.FileSystem.from_uri(path)
    info = store.get_file_info(inside)
    if info.type != fs.FileType.File:
        raise FileNotFoundError(2, os.strerror(2), path)
    return info.size or 0, info.mtime_ns or 0


def _opened(path: str) -> Any:
    store, inside = fs.FileSystem.from_uri(path)
    return store.open_input_file(inside)
