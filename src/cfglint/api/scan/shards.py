"""One shard: its rows in, its two pieces of the result on the disk, each complete or absent."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterator
from hashlib import sha256

import pyarrow as pa
import pyarrow.parquet as pq

from cfglint.api.scan import tables, trees
from cfglint.api.scan.guard import Guard
from cfglint.api.scan.model import Progress, ScanError, ScanPlan, Shard
from cfglint.api.scan.schema import FILES, FINDINGS, packed
from cfglint.api.scan.worker import Request

#: Rows that are buffered before they are written.
_GROUP = 20_000
COMPRESSION = "zstd"


class Pieces:
    """The files with the result of a shard.

    Their names contain a hash of all that the result depends on, so an existing file is up to date.
    """

    def __init__(self, shard: Shard, plan: ScanPlan) -> None:
        about = [vars(shard.replaced(number=0)), plan.choices, plan.limit, plan.knowledge]
        digest = sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()
        stem = os.path.join(plan.folder, digest[:32])
        self.findings = f"{stem}.findings.parquet"
        #: Exists only when the shard is done.
        self.files = f"{stem}.files.parquet"

    def are_there(self) -> bool:
        """Whether the shard is done."""
        return os.path.isfile(self.files)


def run_shard(
    shard: Shard,
    plan: ScanPlan,
    guard: Guard,
    tell: Callable[[Progress], object] = lambda progress: None,
) -> Progress:
    """Run a shard, unless it is done. An error in the source is returned in the result, not raised.

    Args:
        tell: called with each part of it; the result counts all its files again.

    Raises:
        ScanError: cannot start a worker, or the result cannot be written.
    """
    pieces = Pieces(shard, plan)
    if pieces.are_there():
        return Progress(shard.number, shard.rows, resumed=True)
    findings, files = _Piece(pieces.findings, FINDINGS), _Piece(pieces.files, FILES)
    count = 0
    try:
        for first, items in _batches(shard):
            request = Request(shard.context, shard.columns, shard.source, first, packed(items), {})
            found, judged = guard.judge(request)
            findings.add(found)
            files.add(judged)
            count += judged.num_rows
            tell(Progress(shard.number, judged.num_rows, resumed=False, is_last=False))
        # In this order: the second file marks the shard as done.
        findings.close()
        files.close()
    except _SourceError as error:
        return Progress(shard.number, 0, resumed=False, error=str(error))
    except OSError as error:
        raise ScanError(f"{plan.folder}: cannot be written: {error.strerror or error}") from None
    finally:
        findings.drop()
        files.drop()
    return Progress(shard.number, count, resumed=False)


class _SourceError(Exception):
    """A source cannot be read."""


def _batches(shard: Shard) -> Iterator[tuple[int, pa.RecordBatch]]:
    module = trees if shard.form == "files" else tables
    try:
        yield from module.batches(shard)
    except ScanError as error:
        raise _SourceError(str(error)) from None


class _Piece:
    """A table that is written under another name until it is whole."""

    def __init__(self, path: str, schema: pa.Schema) -> None:
        self._path = path
        self._temporary = f"{path}.{secrets.token_hex(8)}.tmp"
        self._schema = schema
        self._writer: pq.ParquetWriter | None = None
        self._waiting: list[pa.RecordBatch] = []

    def add(self, rows: pa.RecordBatch) -> None:
        """Add rows."""
        self._waiting.append(rows)
        if sum(part.num_rows for part in self._waiting) >= _GROUP:
            self._write()

    def _write(self) -> None:
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._temporary, self._schema, compression=COMPRESSION)
        self._writer.write_table(pa.Table.from_batches(self._waiting, self._schema))
        self._waiting = []

    def close(self) -> None:
        """Give the piece its name."""
        self._write()
        assert self._writer is not None
        self._writer.close()
        self._writer = None
        settle(self._temporary, self._path)

    def drop(self) -> None:
        """Remove a piece that was not closed."""
        if self._writer is not None:
            self._writer.close()
        if os.path.lexists(self._temporary):
            os.unlink(self._temporary)


def settle(temporary: str, path: str) -> None:
    """Rename a complete file, so that even after a crash of the machine it is complete or absent."""
    descriptor = os.open(temporary, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.replace(temporary, path)
