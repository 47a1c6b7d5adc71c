"""What takes the place of the word at the cursor, so that a text can be read with it."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.source.text import Span

#: No framework has a key or a value of this name.
PROBE = "cfglintprobe"


class Attempt(Record):
    """A text with a probe, and the part of the original text that the probe replaces."""

    text: str
    is_key: bool
    span: Span
    before: str = ""
    after: str = ""
    quoted: bool = False
