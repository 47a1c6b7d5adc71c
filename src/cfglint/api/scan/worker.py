"""A process that checks batches of files for a guard.

It reads requests from standard input and writes answers to standard output. Before each file it
sends the file's row, so that its guard knows which file crashed or stalled it. It writes no files,
and ends when its standard output is closed.
"""

from __future__ import annotations

import gc
import io
import os
import pickle
import struct
import sys
from collections.abc import Mapping
from typing import IO

from cfglint.api.scan.judging import BatchLinter, Item, items_of_lines
from cfglint.api.scan.model import Column, SourceContext, Status
from cfglint.api.scan.schema import FILES, FINDINGS, packed, to_batch, unpacked
from cfglint.base.record import NamedTuple

#: Before a request: its length. The first request has the arguments of the `Linter`.
LENGTH = struct.Struct(">Q")
#: Before an answer: `f` and a row that is begun, or `r` and the lengths of the two tables.
ANSWER = struct.Struct(">cQQ")


class Request(NamedTuple):
    """A batch of files to check."""

    context: SourceContext
    columns: Column
    source: str
    first: int
    #: Packed; the schema is `ITEMS` or `LINES`.
    items: bytes
    #: Row -> its known outcome; these rows are not checked.
    known: Mapping[int, tuple[Status, str]]


def main() -> None:
    """Answer requests until there are no more."""
    requests = sys.stdin.buffer
    # Standard output is for answers alone: other output goes to standard error.
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    gc.set_threshold(100_000, 50, 50)
    choices = _read(requests)
    if choices is None:
        return
    linter = BatchLinter(pickle.loads(choices))  # noqa: S301 - our own guard writes into this pipe
    try:
        while (data := _read(requests)) is not None:
            _answer(linter, pickle.loads(data), answers)  # noqa: S301
    except BrokenPipeError:
        # The guard has ended or has given up on this worker.
        return


def _read(requests: IO[bytes]) -> bytes | None:
    head = requests.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    data = requests.read(length)
    return data if len(data) == length else None


def _answer(linter: BatchLinter, request: Request, answers: io.FileIO) -> None:
    files, findings = [], []
    for result in linter.batch(
        _items(request),
        request.context,
        request.source,
        request.first,
        request.known,
        lambda row: answers.write(ANSWER.pack(b"f", row, 0)),
    ):
        files.append(result.file)
        findings += result.findings
    first, second = packed(to_batch(findings, FINDINGS)), packed(to_batch(files, FILES))
    _write(answers, ANSWER.pack(b"r", len(first), len(second)) + first + second)


def _items(request: Request) -> list[Item]:
    batch = unpacked(request.items)
    if "line" in batch.schema.names:
        return items_of_lines(batch.column("line").to_pylist(), request.columns)
    columns = (batch.column(name).to_pylist() for name in ("path", "content", "lacks"))
    return [
        Item(os.fsdecode(path) if path is not None else None, content, lacks or "")
        for path, content, lacks in zip(*columns, strict=True)
    ]


def _write(answers: io.FileIO, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[answers.write(left) or 0 :]
