"""What torchrun's table says of the process that failed first.

torchrun prints it behind `ChildFailedError`; all other lines of a log may come from any rank.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cfglint.answers.logs.lines import LogLine
from cfglint.base.record import Record

_TITLE = "Root Cause (first observed failure):"
#: As many lines of the part below the title are read.
_MAX_LINES = 10
_ROW = re.compile(
    r"\b(?P<name>time|host|rank|exitcode) {1,8}: (?P<value>\S{1,200})(?: \(local_rank: (?P<local>\d{1,6})\))?"
)
_NUMBER = re.compile(r"-?\d{1,9}")
#: torchrun names the Python that it has started the processes with.
_BINARY = re.compile(r"\bof binary: (?P<path>/[\w./+-]{1,300})(?=\s|$)")


class FirstFailed(Record):
    """The process that failed first, as torchrun observed it."""

    rank: int
    local_rank: int
    host: str
    exit_code: int
    #: The line of the log with the title of this part of the table.
    line: int
    #: When, in a form that can be compared.
    time: str = ""


class LaunchTables:
    """The tables in the lines that are passed through; each machine of a run prints its own."""

    def __init__(self) -> None:
        self._found: list[FirstFailed] = []
        self._rows: dict[str, str] = {}
        self._title = 0
        self._left = 0
        #: The Python that the launcher has started; empty where nothing names it.
        self.python = ""

    def passing(self, lines: Iterable[LogLine]) -> Iterator[LogLine]:
        """The same lines."""
        for line in lines:
            self._read(line)
            yield line

    @property
    def first(self) -> FirstFailed | None:
        """The first of all tables."""
        return min(self._found, key=lambda one: one.time, default=None)

    def _read(self, line: LogLine) -> None:
        binary = _BINARY.search(line.text) if not self.python else None
        if binary is not None:
            self.python = binary["path"]
        if _TITLE in line.text:
            self._rows, self._title, self._left = {}, line.number, _MAX_LINES
            return
        if not self._left:
            return
        self._left -= 1
        row = _ROW.search(line.text)
        if row is None:
            return
        self._rows.setdefault(row["name"], row["value"])
        if row["local"] is not None:
            self._rows.setdefault("local", row["local"])
        if row["name"] == "exitcode":
            self._left = 0
            self._finish()

    def _finish(self) -> None:
        rows = self._rows
        numbers = [rows.get(name, "") for name in ("rank", "local", "exitcode")]
        if all(map(_NUMBER.fullmatch, numbers)):
            rank, local, code = map(int, numbers)
            host, time = rows.get("host", ""), rows.get("time", "")
            self._found.append(FirstFailed(rank, local, host, code, self._title, time))
