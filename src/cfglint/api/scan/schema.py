"""The columns of the two tables, and of what goes between a guard and its worker."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

_PLACE = [
    (name, pa.int32())
    for name in ("line", "column", "offset", "end_line", "end_column", "end_offset")
]
_WHO = [
    ("source", pa.string()),
    ("row", pa.int64()),
    ("path", pa.string()),
    ("framework", pa.string()),
    ("release", pa.string()),
]
_EDIT = pa.struct([("start", pa.int32()), ("end", pa.int32()), ("text", pa.string())])
_FIX = pa.struct(
    [
        ("title", pa.string()),
        ("safety", pa.string()),
        ("edits", pa.list_(_EDIT)),
        ("refused", pa.string()),
    ]
)
#: One row a finding: the members of the JSON report.
FINDINGS = pa.schema(
    [
        *_WHO,
        ("in_file", pa.string()),
        *[
            (name, pa.string())
            for name in ("code", "name", "severity", "confidence", "upstream", "bites")
        ],
        ("message", pa.string()),
        ("cost", pa.string()),
        ("undecided", pa.bool_()),
        ("other_releases", pa.bool_()),
        ("needs", pa.list_(pa.string())),
        ("key", pa.list_(pa.string())),
        *_PLACE,
        (
            "related",
            pa.list_(pa.struct([("message", pa.string()), ("path", pa.string()), *_PLACE])),
        ),
        ("fixes", pa.list_(_FIX)),
        ("url", pa.string()),
    ]
)
#: One row a file.
FILES = pa.schema(
    [
        *_WHO,
        ("status", pa.string()),
        ("reason", pa.string()),
        ("errors", pa.int32()),
        ("warnings", pa.int32()),
        ("notes", pa.int32()),
        ("suppressed", pa.int32()),
        ("undecided", pa.list_(pa.struct([("fact", pa.string()), ("rules", pa.int32())]))),
        ("bytes", pa.int64()),
        ("seconds", pa.float64()),
    ]
)
#: What a worker gets: rows of a table (or names of files) ...
ITEMS = pa.schema(
    [("path", pa.large_binary()), ("content", pa.large_binary()), ("lacks", pa.string())]
)
#: ... or lines of JSON.
LINES = pa.schema([("line", pa.large_binary())])


def to_batch(rows: list[dict[str, Any]], schema: pa.Schema) -> pa.RecordBatch:
    """Rows as Arrow has them."""
    try:
        return pa.RecordBatch.from_pylist(rows, schema=schema)
    except UnicodeEncodeError:
        # YAML and JSON can spell halves of characters, and names of files may be any bytes.
        return pa.RecordBatch.from_pylist([_encodable(row) for row in rows], schema=schema)


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {name: _encodable(one) for name, one in value.items()}
    return [_encodable(one) for one in value] if isinstance(value, list) else value


def packed(batch: pa.RecordBatch) -> bytes:
    """A batch as bytes that `unpacked` reads."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def unpacked(data: bytes) -> pa.RecordBatch:
    """The batch that was packed."""
    with pa.ipc.open_stream(data) as stream:
        return stream.read_next_batch()
