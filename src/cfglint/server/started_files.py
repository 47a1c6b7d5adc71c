"""Scripts that start files: what is known about the words of their commands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cfglint.answers.preflight.launched import RunPart
from cfglint.answers.preflight.started import started_parts
from cfglint.engine.checked_document import CheckedDocument
from cfglint.engine.session import RunError
from cfglint.server.hovering import key_text
from cfglint.source.problems import SourceError
from cfglint.source.text import MAX_BYTES, SourceText, Span

if TYPE_CHECKING:
    from cfglint.server.snapshot import Snapshot


def hover_of_word(snapshot: Snapshot, path: str, offset: int) -> tuple[str, Span] | None:
    """What is known about the key that a word of a command sets, in Markdown, and where the word is.

    Args:
        path: of the script.
        offset: in it, in code points.
    """
    for part in started_parts(path, snapshot.files):
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
        document = parsing.language_for(source.text, case.target, case.around).read(source)
    except (OSError, RunError, SourceError):
        return None
    return CheckedDocument(document, case)
