"""Finds the files that a config names, and reads them within limits."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from cfglint.base.record import Record
from cfglint.source.files.base import Files
from cfglint.source.files.folders import climb, is_inside
from cfglint.source.files.git_index import Tracked
from cfglint.source.files.pointers import POINTER, is_pointer
from cfglint.source.text import SourceText

#: Longer texts are not paths.
_MAX_PATH = 1024


class Contents(Record):
    """A file that was read. Its text is empty when there is a problem."""

    #: Absolute.
    path: str
    source: SourceText
    #: Why it could not be read, in words.
    problem: str | None = None


class Search(Record):
    """Where a path leads to that a config names."""

    #: The files (or folders) of that name, the nearest first; more than one when it depends on
    #: the working folder which of them is meant.
    found: tuple[str, ...]
    #: The existing folder in which the name is missing; None when there is none, or when a clone has the file.
    missing_in: str | None = None
    #: Whether the project is known to end where the search did.
    in_repository: bool = False


def search(written: str, folder: str, files: Files) -> Search:
    """Look for what a config in `folder` names.

    A path is relative to the working folder, which a config does not state: it may be any
    folder between the config's own and the root of its project, and where it is known it decides
    between several. Nothing outside the project is examined, and no link that leads out of it is followed.
    """
    if not 0 < len(written) <= _MAX_PATH or "\0" in written or "://" in written:
        return Search(())
    if written.startswith("~") or _is_on_network(written):
        return Search(())
    written = written.replace("/", os.sep)
    root, levels = climb(folder, files)
    bases = [""] if os.path.isabs(written) else list(levels)
    found: list[str] = []
    missing_in: str | None = None
    for base in bases:
        path = os.path.normpath(os.path.join(base, written))
        try:
            if not is_inside(path, root, files):
                continue
            if files.exists(path):
                real = files.real(path)
                if all(files.real(other) != real for other in found):
                    found.append(path)
            elif missing_in is None and files.is_folder(os.path.dirname(path)):
                missing_in = os.path.dirname(path)
        except OSError:
            continue
    if len(found) > 1 and files.working is not None:
        meant = os.path.normpath(os.path.join(files.working, written))
        found = [path for path in found if path == meant] or found
    in_repository = files.has(os.path.join(root, ".git"))
    if found or (
        missing_in is not None and in_repository and _is_tracked(written, bases, root, files)
    ):
        missing_in = None
    return Search(tuple(found), missing_in, in_repository)


def _is_tracked(written: str, bases: Iterable[str], root: str, files: Files) -> bool:
    """Whether git has what is missing here: it is left out of a sparse checkout, for instance."""
    tracked = Tracked(root, files)
    return any(tracked.knows(os.path.join(base, written)) for base in bases)


def is_in_clone(path: str, folder: str, files: Files) -> bool:
    """Whether a path leads to something in a clone of a folder's repository: it is here, or git tracks it."""
    return files.exists(path) or Tracked(climb(folder, files)[0], files).knows(path)


def _is_on_network(written: str) -> bool:
    r"""Whether Windows would ask another machine, or a device, for a path: `\\host\share\x.json`."""
    return written[:2].replace("\\", "/") == "//"


def read(path: str, limit: int, files: Files) -> Contents | None:
    """The text of a regular file; None when there is none."""
    state = files.state(path)
    if state is None or state.kind != "file":
        return None
    if state.size > limit:
        return Contents(path, SourceText(""), f"it is larger than {limit:,} bytes")
    # Several configs mostly name the same file; it is read again when it has changed.
    key = ("text", path, limit, state.changed, state.size)
    return files.recent.once(key, lambda: _read(path, limit, files))


def text_of(path: str, limit: int, files: Files) -> str | None:
    """The same as a text alone; None for what cannot be read, too."""
    contents = read(path, limit, files)
    return None if contents is None or contents.problem is not None else contents.source.text


def decoded(path: str, limit: int, files: Files) -> str:
    """A file as a text, whatever its encoding; empty for what cannot be read."""
    try:
        return files.read(path, limit).decode("utf-8", "replace")
    except OSError:
        return ""


def _read(path: str, limit: int, files: Files) -> Contents | None:
    try:
        data = files.read(path, limit + 1)
    except OSError:
        return None
    if len(data) > limit:
        return Contents(path, SourceText(""), f"it is larger than {limit:,} bytes")
    if is_pointer(data):
        return Contents(path, SourceText(""), f"it is a {POINTER}")
    try:
        return Contents(path, SourceText.from_str(data.decode("utf-8")))
    except UnicodeDecodeError:
        return Contents(path, SourceText(""), "it is not UTF-8")


def texts_below(
    roots: Iterable[str], suffix: str, files: Files, *, most: int, max_bytes: int
) -> Iterator[str]:
    """The texts of the files below folders whose names end with a suffix, those of the upper folders first.

    What cannot be listed or read is left out.

    Args:
        most: so many files, and so many folders, are read at most.
        max_bytes: a larger file is not read.
    """
    folders, count = [*roots], 0
    for folder in folders:
        try:
            entries = files.entries(folder)
        except OSError:
            continue
        for entry in entries:
            path = os.path.join(folder, entry.name)
            if entry.kind == "folder" and len(folders) < most:
                folders.append(path)
            elif entry.name.endswith(suffix) and count < most:
                count += 1
                contents = read(path, max_bytes, files)
                if contents is not None:
                    yield contents.source.text


def head(path: str, limit: int, files: Files) -> bytes | None:
    """The beginning of a regular file; None when there is none."""
    try:
        return files.read(path, limit)
    except OSError:
        return None
