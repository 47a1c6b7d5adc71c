"""The time of the processor that a case takes in two sizes."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from cfglint.api.functions import lint_file
from cfglint.cli import main as run_command
from tools.growth.inputs import Case

#: What four times the size may cost, compared with what a check costs anyway.
RATIO = 4.6
#: The sizes of a case grow until the smaller takes so long, in seconds.
_ENOUGH = 0.02
#: The same where the first measurement exceeded the ratio.
_EXACT = 0.05
#: What takes less in the larger size is too short for a ratio, in seconds.
_NOISE = 0.04
#: How often a suspect is measured; it has to exceed the ratio each time.
_ROUNDS = 5
#: No measurement may take longer, in seconds.
_LONGEST = 10
#: Larger files are refused, in characters.
_MOST_CHARS = 1_000_000


class Growth(NamedTuple):
    """What a case takes in a size, and in four times that size; seconds."""

    size: int
    small: float
    large: float

    @property
    def is_linear(self) -> bool:
        return self.is_within(RATIO)

    def is_within(self, ratio: float) -> bool:
        """Whether four times the size costs so many times the time at most."""
        return self.large < _NOISE or self.large <= ratio * max(self.small, _NOISE / 8)


class _TooLongError(BaseException):
    """A measurement reached its limit; what catches every `Exception` lets it pass."""


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, _LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _run(case: Case, size: int) -> None:
    """Do what a case measures, in the current folder."""
    if not case.command:
        # A program that Python cannot parse is refused, after it was read.
        with contextlib.suppress(ValueError):
            lint_file(case.named)
        return
    out = io.BytesIO()
    stream = io.TextIOWrapper(out, encoding="utf-8")
    code: object = 0
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        try:
            run_command([*case.command])
        except SystemExit as stop:
            code = stop.code
    # A larger project may be refused.
    if size == 1 and code not in (0, 1):
        raise RuntimeError(f"{case.name}: {out.getvalue()[-500:].decode(errors='replace')}")


def seconds(case: Case, size: int) -> float:
    """The time of the processor for one run; infinite if it was stopped."""
    # As the command does: with the thresholds of Python, collections take more the more there is.
    gc.set_threshold(100_000, 50, 50)
    back = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in case.make(size).items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        os.chdir(folder)
        gc.collect()
        gc.freeze()
        started = time.process_time()
        try:
            with _limited():
                _run(case, size)
            return time.process_time() - started
        except _TooLongError:
            return float("inf")
        finally:
            os.chdir(back)


def growth(case: Case) -> Growth:
    """How the time of a case grows, at a size that takes long enough to be measured.

    What seems to grow too fast is measured again with larger sizes: the least ratio counts, as
    other processes make a measurement longer and never shorter.
    """
    base = min(seconds(case, 1) for _ in range(2))

    def measured(size: int) -> Growth:
        return Growth(size, seconds(case, size) - base, seconds(case, 4 * size) - base)

    def sized(size: int, enough: float) -> Growth:
        found = measured(size)
        while found.small < enough and _chars(case, 16 * size) <= _MOST_CHARS:
            if found.large > enough * RATIO * RATIO:
                break  # the next size would take long
            size *= 4
            found = Growth(size, found.large, seconds(case, 4 * size) - base)
        return found

    found = sized(case.size, _ENOUGH)
    if found.is_linear:
        return found
    found = sized(found.size, _EXACT)
    for _ in range(_ROUNDS - 1):
        if found.is_linear or found.large == float("inf"):
            break
        again = measured(found.size)
        if again.large * found.small < found.large * again.small:
            found = again
    return found


def _chars(case: Case, size: int) -> int:
    return max(map(len, case.make(size).values()))
