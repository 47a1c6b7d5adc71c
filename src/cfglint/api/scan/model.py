"""The records that the parts of a scan exchange."""

from __future__ import annotations

from typing import Any, Literal

from cfglint.base.record import NamedTuple, Record

#: Rows that a worker gets at a time. When a worker is lost, its batch is repeated.
BATCH = 64
#: Rows of a shard: some seconds of work, a balance between repeated work and the number of files.
SHARD = 2_000

#: The outcome of a file.
Status = Literal["checked", "skipped", "failed", "crashed", "stalled"]
STATUSES: tuple[Status, ...] = ("checked", "skipped", "failed", "crashed", "stalled")


class ScanError(Exception):
    """The scan cannot continue; the message says why."""


class SourceContext(NamedTuple):
    """Where the files around the files of a source may be read.

    `nothing` for the rows of a table, whose paths are labels; `folder` for files of the disk;
    `git` for those of a commit.
    """

    kind: Literal["nothing", "folder", "git"]
    #: Whether each file is checked without its surroundings.
    alone: bool = False
    #: Of `git`: where the repository is, and the commit's whole name.
    repository: str = ""
    commit: str = ""


class Column(NamedTuple):
    """The names of the columns of a table."""

    path: str = "path"
    content: str = "content"


class Shard(Record):
    """A range of rows of a source. Its result depends only on this and the plan."""

    number: int
    #: The name of the source in the results.
    source: str
    context: SourceContext
    form: Literal["parquet", "arrow file", "arrow stream", "jsonl", "files"]
    #: The row that it begins with, from 0 in its source, and how many it has.
    first: int
    rows: int
    #: Of a table: its absolute path.
    path: str = ""
    #: Of a table: its size and when it was changed. A changed table has other shards.
    state: tuple[int, int] = (0, 0)
    columns: Column = Column()
    #: Of a table: the row group, record batch or byte to read from, and the rows of it to leave out.
    start: int = 0
    skip: int = 0
    #: Of a folder or a commit: the files, with their sizes and when they were changed.
    files: tuple[tuple[str, int, int], ...] = ()


class ScanPlan(Record):
    """What all shards of a scan have in common."""

    #: The arguments of the `Linter`.
    choices: dict[str, Any]
    #: The time limit for one file, in seconds.
    limit: float
    #: Where the pieces of the result are kept until all are there, as an absolute path.
    folder: str
    #: The folder that relative paths count from.
    here: str
    #: The command that starts a worker; the usual one when it is empty.
    command: tuple[str, ...] = ()
    #: A key of everything else that the findings depend on: the version and the rules.
    knowledge: str = ""


class Progress(NamedTuple):
    """A shard that is done, or a part of it."""

    number: int
    #: The files that are done since the last one about this shard.
    files: int
    #: Whether an earlier run had done it.
    resumed: bool
    #: Why it could not be done; empty when it is done.
    error: str = ""
    #: Whether the shard is at its end.
    is_last: bool = True
    #: The files of all sources, as soon as that is known.
    total: int | None = None
