"""What a migration does to a text, one change at a time, and what it leaves."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.source.document import Path
from cfglint.source.text import SourceText


class Step(Record):
    """One change, from the text before it to the text after it."""

    code: str
    name: str
    title: str
    safe: bool
    #: Why: what the target makes of the file without it.
    reason: str
    #: What to look at, for a step that is not safe; may be empty.
    look_at: str
    path: Path
    #: The only places whose value changed.
    changes: tuple[Path, ...]
    before: SourceText
    after: SourceText


#: Why a problem is left of which nothing more is known.
NO_STEP = "no step can resolve it"


class Left(Record):
    """A problem that no step resolves."""

    code: str
    name: str
    message: str
    #: A clause.
    why: str
    #: Whether the target refuses the file for it.
    refused: bool
    path: Path
    #: Offset in the text after all steps.
    start: int
