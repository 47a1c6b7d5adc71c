"""The files that a run opens as it starts, because its config names them, and that are not there.

Their paths count from the folder in which the command starts, not from that of the config.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.paths import relative_path
from cfglint.base.record import Record
from cfglint.engine.case import Case
from cfglint.roles.parts import Opened
from cfglint.source.calls import call_of
from cfglint.source.document import Document
from cfglint.source.files.base import Files
from cfglint.source.files.nearby import is_in_clone, search

#: A path that counts from a folder, and says so without the help of anything.
_PLAIN = lazy_pattern(r"[^/\\~$%*?{}<>:\s][^\\~$*?{}<>:\n]{0,500}")
#: A comment that silences a finding about a file which is made before the run starts.
_SILENCED = "cfglint: ignore"


class Absent(Record):
    """A file that a run opens, and that is not where it does."""

    #: In words, with the place that names it.
    text: str
    #: The run certainly fails.
    fails: bool


def absent_files(
    path: str, case: Case, document: Document, *, script: str | None, reported: Container[str] = ()
) -> Iterator[Absent]:
    """What a file of the run names, and is not there.

    Args:
        path: of the file, as reports show it.
        script: the text of the script that starts the run, which may make files or fetch them; None for a command.
        reported: the files of which something else says that they are not there.
    """
    if call_of(document.root) is not None:
        return  # a program may make what it names, or go to another folder
    files, folder = case.around.files, case.around.folder
    for opened in case.framework.readings.opened(document):
        name = opened.name
        if (
            name in reported
            or folder is None
            or _PLAIN.fullmatch(name) is None
            or _is_silenced(document, opened)
        ):
            continue
        if script is not None and _is_made(name, script, case):
            continue
        found = search(name, folder, files).found
        here = files.working
        if here is None:
            if not found and not opened.is_data and not opened.is_brought:
                yield from _nowhere(path, document, opened, folder, files)
            continue
        if any(
            files.exists(os.path.join(here, one)) for one in (name, _plain(opened.unless)) if one
        ):
            continue
        if not found and opened.is_data:
            continue
        there = [one for one in found if os.path.normpath(one) != os.path.join(here, name)]
        words = f"{_place(path, document, opened)}: there is no `{name}` in the folder in which the run starts"
        if there:
            words += f"; it does not open `{relative_path(there[0])}`"
        elif opened.is_brought:
            words += "; a checkout of the framework has it"
        yield Absent(words, fails=script is None and (bool(there) or not opened.is_brought))


def _is_made(name: str, script: str, case: Case) -> bool:
    """Whether a script speaks of a file besides giving it to its command, as one does that makes or fetches it."""
    return script.count(os.path.basename(name)) > case.framework.in_scripts


def _plain(path: str) -> str:
    """A path on this machine; empty for any other."""
    return path if _PLAIN.fullmatch(path.removeprefix("/")) else ""


def _nowhere(
    path: str, document: Document, opened: Opened, folder: str, files: Files
) -> Iterator[Absent]:
    """A file that no folder has in which the run may start."""
    if not is_in_clone(os.path.join(folder, opened.name), folder, files):
        words = f"{_place(path, document, opened)}: there is no `{opened.name}` in the project"
        yield Absent(words, fails=False)


def _place(path: str, document: Document, opened: Opened) -> str:
    """The file, with the line where that is one of its own."""
    span = document.span(opened.at)
    if span is None or span.end > len(document.source.text):
        return path
    return f"{path} line {document.source.position(span.start).line}"


def _is_silenced(document: Document, opened: Opened) -> bool:
    span = document.span(opened.at)
    if span is None:
        return False
    text = document.source.text
    end = text.find("\n", span.start)
    return _SILENCED in text[span.start : end if end >= 0 else len(text)]


def in_words(absent: Iterable[Absent], *, fails: bool) -> Iterator[str]:
    """The absent files that certainly end the run, or the others."""
    return (one.text for one in absent if one.fails is fails)
