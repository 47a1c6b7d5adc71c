"""Supervises a worker: one that a file crashes or stalls is replaced, and the file is reported."""

from __future__ import annotations

import contextlib
import pickle
import signal
import subprocess
import sys
import threading
import time
from typing import IO

import pyarrow as pa

from cfglint.api.scan.model import ScanError, ScanPlan, Status
from cfglint.api.scan.schema import unpacked
from cfglint.api.scan.worker import ANSWER, LENGTH, Request

#: The current folder may be one that is checked, and `-m` would import modules from it.
_PROGRAM = """\
import sys
sys.path[:] = filter(None, sys.path)
from cfglint.api.scan.worker import main
main()
"""
_COMMAND = (sys.executable, "-c", _PROGRAM)
#: Any process may have killed a worker once; a file at which two workers end is to blame.
_CHANCES = 2
#: Workers that may end in succession before their first file.
_STARTS = 5


class _Lost(Exception):
    """The worker has ended, or was stopped."""

    def __init__(self, row: int | None, status: Status, reason: str) -> None:
        super().__init__(reason)
        self.row = row
        self.status = status
        self.reason = reason


class Guard:
    """A worker, replaced by a new one when it is lost. Not thread safe, except for `close`."""

    def __init__(self, plan: ScanPlan) -> None:
        self.plan = plan
        self._process: subprocess.Popen[bytes] | None = None
        self._watch: _Watchdog | None = None
        self._closed = False

    def judge(self, request: Request) -> tuple[pa.RecordBatch, pa.RecordBatch]:
        """The findings and the files of a batch, whatever its files do to the worker.

        Raises:
            ScanError: cannot start a worker, or the guard was closed.
        """
        blamed: dict[int, int] = {}
        known = dict(request.known)
        starts = 0
        while True:
            try:
                return self._answer_to(request._replace(known=known))
            except _Lost as lost:
                self._end()
                if self._closed:
                    raise ScanError("stopped") from None
                row = lost.row
                if row is None:
                    starts += 1
                    if starts == _STARTS:
                        raise ScanError(f"cannot start a worker: {lost.reason}") from None
                    continue
                starts = 0
                blamed[row] = blamed.get(row, 0) + 1
                if lost.status == "stalled" or blamed[row] == _CHANCES:
                    known[row] = lost.status, lost.reason

    def close(self) -> None:
        """End the worker. Another thread may call it, to stop a request that this one waits for."""
        self._closed = True
        self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.stop()
        if process is not None:
            process.kill()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            process.wait()

    def _answer_to(self, request: Request) -> tuple[pa.RecordBatch, pa.RecordBatch]:
        process, watch = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        row = None
        try:
            _send(process.stdin, pickle.dumps(request))
            while True:
                kind, number, length = ANSWER.unpack(_take(process.stdout, ANSWER.size))
                if kind == b"r":
                    watch.rest()
                    findings = unpacked(_take(process.stdout, number))
                    return findings, unpacked(_take(process.stdout, length))
                row = number
                watch.begin()
        except (OSError, EOFError, ValueError):
            # The worker has ended; a ValueError comes from a pipe that `close` has closed.
            code = process.wait()
            if watch.has_timed_out:
                reason = f"took longer than {self.plan.limit:g} seconds"
                raise _Lost(row, "stalled", reason) from None
            raise _Lost(row, "crashed", _ending(code)) from None

    def _started(self) -> tuple[subprocess.Popen[bytes], _Watchdog]:
        if self._closed:
            raise ScanError("stopped")
        if self._process is None or self._watch is None:
            try:
                self._process = subprocess.Popen(  # noqa: S603 - our own program
                    self.plan.command or _COMMAND,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    cwd=self.plan.here,
                    # An interrupt at the terminal must reach the command only.
                    start_new_session=True,
                )
            except OSError as error:
                raise ScanError(f"cannot start a worker: {error}") from None
            self._watch = _Watchdog(self._process, self.plan.limit)
            assert self._process.stdin is not None
            with contextlib.suppress(OSError):  # sending the next request fails, too
                _send(self._process.stdin, pickle.dumps(self.plan.choices))
        return self._process, self._watch


class _Watchdog:
    """Ends a process that takes too long for one file."""

    def __init__(self, process: subprocess.Popen[bytes], limit: float) -> None:
        self._process = process
        self._limit = limit
        self._since: float | None = None
        self._stopped = threading.Event()
        self.has_timed_out = False
        threading.Thread(target=self._look, daemon=True).start()

    def begin(self) -> None:
        """Start the time of another file."""
        self._since = time.monotonic()

    def rest(self) -> None:
        """Stop the time: no file is being checked."""
        self._since = None

    def stop(self) -> None:
        """End the thread of the watchdog."""
        self._stopped.set()

    def _look(self) -> None:
        while not self._stopped.wait(min(1.0, self._limit / 4)):
            since = self._since
            if since is not None and time.monotonic() - since > self._limit:
                self.has_timed_out = True
                self._process.kill()
                return


def _send(pipe: IO[bytes], data: bytes) -> None:
    pipe.write(LENGTH.pack(len(data)) + data)
    pipe.flush()


def _take(pipe: IO[bytes], length: int) -> bytes:
    """So many bytes.

    Raises:
        EOFError: fewer are left.
    """
    data = pipe.read(length)
    if len(data) < length:
        raise EOFError
    return data


def _ending(code: int) -> str:
    """How a process ended, in words."""
    if code < 0:
        try:
            return f"the worker was killed by {signal.Signals(-code).name}"
        except ValueError:
            return f"the worker was killed by signal {-code}"
    return f"the worker exited with code {code}"
