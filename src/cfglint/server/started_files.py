"""Scripts that start files: what is known about the words of their commands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cfglint.answers.preflight.launched import RunPart
from cfglint.answers.preflight.started import started_parts
from cfglint.engine.checked_document import CheckedDocument
from cfglint.engine.session import RunError
from cfglint.knowledge.recognition import language_of
from cfglint.server.cursor import Cursor
from cfglint.server.cursor_in_words import worded
from cfglint.server.hovering import key_text
from cfglint.server.probing import PROBE, Attempt
from cfglint.source.files.overlay import Overlay
from cfglint.source.problems import SourceError
from cfglint.source.text import MAX_BYTES, SourceText, Span

if TYPE_CHECKING:
    from cfglint.engine.session import Session
    from cfglint.runs.starts.start import Start
    from cfglint.server.snapshot import Snapshot
    from cfglint.source.document import Path


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


def cursors_in_words(snapshot: Snapshot, path: str, text: str, offset: int) -> Iterator[Cursor]:
    """What may be being written in a command of a script, of the keys of the file that it starts, and their values.

    Args:
        path: of the script.
        text: what is in it.
        offset: in it, in code points.
    """
    own = os.path.abspath(path)
    if language_of(own) != "shell":
        return
    for attempt in worded(text, offset):
        files = Overlay({own: attempt.text.encode()}, snapshot.files)
        session = snapshot.session.over(files)
        for part in started_parts(own, files):
            checked = _read(snapshot, part, session) if part.role == "config" else None
            for line in checked.around.launches if checked is not None else ():
                if checked is not None and line.path == own:
                    yield from _cursor(checked, line, attempt)


def _cursor(checked: CheckedDocument, line: Start, attempt: Attempt) -> Iterator[Cursor]:
    """The place of the probe among the words of a command."""
    launching, release = checked.framework.launching, checked.target.release
    at = attempt.span.start

    def spelled(key: str) -> str | None:
        if attempt.after == "=":
            return key  # words like those of the file
        words = launching.option(line, key, PROBE, release)
        return None if words is None else words.partition(PROBE)[0].strip("-= ")

    if attempt.is_key:
        if any(one.start <= at <= one.end for one in line.words):
            yield Cursor(
                checked,
                (PROBE,),
                True,
                attempt.span,
                after=attempt.after,
                spelled=spelled,
                lays_over=True,
            )
        return
    given = launching.overrides(line, checked.document, release)
    paths = [one.path for one in given if one.start <= at <= one.end and one.value == PROBE]
    # What no value of the key is like may be none of the command's.
    for path in paths or _keys_before(checked, line, at):
        yield Cursor(checked, path, False, attempt.span, lays_over=True)


def _keys_before(checked: CheckedDocument, line: Start, at: int) -> list[Path]:
    """The key at the top level that the word before a place, or the one around it, names."""
    words = [one for one in line.words if one.start <= at]
    around = [one for one in words[-1:] if "=" in one.text and at <= one.end]
    names = [
        one.text.partition("=")[0].lstrip("-").replace("-", "_") for one in around or words[-2:-1]
    ]
    return [(name,) for name in names if checked.framework.keys.info("", name) is not None]


def _read(
    snapshot: Snapshot, part: RunPart, session: Session | None = None
) -> CheckedDocument | None:
    """A config as it is checked; None if it cannot be read.

    Args:
        session: that of other files than the snapshot's.
    """
    path = os.path.abspath(part.path)
    try:
        source = SourceText.from_bytes(snapshot.files.read(path, MAX_BYTES))
        name = part.framework or snapshot.framework_of_text(path, source.text)
        if name is None:
            return None
        case = (session or snapshot.session).case(name, path)
        parsing = case.framework.parsing
        document = parsing.language_for(source.text, case.target, case.around).read(source)
    except (OSError, RunError, SourceError):
        return None
    return CheckedDocument(document, case)
