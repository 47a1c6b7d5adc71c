"""The frames of a traceback, in the forms that Python, rich and notebooks print them in, and the code below each."""

from __future__ import annotations

import re

#: Frames of a traceback that are kept.
_MAX_FRAMES = 120
_FRAME = re.compile(
    # Without a function, it is the file that could not be compiled.
    r'\s*File "(?P<file>[^"\n]{1,400})", line (?P<line>\d{1,7})(?:, in (?P<name>\S{1,100})|\s*$)'
)
#: rich writes `/path/file.py:12 in function`.
_RICH_FRAME = re.compile(
    r"\s*(?P<file>[/\w.+-]{1,400}\.py):(?P<line>\d{1,7}) in (?P<name>[\w<>]{1,100})"
)
#: Notebooks write `File /path/file.py:12, in Class.function(arguments)`, and earlier `/path/file.py in function(…)`.
_CELL_FRAME = re.compile(
    r"(?:File )?(?P<file>[/~][^\s:()]{1,400}\.py|[A-Za-z]:\\[^\s:()]{1,400}\.py)(?::(?P<line>\d{1,7}),)? in (?:[\w<>]{1,100}\.){0,8}"
    r"(?P<name>[\w<>]{1,100})\("
)
#: Plain notebooks write `File /path/file.py:12 in function(…)`, and without a function where code cannot be compiled.
_PLAIN_FRAME = re.compile(
    r"\s{1,4}File (?P<file>(?:[/~]|[A-Za-z]:\\)[^\s:()]{1,400}\.py|<string>):(?P<line>\d{1,7})"
    r"(?: in (?P<name>[\w<>]{1,100})(?:\(|\s*$)|\s*$)"
)
#: The line of code that a frame of a notebook is at, among others.
_CELL_CODE = re.compile(r"-{1,6}> ?(?P<line>\d{1,7}) (?P<code>.*)")
#: The line that raised, among those that rich shows around it.
_MARKED_CODE = re.compile(r"[\s│]*[❱>][\s│]*\d{1,7}[\s│]+(?P<code>[^\n│]{1,300})")
#: A line of source that ends a run without words of its own.
_ASSERTED = re.compile(r"assert\b[ (].{1,300}")


def begins_with_frame(text: str) -> bool:
    """Whether a line is a frame, also where no traceback was announced."""
    return _frame(text) is not None


def _frame(text: str) -> re.Match[str] | None:
    return _FRAME.match(text) or _CELL_FRAME.match(text) or _PLAIN_FRAME.match(text)


class Traceback:
    """A traceback that is being read."""

    def __init__(self) -> None:
        #: (file, line, function), the innermost last; 0 and "" are not known.
        self.frames: list[tuple[str, int, str]] = []
        #: The line of code below each frame; empty where the log does not have it.
        self.code: list[str] = []

    @property
    def assertion(self) -> str:
        """The code of the last frame, if it is an assertion."""
        match = _ASSERTED.match(self.code[-1]) if self.code else None
        return match.group() if match is not None else ""

    def takes(self, text: str) -> bool:
        """Whether a line is a frame; the code of the last one is kept, and may be the message, too."""
        frame = _frame(text) or _RICH_FRAME.match(text)
        if frame is None:
            if self.code and not self.code[-1]:
                self._read_code(text)
            return False
        if len(self.frames) < _MAX_FRAMES:
            self.frames.append((frame["file"], int(frame["line"] or 0), frame["name"] or ""))
            self.code.append("")
        return True

    def _read_code(self, text: str) -> None:
        """Keep a line as the code of the last frame, if it is that."""
        in_cell = _CELL_CODE.match(text)
        if in_cell is not None:
            self.code[-1] = in_cell["code"].strip()
            file, number, function = self.frames[-1]
            self.frames[-1] = (file, number or int(in_cell["line"]), function)
        elif (marked := _MARKED_CODE.match(text)) is not None:
            self.code[-1] = marked["code"].strip()
        elif text[:1] in (" ", "\t") and not text.strip()[:1].isdigit():
            self.code[-1] = text.strip()
