"""What the parts of a scan hand to each other."""

from __future__ import annotations

from typing import Any, Literal

from cfglint.base.record import NamedTuple, Record

#: Rows that a worker gets at a time. What a lost worker has done of them is done again.
BATCH = 64
#: Rows of a shard: some seconds of work, so that little is lost and little is written too often.
SHARD = 2_000

#: What became of a file.
Status = Literal["checked", "skipped", "failed", "crashed", "stalled"]
STATUSES: tuple[Status, ...] = ("checked", "skipped", "failed", "crashed", "stalled")


class ScanError(Exception):
    """The scan cannot go on; the message says why."""


class SourceContext(NamedTuple):
    """What lies around the files of a source, and may be read for them.

    `nothing` for the rows of a table, whose paths are labels; `folder` for files of the disk;
    `git` for those of a commit.
    """

    kind: Literal["nothing", "folder", "git"]
    #: Each file is read, and nothing around it.
    alone: bool = False
    #: Of `git`: where the repository is, and the commit's whole name.
    repository: str = ""
    commit: str = ""


class Column(NamedTuple):
    """What the columns of a table are called."""

    path: str = "path"
    content: str = "content"


class Shard(Record):
    """A stretch of a source. Its result depends on nothing but this and the plan."""

    number: int
    #: What the source is called in the results.
    source: str
    context: SourceContext
    form: Literal["parquet", "arrow file", "arrow stream", "jsonl", "files"]
    #: The row that it begins with, from 0 in its source, and how many it has.
    first: int
    rows: int
    #: Of a table: its absolute path.
    path: str = ""
    #: Of a table: its size and when it was changed. Another table is other shards.
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
    #: Seconds that one file may take.
    limit: float
    #: Where the pieces of the result are kept until all are there, as an absolute path.
    folder: str
    #: The folder that relative paths count from.
    here: str
    #: The command that starts a worker; the usual one when it is empty.
    command: tuple[str, ...] = ()
    #: What else the findings depend on: the version, and the rules.
    knowledge: str = ""


class Progress(NamedTuple):
    """A shard that is done."""

    number: int
    files: int
    #: Whether it was there already.
    resumed: bool
    #: Why it could not be done; empty when it was.
    error: str = ""
