"""The file that a value of a config names."""

from __future__ import annotations

from cfglint.environment.surroundings import Surroundings
from cfglint.files.nearby import read, search


def named_file(written: object, around: Surroundings, max_bytes: int) -> str | None:
    """The path of a file; None when there is none, or when several could be meant.

    Args:
        written: the value of the config.
        max_bytes: a larger file is not looked at.
    """
    folder, files = around.folder, around.files
    if not isinstance(written, str) or folder is None or not written:
        return None

    def find() -> str | None:
        found = search(written, folder, files).found
        read_ones = [contents for path in found if (contents := read(path, max_bytes, files))]
        if not read_ones:
            return None
        # Copies of one file in several folders are as good as one.
        texts = {contents.source.text for contents in read_ones}
        return read_ones[0].path if len(texts) == 1 else None

    return around.memory.once(("named file", written, folder), find)
