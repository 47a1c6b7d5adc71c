"""Many files on all processors: forked workers that take a share of the files each."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence

from cfglint.engine.discovery import FoundFile
from cfglint.engine.runner import FileReport, RunError, Runner
from cfglint.source.text import SourceText

#: With fewer files than this a second process costs more than it saves.
MIN_FILES = 64
#: Files that are checked before the work is divided, so that the workers inherit what is loaded.
_FIRST = 2
_MAX_WORKERS = 8

_NOTHING = SourceText("")
#: The report, None for a file that is no config, or the text of the error.
Outcome = FileReport | str | None
#: Makes the text of one file's findings.
Show = Callable[[FileReport], str]
_Check = Callable[[FoundFile], Outcome]


def check_files(
    runner: Runner, files: Sequence[FoundFile], show: Show | None = None
) -> Iterator[Outcome]:
    """Check files and give the outcomes in their order.

    Fixing is done in this process alone: what is written must not depend on who comes first.

    Args:
        show: done for each report where the file is checked; its answer becomes `shown`.
    """

    def check(file: FoundFile) -> Outcome:
        try:
            report = runner.check_file(file.path, named=file.named)
        except RunError as error:
            return str(error)
        if report is None or show is None or report.is_second:
            # What is told of a second file depends on those that name it.
            return report
        # The text that it was made from need not be carried on.
        return report.replaced(shown=show(report), source=_NOTHING)

    count = _workers(len(files)) if not runner.fixes else 1
    if count == 1:
        yield from map(check, files)
        return
    yield from map(check, files[:_FIRST])
    rest = files[_FIRST:]
    # Every n-th file, so that the shares take about the same time.
    workers = [_start(check, rest[number::count]) for number in range(1, count)]
    told = [_outcomes(*worker) if worker is not None else iter(()) for worker in workers]
    for position, file in enumerate(rest):
        number = position % count
        # A worker that came to no good end leaves its files to this process.
        found = next(told[number - 1], None) if number else None
        yield found[0] if found is not None else check(file)


def _workers(count: int) -> int:
    if count < MIN_FILES or not hasattr(os, "fork"):
        return 1
    if hasattr(os, "sched_getaffinity"):
        processors = len(os.sched_getaffinity(0))
    else:
        processors = os.cpu_count() or 1
    return min(processors, _MAX_WORKERS)


def _start(check: _Check, share: Sequence[FoundFile]) -> tuple[int, int] | None:
    """Fork a worker: its process number and the pipe to read from; None when there is none left."""
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    try:
        process = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        return None
    if process:
        os.close(writing)
        return process, reading
    try:
        os.close(reading)
        import pickle

        with os.fdopen(writing, "wb") as pipe:
            # What several reports share is written once.
            pickler = pickle.Pickler(pipe, protocol=pickle.HIGHEST_PROTOCOL)
            for file in share:
                pickler.dump(check(file))
                pipe.flush()
        os._exit(0)
    finally:
        # Whatever went wrong, a second copy of the program must not go on.
        os._exit(1)


def _outcomes(process: int, reading: int) -> Iterator[tuple[Outcome]]:
    """What a worker finds, file by file; fewer when it comes to no good end."""
    import pickle

    try:
        with os.fdopen(reading, "rb") as pipe:
            # Written by our own child into a pipe that nobody else has.
            unpickler = pickle.Unpickler(pipe)  # noqa: S301
            while True:
                yield (unpickler.load(),)
    except (EOFError, pickle.UnpicklingError):
        return
    finally:
        os.waitpid(process, 0)
