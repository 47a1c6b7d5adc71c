"""Scripts and images that start something else than a file: what they install is installed for that, not for the file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.base.paths import SCRIPT_SUFFIXES
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.environment.project.naming import mentions
from cfglint.knowledge.marks import without_comments
from cfglint.source.files.base import Files
from cfglint.source.files.folders import climb

if TYPE_CHECKING:
    from cfglint.environment.project.stated_versions import Source

#: A program or a config that a command names, and a folder that the script goes to.
_NAMED = lazy_pattern(r"(?<![\w./$\{\}-])[\w./-]{1,200}\.(?:py|ya?ml|json|ipynb)(?![\w.-])")
_FOLDER = lazy_pattern(r"(?<!\S)cd[ \t]+[\"']?([\w./-]{1,200})")
_MAX_NAMED = 40
#: What a Dockerfile copies, up to the end of the command, and what its container starts.
_COPY = lazy_pattern(r"(?im)^[ \t]*(?:COPY|ADD)[ \t]+((?:[^\n\\]|\\\r?\n|\\)*)")
_START = lazy_pattern(r"(?im)^[ \t]*(?:CMD|ENTRYPOINT)[ \t]+(.*)")
_PROGRAMS = (".py", ".ipynb", ".sh")
#: What brings other files into an image than those that are copied.
_BRINGS = ("git clone", "VOLUME", "<<")


def without_installations(
    sources: list[Source], path: str, files: Files, texts: dict[str, str]
) -> list[Source]:
    """The sources of a file, of which scripts of other experiments install nothing for it.

    Args:
        path: the file, absolute.
        texts: what was read, by path.
    """
    return [
        one.replaced(statements=())
        if _is_of_another(one, path, files, texts) or _lacks(one, path, files, texts)
        else one
        for one in sources
    ]


def _is_of_another(source: Source, path: str, files: Files, texts: dict[str, str]) -> bool:
    """Whether a script installs something for what it starts, and all that lies in folders apart from a file's.

    One that is there to install, as its name says, does so for all that lies with it, whatever it prepares besides.
    """
    if source.path == path or not source.statements or not source.path.endswith(SCRIPT_SUFFIXES):
        return False
    if source.kind == "install" and os.path.dirname(source.path) == os.path.dirname(path):
        return False
    text, folder = without_comments(texts.get(source.path, "")), os.path.dirname(source.path)
    started = set(_started(text, folder, files))
    names = {os.path.basename(one) for one in started}
    if not started or (os.path.basename(path) not in names and mentions(text, path, folder)):
        return False
    own = os.path.dirname(path)
    return not any(_is_around(own, os.path.dirname(one)) for one in started)


def _lacks(source: Source, path: str, files: Files, texts: dict[str, str]) -> bool:
    """Whether an image has programs that are copied by name, starts one of them, and a file is not among them."""
    if source.kind != "images" or not source.statements:
        return False
    text, folder = without_comments(texts.get(source.path, "")), os.path.dirname(source.path)
    if any(word in text for word in _BRINGS):
        return False
    copied: list[str] = []
    programs: list[str] = []
    for match in islice(_COPY.finditer(text), _MAX_NAMED):
        words = match[1].replace("\\\n", " ").replace("\\\r\n", " ").split()
        if any(word.startswith("--from") for word in words):
            continue
        paths = [word for word in words if not word.startswith("--")]
        copied += paths[:-1]
        # In the image a program may have another name.
        programs += [os.path.basename(one) for one in paths if one.endswith(_PROGRAMS)]
    started = " ".join(match[1] for match in islice(_START.finditer(text), _MAX_NAMED))
    if not any(name in started for name in programs):
        return False
    # Of a program with the same name, the folder tells which of them a command means.
    name = os.path.basename(path)
    if f"{os.path.basename(os.path.dirname(path))}/{name}" in text:
        return False
    if name not in programs and mentions(text, path, folder):
        return False
    levels = climb(folder, files)[1]
    return not any(_may_have(one, path, level) for one in copied for level in levels)


def _may_have(copied: str, path: str, folder: str) -> bool:
    """Whether a file is what a Dockerfile copies, or below it; what is not a plain name may be anything."""
    if any(sign in copied for sign in "*?[$\"'{,"):
        return True
    whole = os.path.normpath(os.path.join(folder, copied.lstrip("/")))
    return path == whole or path.startswith(os.path.join(whole, ""))


def _started(text: str, folder: str, files: Files) -> Iterator[str]:
    """The files of the project that a script names."""
    levels = climb(folder, files)[1]
    inner = [match[1] for match in islice(_FOLDER.finditer(text), _MAX_NAMED)]
    bases = [*levels, *(os.path.join(level, one) for level in levels for one in inner)]
    for match in islice(_NAMED.finditer(text), _MAX_NAMED):
        for base in bases:
            path = os.path.normpath(os.path.join(base, match[0]))
            if files.is_file(path):
                yield path


def _is_around(own: str, other: str) -> bool:
    """Whether one of two folders is the other one, or above it."""
    first, second = os.path.join(own, ""), os.path.join(other, "")
    return first.startswith(second) or second.startswith(first)
