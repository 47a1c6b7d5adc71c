"""Many files on all processors: forked workers that take a share of the files each."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence

from cfglint.engine.discovery import FoundFile
from cfglint.engine.runner import FileReport, RunError, Runner

#: With fewer files than this a second process costs more than it saves.
MIN_FILES = 64
#: Files that are checked before the work is divided, so that the workers inherit what is loaded.
_FIRST = 8
_MAX_WORKERS = 8

#: The report, None for a file that is no config, or the text of the error.
Outcome = FileReport | str | None


def check_files(runner: Runner, files: Sequence[FoundFile]) -> Iterator[Outcome]:
    """Check files and give the outcomes in their order.

    Fixing is done in this process alone: what is written must not depend on who comes first.
    """
    count = _workers(len(files)) if not runner.fixes else 1
    if count == 1:
        yield from (_check(runner, file) for file in files)
        return
    yield from (_check(runner, file) for file in files[:_FIRST])
    rest = files[_FIRST:]
    # Every n-th file, so that the shares take about the same time.
    shares = [rest[number::count] for number in range(count)]
    pipes = [_start(runner, share) for share in shares[1:]]
    outcomes = [[_check(runner, file) for file in shares[0]]]
    for pipe, share in zip(pipes, shares[1:], strict=True):
        outcomes.append(_collect(runner, *pipe, share))
    for position in range(len(rest)):
        yield outcomes[position % count][position // count]


def _workers(count: int) -> int:
    if count < MIN_FILES or not hasattr(os, "fork"):
        return 1
    if hasattr(os, "sched_getaffinity"):
        processors = len(os.sched_getaffinity(0))
    else:
        processors = os.cpu_count() or 1
    return min(processors, _MAX_WORKERS)


def _check(runner: Runner, file: FoundFile) -> Outcome:
    try:
        return runner.check_file(file.path, named=file.named)
    except RunError as error:
        return str(error)


def _start(runner: Runner, share: Sequence[FoundFile]) -> tuple[int, int]:
    """Fork a worker; its process number and the end of the pipe that it writes to."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    try:
        os.close(reading)
        import pickle

        outcomes = [_check(runner, file) for file in share]
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(outcomes, pipe, protocol=pickle.HIGHEST_PROTOCOL)
        os._exit(0)
    finally:
        # Whatever went wrong, a second copy of the program must not go on.
        os._exit(1)


def _collect(
    runner: Runner, process: int, reading: int, share: Sequence[FoundFile]
) -> list[Outcome]:
    """What a worker found. If it did not come to an end, its files are checked here."""
    import pickle

    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(process, 0)
    if status != 0:
        return [_check(runner, file) for file in share]
    # Written by our own child into a pipe that nobody else has.
    outcomes: list[Outcome] = pickle.loads(data)  # noqa: S301
    return outcomes
