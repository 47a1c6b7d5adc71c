"""The file that a value of a config names, and what is in it."""

from __future__ import annotations

from cfglint.environment.surroundings import Surroundings
from cfglint.source.document import Document
from cfglint.source.files.nearby import read, search
from cfglint.source.languages.base import Language
from cfglint.source.problems import SourceError


def named_file(written: object, around: Surroundings, max_bytes: int) -> str | None:
    """The path of a file; None when there is none, or when several could be meant.

    Args:
        written: the value of the config.
        max_bytes: a larger file is not examined.
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


def named_document(
    path: str, language: Language, around: Surroundings, max_bytes: int
) -> Document | None:
    """A named file, read once; None when it cannot be read.

    Args:
        max_bytes: a larger file is not read.
    """

    def load() -> Document | None:
        contents = read(path, max_bytes, around.files)
        if contents is None or contents.problem is not None:
            return None
        try:
            return language.read(contents.source)
        except SourceError:
            return None

    return around.memory.once(("named document", path, language.name, max_bytes), load)
