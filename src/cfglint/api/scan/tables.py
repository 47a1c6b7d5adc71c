"""Tables of files: Parquet, Arrow IPC, lines of JSON. Read in ranges of rows, never as a whole."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import IO, Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cfglint.api.scan import stores
from cfglint.api.scan.judging import TOO_LARGE
from cfglint.api.scan.model import BATCH, SHARD, Column, ScanError, Shard, SourceContext
from cfglint.api.scan.schema import ITEMS, LINES
from cfglint.base.record import NamedTuple
from cfglint.source.text import MAX_BYTES

_NOTHING = SourceContext("nothing")
#: What can only be read from its beginning is divided into so many shards at most: each reads
#: again what comes before it.
_MAX_SLICES = 32
#: Of a line, in bytes: a content of `MAX_BYTES` whose characters are all spelt as `\\u0000`.
_MAX_LINE = 6 * MAX_BYTES + 65_536
#: The bytes of the lines that show which columns there are.
_HEAD = 65_536
#: Lines that go to a worker at a time, in bytes, unless it is one.
_MAX_LINES = 8 * 1024 * 1024

Form = Literal["parquet", "arrow file", "arrow stream", "jsonl"]


class Stretch(NamedTuple):
    """Rows that are read in order from a position that can be sought."""

    start: int
    rows: int


def plan_table(path: str, columns: Column) -> Iterator[Shard]:
    """The shards of a table, numbered from 0.

    Raises:
        ScanError: it cannot be read, is no table, or lacks a column.
    """
    try:
        with stores.stream(path) as stream:
            form = _form(stream, path)
            base = Shard(
                number=0,
                source=path,
                context=_NOTHING,
                form=form,
                first=0,
                rows=0,
                path=path if stores.is_uri(path) else os.path.abspath(path),
                state=stores.state(path),
                columns=columns,
            )
            if form == "jsonl":
                _check_lines(stream, base)
                yield from _numbered(base, _shards_of_lines(stream))
                return
        stretches = {
            "parquet": _row_groups,
            "arrow file": _record_batches,
            "arrow stream": _whole_stream,
        }[form](base)
        yield from _numbered(base, _slices(stretches))
    except (OSError, pa.ArrowException) as error:
        raise ScanError(f"{path}: cannot be read: {_why(error)}") from None


def rows_of(path: str) -> int | None:
    """How many rows a table has; None where only reading all of it would tell, or it cannot be read."""
    try:
        with stores.stream(path) as stream:
            form = _form(stream, path)
        if form == "parquet":
            with pq.ParquetFile(stores.parquet_source(path)) as file:
                return int(file.metadata.num_rows)
        if form == "arrow file":
            with stores.arrow_source(path) as source, pa.ipc.open_file(source) as file:
                parts = range(file.num_record_batches)
                return int(sum(file.get_batch(number).num_rows for number in parts))
    except (OSError, pa.ArrowException, ScanError):
        return None  # planning reports the reason
    return None


def _form(stream: IO[bytes], path: str) -> Form:
    head = stream.read(64)
    stream.seek(0)
    if head[:4] == b"PAR1":
        return "parquet"
    if head[:6] == b"ARROW1":
        return "arrow file"
    if head[:4] == b"\xff\xff\xff\xff":
        return "arrow stream"
    if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b""):
        return "jsonl"
    raise ScanError(f"{path}: not a table: neither Parquet nor Arrow IPC nor JSON Lines")


def _numbered(base: Shard, pieces: Iterable[tuple[int, int, int]]) -> Iterator[Shard]:
    """Shards of (start, rows to leave out, rows)."""
    first = 0
    for number, (start, skip, rows) in enumerate(pieces):
        yield base.replaced(number=number, first=first, rows=rows, start=start, skip=skip)
        first += rows


def _slices(stretches: Iterable[Stretch]) -> Iterator[tuple[int, int, int]]:
    """Stretches as shards: small ones together, large ones divided."""
    start = rows = 0
    for stretch in stretches:
        if rows and rows + stretch.rows > SHARD:
            yield start, 0, rows
            rows = 0
        if stretch.rows > SHARD:
            size = max(SHARD, -(-stretch.rows // _MAX_SLICES))
            for skip in range(0, stretch.rows, size):
                yield stretch.start, skip, min(size, stretch.rows - skip)
            continue
        if not rows:
            start = stretch.start
        rows += stretch.rows
    if rows:
        yield start, 0, rows


def batches(shard: Shard) -> Iterator[tuple[int, pa.RecordBatch]]:
    """The rows of a shard for a worker, each batch with the row that it begins with.

    Raises:
        ScanError: the table cannot be read, or is not the one that was planned with.
    """
    try:
        if stores.state(shard.path) != shard.state:
            raise ScanError(f"{shard.source}: changed during the scan")
        if shard.form == "jsonl":
            yield from _lines(shard)
            return
        reads = {"parquet": _parquet, "arrow file": _ipc_file, "arrow stream": _ipc_stream}
        first = shard.first
        for part in _cut(reads[shard.form](shard), shard.skip, shard.rows):
            for at in range(0, part.num_rows, BATCH):
                rows = _items(part.slice(at, BATCH), shard.columns)
                yield first, rows
                first += rows.num_rows
        if first != shard.first + shard.rows:
            raise ScanError(f"{shard.source}: has fewer rows than its metadata says")
    except (OSError, pa.ArrowException) as error:
        raise ScanError(
            f"{shard.source}: rows {shard.first} to {shard.first + shard.rows - 1} cannot be read: "
            f"{_why(error)}"
        ) from None


def _why(error: Exception) -> str:
    """The reason in words; that of Arrow is its own text, for errors of the system, too."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error).strip()


def _cut(parts: Iterable[pa.RecordBatch], skip: int, rows: int) -> Iterator[pa.RecordBatch]:
    """The rows after some that are left out, so many of them."""
    for part in parts:
        if rows <= 0:
            return
        if skip >= part.num_rows:
            skip -= part.num_rows
            continue
        kept = part.slice(skip, rows)
        skip = 0
        rows -= kept.num_rows
        yield kept


def _items(part: pa.RecordBatch, columns: Column) -> pa.RecordBatch:
    """Rows of a table as a worker takes them; a content that is no config's is left out."""
    path = part.column(columns.path).cast(pa.large_binary())
    content = part.column(columns.content).cast(pa.large_binary())
    size = pc.binary_length(content)
    large = pc.fill_null(pc.greater(size, MAX_BYTES), False)
    # Arrow before 22 writes wrong offsets when `if_else` is given a slice of texts; `take` does not.
    rows = pa.array(range(part.num_rows), pa.int64())
    content = content.take(pc.if_else(large, pa.scalar(None, pa.int64()), rows))
    null = pc.if_else(pc.is_null(content), f"`{columns.content}` is null", "")
    lacks = pc.if_else(large, TOO_LARGE, null)
    return pa.RecordBatch.from_arrays([path, content, lacks], schema=ITEMS)


def _check_lines(stream: IO[bytes], shard: Shard) -> None:
    """Whether the first lines of a table have the columns, as far as they are objects.

    Raises:
        ScanError: none of them has.
    """
    lines = stream.read(_HEAD).split(b"\n")
    stream.seek(0)
    rows = []
    for line in lines if len(lines) == 1 else lines[:-1]:
        try:
            rows.append(json.loads(line))
        except (ValueError, RecursionError):
            continue  # a line that cannot be read is one of the results
    names = dict.fromkeys(name for row in rows if isinstance(row, dict) for name in row)
    for option, name in zip(("path", "content"), shard.columns, strict=True):
        if names and name not in names:
            raise ScanError(_no_column(shard.source, option, name, "no column", names))


def _no_column(source: str, option: str, name: str, many: str, names: Iterable[str]) -> str:
    has = ", ".join(names) or "none"
    return (
        f"{source}: {many} `{name}` (--{option}-column says which one it is); the columns are {has}"
    )


def _checked(schema: pa.Schema, shard: Shard) -> None:
    """Whether a table has the columns.

    Raises:
        ScanError: it has not, or they are of a type that is no text.
    """
    for option, name in zip(("path", "content"), shard.columns, strict=True):
        found = schema.get_all_field_indices(name)
        if len(found) != 1:
            many = "no column" if not found else f"{len(found)} columns"
            raise ScanError(_no_column(shard.source, option, name, many, schema.names))
        type_ = schema.field(found[0]).type
        if pa.types.is_dictionary(type_):
            type_ = type_.value_type
        if not _is_text(type_):
            raise ScanError(
                f"{shard.source}: column `{name}` is {type_}, but a string or binary column is expected"
            )


def _is_text(type_: Any) -> bool:
    types = pa.types
    tests = ("string", "large_string", "string_view", "binary", "large_binary", "binary_view")
    return any(test(type_) for name in tests if (test := getattr(types, f"is_{name}", None)))


def _open_parquet(shard: Shard) -> Any:
    # A buffered stream: a column is not read as a whole.
    return pq.ParquetFile(stores.parquet_source(shard.path), buffer_size=1 << 20, pre_buffer=False)


def _row_groups(shard: Shard) -> list[Stretch]:
    with _open_parquet(shard) as file:
        _checked(file.schema_arrow, shard)
        metadata = file.metadata
        return [
            Stretch(number, metadata.row_group(number).num_rows)
            for number in range(metadata.num_row_groups)
        ]


def _parquet(shard: Shard) -> Iterator[pa.RecordBatch]:
    with _open_parquet(shard) as file:
        groups, left = [], shard.skip + shard.rows
        for number in range(shard.start, file.metadata.num_row_groups):
            groups.append(number)
            left -= file.metadata.row_group(number).num_rows
            if left <= 0:
                break
        yield from file.iter_batches(
            BATCH, row_groups=groups, columns=list(shard.columns), use_threads=False
        )


def _record_batches(shard: Shard) -> list[Stretch]:
    with stores.arrow_source(shard.path) as source, pa.ipc.open_file(source) as file:
        _checked(file.schema, shard)
        return [
            Stretch(number, file.get_batch(number).num_rows)
            for number in range(file.num_record_batches)
        ]


def _ipc_file(shard: Shard) -> Iterator[pa.RecordBatch]:
    with stores.arrow_source(shard.path) as source, pa.ipc.open_file(source) as file:
        for number in range(shard.start, file.num_record_batches):
            yield file.get_batch(number).select(list(shard.columns))


def _whole_stream(shard: Shard) -> list[Stretch]:
    with stores.arrow_source(shard.path) as source, pa.ipc.open_stream(source) as stream:
        _checked(stream.schema, shard)
        return [Stretch(0, sum(part.num_rows for part in stream))]


def _ipc_stream(shard: Shard) -> Iterator[pa.RecordBatch]:
    with stores.arrow_source(shard.path) as source, pa.ipc.open_stream(source) as stream:
        for part in stream:
            yield part.select(list(shard.columns))


def _shards_of_lines(stream: IO[bytes]) -> Iterator[tuple[int, int, int]]:
    """(byte that a shard begins at, 0, lines)."""
    start = lines = offset = 0
    ended = True
    while chunk := stream.read(1 << 20):
        at = 0
        while (end := chunk.find(b"\n", at)) >= 0:
            at = end + 1
            lines += 1
            if lines == SHARD:
                yield start, 0, lines
                start, lines = offset + at, 0
        offset += len(chunk)
        ended = chunk.endswith(b"\n")
    if not ended:
        lines += 1
    if lines:
        yield start, 0, lines


def _lines(shard: Shard) -> Iterator[tuple[int, pa.RecordBatch]]:
    waiting: list[bytes | None] = []
    size = 0
    row = shard.first
    with stores.stream(shard.path) as stream:
        stream.seek(shard.start)
        for _ in range(shard.rows):
            line = _line(stream)
            if waiting and (size + len(line or b"") > _MAX_LINES or len(waiting) == BATCH):
                yield row, _of_lines(waiting)
                row += len(waiting)
                waiting, size = [], 0
            waiting.append(line)
            size += len(line or b"")
    if waiting:
        yield row, _of_lines(waiting)


def _line(stream: IO[bytes]) -> bytes | None:
    """The next line; None for one that is too long."""
    line = stream.readline(_MAX_LINE)
    if len(line) < _MAX_LINE or line.endswith(b"\n"):
        return line.removeprefix(b"\xef\xbb\xbf")
    while (more := stream.readline(_MAX_LINE)) and not more.endswith(b"\n"):
        pass
    return None


def _of_lines(lines: list[bytes | None]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.array(lines, pa.large_binary())], schema=LINES)
