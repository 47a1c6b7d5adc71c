"""The progress of a run, for a person who waits at a terminal."""

from __future__ import annotations

import time

from cfglint.base.type_names import IO

#: Runs that take less time need no such line.
_AFTER = 1.0
_EVERY = 0.1


class ProgressLine:
    """A terminal line that is overwritten repeatedly, and erased before other output."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._due = time.monotonic() + _AFTER
        self._is_shown = False

    def say(self, text: str) -> None:
        """Show a text, at most every tenth of a second and not in the first second of a run."""
        now = time.monotonic()
        if now >= self._due:
            self._due = now + _EVERY
            self._is_shown = True
            self._stream.write(f"\r\x1b[K{text}")
            self._stream.flush()

    def wipe(self) -> None:
        """Erase the line, before permanent output is written."""
        if self._is_shown:
            self._is_shown = False
            self._stream.write("\r\x1b[K")
            self._stream.flush()
