"""A scan from its sources to its results."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, Literal

from cfglint.api.scan import stores, tables, trees
from cfglint.api.scan.model import Column, Progress, ScanError, ScanPlan, Shard
from cfglint.api.scan.result import Summary, put_together
from cfglint.api.scan.shards import Pieces
from cfglint.base.record import Record

EngineName = Literal["local", "ray"]


class Scan(Record):
    """The arguments of a scan."""

    sources: tuple[str, ...]
    #: The path of the table of findings; `files` is next to it.
    out: str
    #: The arguments of the `Linter`.
    choices: dict[str, Any]
    #: Check each file of a folder or commit without its surroundings.
    alone: bool = False
    columns: Column = Column()
    engine: EngineName = "local"
    jobs: int | None = None
    address: str | None = None
    #: Seconds that one file may take.
    limit: float = 30.0
    #: Discard the results of an interrupted run instead of resuming it.
    restart: bool = False
    #: The command that starts a worker; the usual one when it is empty.
    command: tuple[str, ...] = ()

    @property
    def files(self) -> str:
        """The table of files: `findings.files.parquet` next to `findings.parquet`."""
        stem, suffix = os.path.splitext(self.out)
        return f"{stem}.files{suffix}"

    @property
    def folder(self) -> str:
        """The folder of the pieces of the result until all are done."""
        return f"{self.out}.shards"


def scan(
    asked: Scan, tell: Callable[[Progress], object], fail: Callable[[str], object]
) -> Summary | None:
    """Scan, and write the results; None when a source could not be read to its end.

    Args:
        tell: called with each shard that is done, and with parts of them.
        fail: called with the error message for each source or folder that cannot be read.

    Raises:
        ScanError: it cannot continue; the next run resumes with what is done.
    """
    plan = _plan(asked)
    asked = asked.replaced(sources=tuple(_expanded(asked.sources)))
    total = _total(asked.sources)
    try:
        if asked.restart:
            shutil.rmtree(plan.folder, ignore_errors=True)
        with contextlib.suppress(FileExistsError):
            os.mkdir(plan.folder)
    except OSError as error:
        raise ScanError(f"{asked.folder}: cannot be created: {error.strerror}") from None
    pieces: list[Pieces] = []

    def planned() -> Iterator[Shard]:
        nonlocal total
        rows = 0
        for shard in _shards(asked, fail):
            pieces.append(Pieces(shard, plan))
            rows += shard.rows
            yield shard
        total = rows

    is_whole = True
    for progress in _engine(asked)(planned(), plan):
        tell(progress._replace(total=total))
        if progress.error:
            is_whole = False
            fail(progress.error)
    if not is_whole:
        return None
    summary = put_together(pieces, asked.out, asked.files)
    shutil.rmtree(plan.folder, ignore_errors=True)
    return summary


def _expanded(sources: Sequence[str]) -> Iterator[str]:
    """The sources, each folder of an object store as its tables.

    Raises:
        ScanError: a store does not answer, or has no table there.
    """
    for source in sources:
        yield from stores.tables_at(source) if stores.is_uri(source) else (source,)


def _total(sources: Sequence[str]) -> int | None:
    """How many files tables have, if their own metadata says so for all of them."""
    total = 0
    for source in dict.fromkeys(sources):
        if os.path.isdir(source):
            return None
        rows = tables.rows_of(source)
        if rows is None:
            return None
        total += rows
    return total


def _plan(asked: Scan) -> ScanPlan:
    return ScanPlan(
        choices=asked.choices,
        limit=asked.limit,
        folder=os.path.abspath(asked.folder),
        here=os.getcwd(),
        command=asked.command,
        knowledge=_knowledge(asked.choices["settings"]),
    )


def _knowledge(settings: str | bool) -> str:
    """A key of the versions of cfglint, its rules and a settings file: another key, other results."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    known = [_state(settings)] if isinstance(settings, str) else []
    for folder, folders, names in os.walk(package):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".py"):
                status = os.stat(os.path.join(folder, name))
                known.append(f"{folder}/{name} {status.st_size} {status.st_mtime_ns}")
    return sha256("\n".join(known).encode("utf-8", "backslashreplace")).hexdigest()


def _state(path: str) -> str:
    """What changes when a settings file does."""
    try:
        status = os.stat(path)
    except OSError:
        return path  # reading it reports the reason
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def _engine(asked: Scan) -> Callable[[Iterable[Shard], ScanPlan], Iterator[Progress]]:
    if asked.engine == "ray":
        from cfglint.api.scan import on_ray

        return lambda shards, plan: on_ray.run(shards, plan, asked.jobs, asked.address)
    from cfglint.api.scan import local

    jobs = asked.jobs or processors()
    return lambda shards, plan: local.run(shards, plan, jobs)


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _shards(asked: Scan, fail: Callable[[str], object]) -> Iterator[Shard]:
    """The shards of all sources, each source once."""
    number = 0
    for source in dict.fromkeys(asked.sources):
        for shard in _shards_of(source, asked, fail):
            yield shard.replaced(number=number)
            number += 1


def _shards_of(source: str, asked: Scan, fail: Callable[[str], object]) -> Iterator[Shard]:
    settings = asked.choices["settings"]
    if stores.is_uri(source):
        return tables.plan_table(source, asked.columns)
    if os.path.isdir(source):
        if is_bare(source):
            return trees.plan_commit(source, "HEAD", settings, asked.alone, fail)
        return trees.plan_folder(source, settings, asked.alone, fail)
    repository, at, revision = source.rpartition("@")
    if at and not os.path.lexists(source) and os.path.isdir(repository):
        return trees.plan_commit(repository, revision, settings, asked.alone, fail)
    return tables.plan_table(source, asked.columns)


def is_bare(folder: str) -> bool:
    """Whether a folder is a git repository without a work tree."""
    names = ("HEAD", "objects", "refs")
    return all(os.path.lexists(os.path.join(folder, name)) for name in names)


def check_sources(sources: Sequence[str], results: Sequence[str]) -> None:
    """Check, before the scan begins, that the sources exist and that no result would overwrite one.

    Raises:
        ScanError: one is not there, or a table of results would take its place.
    """
    for path in results:
        if stores.is_uri(path):
            raise ScanError(f"{path}: results are written to a disk")
    written = {os.path.realpath(path): path for path in results}
    for source in sources:
        if stores.is_uri(source):
            stores.tables_at(source)
            continue
        place = written.get(os.path.realpath(source))
        if place is not None:
            raise ScanError(f"--out: {place} is a source; write the results to another file")
        repository, at, _ = source.rpartition("@")
        if not os.path.exists(source) and not (at and os.path.isdir(repository)):
            raise ScanError(f"{source}: no such table, folder or repository")
