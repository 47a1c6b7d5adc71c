"""Links that lead out of a repository: what they lead to is neither shown nor changed.

A checkout may come from a stranger, and so may a link in it to a private key or a list of passwords.
"""

from __future__ import annotations

import errno
import os

from cfglint.source.files.base import Files
from cfglint.source.files.folders import is_inside

#: Why such a file is left alone.
LEADS_OUT = "it is a link that leads out of the repository"


def leads_out(path: str, files: Files) -> bool:
    """Whether a path lies in a repository and leads, by links, to something outside of it.

    Outside a repository there is no border, and links are followed.
    """
    absolute = os.path.abspath(path)
    try:
        if files.real(absolute) == absolute:
            return False
        from cfglint.source.files.repository import repository_root

        root = repository_root(os.path.dirname(absolute), files)
        return root is not None and not is_inside(absolute, root, files)
    except OSError:  # it is not a path; reading it says so
        return False


def read_inside(path: str, limit: int, files: Files, *, pipes: bool = False) -> bytes:
    """The first bytes of a file, as `Files.read` gives them, unless it leads out of its repository.

    Raises:
        OSError: it does, or it cannot be read; `strerror` says why.
    """
    refuse_link(path, files)
    return files.read(path, limit, pipes=pipes)


def refuse_link(path: str, files: Files) -> None:
    """Raise an error if a path leads out of its repository.

    Raises:
        OSError: it does; `strerror` says so.
    """
    if leads_out(path, files):
        raise OSError(errno.EPERM, LEADS_OUT, path)
