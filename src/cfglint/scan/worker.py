"""A process that judges batches of files for a guard.

It gets requests on its standard input and answers on its standard output; before each file it
says which one is next, so that its guard knows what it was about when it comes to no good end. It
writes no files, and ends when nobody listens.
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

from cfglint.base.record import NamedTuple
from cfglint.scan.judging import BatchLinter, Item, items_of_lines
from cfglint.scan.model import Column, SourceContext, Status
from cfglint.scan.schema import FILES, FINDINGS, packed, to_batch, unpacked

#: Before a request: its length. The first one holds the arguments of the `Linter`.
LENGTH = struct.Struct(">Q")
#: Before an answer: `f` and a row that is begun, or `r` and the lengths of the two tables.
ANSWER = struct.Struct(">cQQ")


class Request(NamedTuple):
    """A batch to judge."""

    context: SourceContext
    columns: Column
    source: str
    first: int
    #: Packed; the schema is `ITEMS` or `LINES`.
    items: bytes
    told: Mapping[int, tuple[Status, str]]


def main() -> None:
    """Answer requests until there are no more."""
    requests = sys.stdin.buffer
    # Nothing but answers may reach whoever listens.
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    gc.set_threshold(100_000, 50, 50)
    choices = _read(requests)
    if choices is None:
        return
    judge = BatchLinter(pickle.loads(choices))  # noqa: S301 - our own guard writes into this pipe
    try:
        while (data := _read(requests)) is not None:
            _answer(judge, pickle.loads(data), answers)  # noqa: S301
    except BrokenPipeError:
        # Whoever wanted to know has gone.
        return


def _read(requests: IO[bytes]) -> bytes | None:
    head = requests.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    data = requests.read(length)
    return data if len(data) == length else None


def _answer(judge: BatchLinter, request: Request, answers: io.FileIO) -> None:
    files, findings = [], []
    for judged in judge.batch(
        _items(request),
        request.context,
        request.source,
        request.first,
        request.told,
        lambda row: answers.write(ANSWER.pack(b"f", row, 0)),
    ):
        files.append(judged.file)
        findings += judged.findings
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
