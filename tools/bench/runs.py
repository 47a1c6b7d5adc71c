"""Two commands in turns: how long each took and how much memory it held."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

#: `ru_maxrss` counts kilobytes, except on macOS.
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


class BenchError(Exception):
    """It cannot be measured; the message says why."""


class Spread(NamedTuple):
    """The least, the middle and the greatest of some numbers."""

    least: float
    median: float
    most: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Spread:
        return cls(min(numbers), statistics.median(numbers), max(numbers))


Comparison = Spread


class Pairs(NamedTuple):
    """What pairs of runs gave: ratios of the first command over the second."""

    seconds: Comparison
    memory: Comparison
    ours: Spread
    theirs: Spread
    megabytes: str


class _Run(NamedTuple):
    seconds: float
    memory: int


def script(name: str) -> str:
    """A command of the environment that runs this.

    Raises:
        BenchError: it is not installed there.
    """
    folder = Path(sys.executable).parent
    for candidate in (folder / name, folder / f"{name}.exe"):
        if candidate.is_file():
            return str(candidate)
    raise BenchError(f"{name} is not installed beside {Path(sys.executable).name}")


def compare(ours: Sequence[str], theirs: Sequence[str], pairs: int, folder: Path) -> Pairs:
    """Run two commands in turns, after a turn that fills the caches.

    Args:
        folder: where they run; without settings of either tool.
    """
    first: list[_Run] = []
    second: list[_Run] = []
    for turn in range(pairs + 1):
        one, other = _run(ours, folder), _run(theirs, folder)
        if turn:
            first.append(one)
            second.append(other)
    both = list(zip(first, second, strict=True))
    memories = [statistics.median(run.memory for run in runs) / 1e6 for runs in (first, second)]
    return Pairs(
        Spread.of([one.seconds / other.seconds for one, other in both]),
        Spread.of([one.memory / other.memory for one, other in both]),
        Spread.of([run.seconds for run in first]),
        Spread.of([run.seconds for run in second]),
        f"{memories[0]:.0f} MB : {memories[1]:.0f} MB",
    )


def _run(command: Sequence[str], folder: Path) -> _Run:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=kept,
    )
    assert process.stderr is not None
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        last = said.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise BenchError(f"{Path(command[0]).name} ended with {process.returncode}: {last!r}")
    return _Run(seconds, usage.ru_maxrss * _RSS_UNIT)
