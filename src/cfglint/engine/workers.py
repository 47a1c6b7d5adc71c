"""Many files on all processors: forked workers that take a share of the files each."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence

from cfglint.base.record import Record
from cfglint.engine.file_report import FileReport
from cfglint.engine.files_together.discovery import FoundFile
from cfglint.engine.runner import Runner
from cfglint.engine.session import RunError
from cfglint.source.text import SourceText

#: With fewer files than this a second process costs more than it saves.
MIN_FILES = 64
#: Files that are checked before the work is divided, so that the workers inherit what is loaded.
_FIRST = 2
_MAX_WORKERS = 8

_NOTHING = SourceText("")


class LeftOut(Record):
    """A file that is not checked, with the reason."""

    reason: str


#: The report, None for a file that is not a config, why it is not checked, or the text of the error.
Outcome = FileReport | LeftOut | str | None
_Check = Callable[[FoundFile], Outcome]


def check_files(
    runner: Runner, files: Sequence[FoundFile], *, trim: bool = False
) -> Iterator[tuple[FoundFile, Outcome]]:
    """Check files and give the outcomes in their order.

    Fixing is done in this process alone: what is written must not depend on which process is first.

    Args:
        trim: leave out the texts of files in which nothing was found.

    Raises:
        KeyboardInterrupt: the user has stopped the run; the outcomes so far were given.
    """

    def check(file: FoundFile) -> Outcome:
        try:
            report = runner.check_file(file.path, named=file.named)
        except RunError as error:
            return str(error)
        except Exception as error:  # a mistake in cfglint costs one file, not the run
            return own_failure(file.path, error)
        if report is None and (reason := runner.reasons.pop(file.path, "")):
            return LeftOut(reason)
        if report is None or not trim or report.diagnostics or report.fixed_source is not None:
            return report
        return report.replaced(source=_NOTHING)

    count = _workers(len(files)) if not runner.fixes else 1
    alone = files if count == 1 else files[:_FIRST]
    for file in alone:
        yield file, check(file)
    if count == 1:
        return
    rest = files[_FIRST:]
    # Every n-th file, so that the shares take about the same time.
    workers = [_start(check, rest[number::count]) for number in range(1, count)]
    try:
        outcomes = [_outcomes(worker[1]) if worker is not None else iter(()) for worker in workers]
        for position, file in enumerate(rest):
            number = position % count
            # A worker that came to no good end leaves its files to this process.
            found = next(outcomes[number - 1], None) if number else None
            yield file, found[0] if found is not None else check(file)
    finally:
        for worker in workers:
            if worker is not None:
                _end(*worker)


def own_failure(path: str, error: Exception) -> str:
    """What to say of a file that cfglint itself fails on: the error and the line that raised it."""
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    where = ""
    if frame is not None:
        module = os.path.basename(frame.tb_frame.f_code.co_filename)
        where = f" in {module}:{frame.tb_lineno}"
    what = f"{type(error).__name__}{where}: {error}"
    return (
        f"{path}: not checked, because cfglint itself failed on it ({what}); the other files are "
        "checked. Please report this with the lines that bring it about"
    )


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


def _outcomes(reading: int) -> Iterator[tuple[Outcome]]:
    """The outcomes of a worker, file by file; fewer if it does not finish properly."""
    import pickle
    from contextlib import suppress

    with (
        suppress(EOFError, pickle.UnpicklingError),
        os.fdopen(reading, "rb", closefd=False) as pipe,
    ):
        # Written by our own child into a pipe that no other process has.
        unpickler = pickle.Unpickler(pipe)  # noqa: S301
        while True:
            yield (unpickler.load(),)


def _end(process: int, reading: int) -> None:
    """End a worker, which has finished unless the run was stopped; it does not write files."""
    import signal
    from contextlib import suppress

    os.close(reading)
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
