"""Scripts that start files: what is wrong with the words of their commands, and what is known about them.

Such a script has no settings of its own. Its commands are judged with the configs that they start.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from cfglint.answers.preflight.launched import RunPart, of_path
from cfglint.engine.checked_document import CheckedDocument
from cfglint.engine.file_report import FileReport
from cfglint.engine.session import RunError
from cfglint.knowledge.recognition import language_of
from cfglint.server.hovering import key_text
from cfglint.source.problems import SourceError
from cfglint.source.text import MAX_BYTES, SourceText, Span

if TYPE_CHECKING:
    from cfglint.server.snapshot import Snapshot

#: Of more files that one script starts, the first are checked with it.
_MOST: Final = 10


def reports_with(snapshot: Snapshot, path: str) -> Iterator[FileReport]:
    """What is found in a script when the files that it starts are checked."""
    real = snapshot.files.real(path)
    for part in _started(snapshot, path):
        runner = snapshot.runner.reading_as(part.framework) if part.framework else snapshot.runner
        try:
            report = runner.check_file(os.path.abspath(part.path), named=bool(part.framework))
        except RunError:
            continue  # the file itself says why
        if report is not None:
            yield from (one for one in report.elsewhere if snapshot.files.real(one.path) == real)


def hover_of_word(snapshot: Snapshot, path: str, offset: int) -> tuple[str, Span] | None:
    """What is known about the key that a word of a command sets, in Markdown, and where the word is.

    Args:
        path: of the script.
        offset: in it, in code points.
    """
    for part in _started(snapshot, path):
        checked = _read(snapshot, part) if part.role == "config" else None
        for line in checked.around.launches if checked is not None else ():
            if checked is None or line.path != os.path.abspath(path):
                continue
            launching, release = checked.framework.launching, checked.target.release
            for one in launching.overrides(line, checked.document, release):
                if one.start <= offset <= one.end:
                    text = key_text(checked, one.path)
                    return None if text is None else (text, Span(one.start, one.end))
    return None


def _started(snapshot: Snapshot, path: str) -> Iterator[RunPart]:
    """The configs and programs that a script starts, as far as they are there."""
    if language_of(path) != "shell":
        return
    try:
        parts = of_path(path, snapshot.files).parts
    except RunError:
        return
    roles = ("config", "program")
    yield from islice((one for one in parts if one.role in roles and not one.missing), _MOST)


def _read(snapshot: Snapshot, part: RunPart) -> CheckedDocument | None:
    """A config as it is checked; None if it cannot be read."""
    path = os.path.abspath(part.path)
    try:
        source = SourceText.from_bytes(snapshot.files.read(path, MAX_BYTES))
        name = part.framework or snapshot.framework_of_text(path, source.text)
        if name is None:
            return None
        case = snapshot.session.case(name, path)
        parsing = case.framework.parsing
        document = parsing.language_in(source.text, case.target, case.around).read(source)
    except (OSError, RunError, SourceError):
        return None
    return CheckedDocument(document, case)
