"""Scripts that start something else than a file: what they install is installed for that, not for the file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.base.paths import SCRIPT_SUFFIXES
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.environment.project.naming import mentions
from cfglint.files.base import Files
from cfglint.files.folders import climb
from cfglint.knowledge.marks import without_comments

if TYPE_CHECKING:
    from cfglint.environment.project.stated_versions import Source

#: A program or a config that a command names, and a folder that the script goes to.
_NAMED = lazy_pattern(r"(?<![\w./$\{\}-])([\w./-]{1,200}\.(?:py|ya?ml|json|ipynb))(?![\w.-])")
_FOLDER = lazy_pattern(r"(?<!\S)cd[ \t]+[\"']?([\w./-]{1,200})")
_MAX_NAMED = 40


def without_installations(
    sources: list[Source], path: str, files: Files, texts: dict[str, str]
) -> list[Source]:
    """The sources of a file, of which scripts of other experiments install nothing for it.

    Args:
        path: the file, absolute.
        texts: what was read, by path.
    """
    return [
        one.replaced(statements=()) if _is_of_another(one, path, files, texts) else one
        for one in sources
    ]


def _is_of_another(source: Source, path: str, files: Files, texts: dict[str, str]) -> bool:
    """Whether a script installs something for what it starts, and all that lies in folders apart from a file's."""
    if source.path == path or not source.statements or not source.path.endswith(SCRIPT_SUFFIXES):
        return False
    text, folder = without_comments(texts.get(source.path, "")), os.path.dirname(source.path)
    started = set(_started(text, folder, files))
    names = {os.path.basename(one) for one in started}
    if not started or (os.path.basename(path) not in names and mentions(text, path, folder)):
        return False
    own = os.path.dirname(path)
    return not any(_is_around(own, os.path.dirname(one)) for one in started)


def _started(text: str, folder: str, files: Files) -> Iterator[str]:
    """The files of the project that a script names."""
    levels = climb(folder, files)[1]
    inner = [match[1] for match in islice(_FOLDER.finditer(text), _MAX_NAMED)]
    bases = [*levels, *(os.path.join(level, one) for level in levels for one in inner)]
    for match in islice(_NAMED.finditer(text), _MAX_NAMED):
        for base in bases:
            path = os.path.normpath(os.path.join(base, match[1]))
            if files.is_file(path):
                yield path


def _is_around(own: str, other: str) -> bool:
    """Whether one of two folders is the other one, or above it."""
    first, second = os.path.join(own, ""), os.path.join(other, "")
    return first.startswith(second) or second.startswith(first)
