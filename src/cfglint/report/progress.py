"""The progress of a run, for a person who waits at a terminal."""

from __future__ import annotations

import time

from cfglint.base.type_names import IO

#: Runs that take less time need no such line.
_AFTER = 1.0
_EVERY = 0.1


class ProgressLine:
    """A line of a terminal that is overwritten repeatedly, and erased before anything else is written."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._due = time.monotonic() + _AFTER
        self._stands = False

    def say(self, text: str) -> None:
        """Show a text, if it is time to."""
        now = time.monotonic()
        if now >= self._due:
            self._due = now + _EVERY
            self._stands = True
            self._stream.write(f"\r\x1b[K{text}")
            self._stream.flush()

    def wipe(self) -> None:
        """Erase the line before lines that stay."""
        if self._stands:
            self._stands = False
            self._stream.write("\r\x1b[K")
            self._stream.flush()
