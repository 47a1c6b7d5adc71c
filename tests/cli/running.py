"""The command, run inside the test process or in one of its own."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import cfglint
from cfglint.cli import main

#: The folder from which this very package is imported.
SOURCES = str(Path(cfglint.__file__).resolve().parents[1])
#: Variables that change how the command prints.
PRINTING = (
    "NO_COLOR",
    "FORCE_COLOR",
    "GITHUB_ACTIONS",
    "GITHUB_WORKSPACE",
    "TERM",
    "COLUMNS",
    "LINES",
    "FORCE_HYPERLINK",
    "KITTY_WINDOW_ID",
    "KONSOLE_VERSION",
    "TERM_PROGRAM",
    "VTE_VERSION",
    "WT_SESSION",
)


class Result(NamedTuple):
    """What a run gave back."""

    code: int
    stdout: bytes
    stderr: bytes

    @property
    def out(self) -> str:
        return self.stdout.decode("utf-8")

    @property
    def err(self) -> str:
        return self.stderr.decode("utf-8")

    @property
    def both(self) -> str:
        return self.out + self.err


class _Terminal(io.BytesIO):
    def isatty(self) -> bool:
        return True


def _stream(raw: io.BytesIO) -> io.TextIOWrapper:
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", newline="")


@contextlib.contextmanager
def printing(**variables: str) -> Iterator[None]:
    """An environment in which only these variables say how to print."""
    kept = {name: value for name, value in os.environ.items() if name not in PRINTING}
    with mock.patch.dict(os.environ, {**kept, "COLUMNS": "100", **variables}, clear=True):
        yield


def run(
    *arguments: str | os.PathLike[str],
    stdin: bytes = b"",
    terminal: bool = False,
    env: Mapping[str, str] | None = None,
) -> Result:
    """The command in this process: fast, and an error that nobody handles reaches the test."""
    out = _Terminal() if terminal else io.BytesIO()
    err = io.BytesIO()
    streams = (_stream(io.BytesIO(stdin)), _stream(out), _stream(err))
    code: Any = 0
    with (
        mock.patch.object(sys, "stdin", streams[0]),
        mock.patch.object(sys, "stdout", streams[1]),
        mock.patch.object(sys, "stderr", streams[2]),
        printing(**(env or {})),
    ):
        try:
            main([os.fspath(argument) for argument in arguments])
        except SystemExit as stop:
            code = stop.code
        for stream in streams[1:]:
            stream.flush()
    return Result(int(code or 0), out.getvalue(), err.getvalue())


def environment(**variables: str) -> dict[str, str]:
    """The variables of a real process."""
    kept = {name: value for name, value in os.environ.items() if name not in PRINTING}
    path = os.pathsep.join(part for part in (SOURCES, os.environ.get("PYTHONPATH")) if part)
    return {**kept, "COLUMNS": "100", "PYTHONPATH": path, **variables}


def spawn(
    *arguments: str | bytes | os.PathLike[str],
    stdin: bytes = b"",
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
) -> Result:
    """The command as a user starts it."""
    done = subprocess.run(
        [sys.executable, "-m", "cfglint", *arguments],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env=environment(**(env or {})),
        check=False,
        timeout=60,
    )
    return Result(done.returncode, done.stdout, done.stderr)


_MEASURED = """\
import sys
from cfglint.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
found = [line for line in open("/proc/self/status") if line.startswith("VmHWM:")]
print(found[0].split()[1], file=sys.stderr)
"""


def peak_memory(*arguments: str, cwd: str | os.PathLike[str]) -> float:
    """The most memory that a run of the command holds at once, in megabytes; Linux only."""
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, *arguments],
        capture_output=True,
        cwd=cwd,
        env=environment(),
        check=True,
        timeout=60,
    )
    return int(done.stderr.split()[-1]) / 1000
