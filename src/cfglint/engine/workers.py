"""Many files on all processors: forked workers that take a share of the files each."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from cfglint.engine.discovery import FoundFile
from cfglint.engine.runner import FileReport, RunError, Runner
from cfglint.source.text import SourceText

#: With fewer files than this a second process costs more than it saves.
MIN_FILES = 64
#: Files that are checked before the work is divided, so that the workers inherit what is loaded.
_FIRST = 2
_MAX_WORKERS = 8
#: Read from a worker at a time, in bytes.
_CHUNK = 65_536

_NOTHING = SourceText("")
#: The report, None for a file that is no config, or the text of the error.
Outcome = FileReport | str | None
#: Makes the text of one file's findings.
Show = Callable[[FileReport], str]
_Check = Callable[[FoundFile], Outcome]


def check_files(
    runner: Runner, files: Sequence[FoundFile], show: Show | None = None
) -> Iterator[tuple[FoundFile, Outcome]]:
    """Check files and give the outcomes in their order.

    Fixing is done in this process alone: what is written must not depend on who comes first.

    Args:
        show: done for each report where the file is checked; its answer becomes `shown`.

    Raises:
        KeyboardInterrupt: the user wants no more; the outcomes that there are were given.
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
    alone = files if count == 1 else files[:_FIRST]
    for file in alone:
        yield file, check(file)
    if count == 1:
        return
    rest = files[_FIRST:]
    # Every n-th file, so that the shares take about the same time.
    shares = [rest[number::count] for number in range(count)]
    workers = [_start(check, share) for share in shares[1:]]
    outcomes, interrupted = _checked(check, shares[0])
    found = [outcomes]
    for worker, share in zip(workers, shares[1:], strict=True):
        theirs = None
        if worker is not None:
            theirs, interrupted = _collect(*worker, stop=interrupted)
        if theirs is None and not interrupted:
            # A worker that came to no good end leaves its files to this process.
            theirs, interrupted = _checked(check, share)
        found.append(theirs or [])
    for position, file in enumerate(rest):
        own, at = found[position % count], position // count
        if at < len(own):
            yield file, own[at]
    if interrupted:
        raise KeyboardInterrupt


def _checked(check: _Check, files: Sequence[FoundFile]) -> tuple[list[Outcome], bool]:
    """The outcomes of some files, the first ones when an interrupt came; whether one did."""
    outcomes: list[Outcome] = []
    try:
        for file in files:
            outcomes.append(check(file))
    except KeyboardInterrupt:
        return outcomes, True
    return outcomes, False


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
        import signal

        # An interrupt comes to all processes of the command: what there is counts.
        outcomes, _ = _checked(check, share)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(outcomes, pipe, protocol=pickle.HIGHEST_PROTOCOL)
        os._exit(0)
    finally:
        # Whatever went wrong, a second copy of the program must not go on.
        os._exit(1)


def _collect(process: int, reading: int, *, stop: bool) -> tuple[list[Outcome] | None, bool]:
    """What a worker found, None when it did not come to an end; whether an interrupt came.

    Args:
        stop: one came before.
    """
    import pickle

    parts: list[bytes] = []
    status: int | None = None
    told = False
    while status is None:
        try:
            if stop and not told:
                # The terminal interrupts all processes, but others may have meant this one only.
                told = True
                _interrupt(process)
            while part := os.read(reading, _CHUNK):
                parts.append(part)
            _, status = os.waitpid(process, 0)
        except KeyboardInterrupt:
            stop = True
    os.close(reading)
    if status != 0:
        return None, stop
    # Written by our own child into a pipe that nobody else has.
    outcomes: list[Outcome] = pickle.loads(b"".join(parts))  # noqa: S301
    return outcomes, stop


def _interrupt(process: int) -> None:
    import signal

    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGINT)
