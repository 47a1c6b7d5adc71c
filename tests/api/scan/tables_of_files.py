"""Tables to scan, in every form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.cli.files import CLEAN, MISSPELT

SCHEMA = pa.schema([("path", pa.string()), ("content", pa.binary())])
FORMS = ("parquet", "arrow", "arrows", "jsonl")
#: Rows of all kinds: checked, without findings, not a config, not UTF-8, too large, without content.
MIXED: list[tuple[str | None, bytes | None]] = [
    ("a/train.yml", MISSPELT.encode()),
    ("a/train.yml", CLEAN.encode()),
    ("/etc/passwd.yml", MISSPELT.encode()),
    ("../../up.yml", MISSPELT.encode()),
    ("compose.yml", b"services:\n  web:\n    image: nginx\n"),
    ("latin.yml", CLEAN.encode() + b"# caf\xe9\n"),
    ("giant.yml", CLEAN.encode() + b"#" * (1 << 20)),
    ("null.yml", None),
    (None, MISSPELT.encode()),
    ("nul\0in.yml", CLEAN.encode()),
    ("ds.json", b'{"train_batch_size": 8, "zero_optimizatio": {"stage": 2}, "fp16": {}}'),
]


def table(rows: list[tuple[str | None, bytes | None]]) -> Any:
    """Rows as Arrow has them."""
    return pa.Table.from_pylist(
        [{"path": path, "content": content} for path, content in rows], schema=SCHEMA
    )


def write(path: Path, rows: list[tuple[str | None, bytes | None]], size: int = 1_000) -> Path:
    """Write rows in the form that the suffix says.

    Args:
        size: rows of a row group or record batch.
    """
    made = table(rows)
    if path.suffix == ".parquet":
        pq.write_table(made, path, row_group_size=size)
    elif path.suffix == ".jsonl":
        lines = [
            json.dumps({"path": name, "content": content and content.decode("utf-8", "replace")})
            for name, content in rows
        ]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    else:
        new = pa.ipc.new_file if path.suffix == ".arrow" else pa.ipc.new_stream
        with pa.OSFile(str(path), "wb") as sink, new(sink, SCHEMA) as writer:
            writer.write_table(made, max_chunksize=size)
    return path


def read(path: Path) -> list[dict[str, Any]]:
    """The rows of a result."""
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows
