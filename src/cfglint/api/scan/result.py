"""The two tables of a scan, put together from the pieces, and the summary of them."""

from __future__ import annotations

import os
import secrets
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cfglint.api.scan.model import STATUSES, ScanError
from cfglint.api.scan.schema import FILES, FINDINGS
from cfglint.api.scan.shards import COMPRESSION, Pieces, settle
from cfglint.base.record import Record
from cfglint.diagnostic import SEVERITIES

#: Rows of a row group of the results.
_GROUP = 100_000


class Summary(Record):
    """The counts of a scan. All mappings are sorted by count, the largest first."""

    files: int
    findings: int
    #: Status -> files.
    statuses: dict[str, int]
    #: (status, reason) -> files, of what was not checked.
    reasons: dict[tuple[str, str], int]
    #: (framework, release) -> (files, files with errors, findings).
    frameworks: dict[tuple[str, str], tuple[int, int, int]]
    #: (code, name) -> (findings, files, worst severity).
    rules: dict[tuple[str, str], tuple[int, int, str]]
    #: Seconds that checking took, summed over all workers.
    seconds: float


def put_together(pieces: Iterable[Pieces], findings: str, files: str) -> Summary:
    """Write the results, completely or not at all, from the pieces in their order.

    Raises:
        ScanError: they cannot be written.
    """
    tally = _Tally()
    try:
        with _Table(findings, FINDINGS) as one, _Table(files, FILES) as other:
            for piece in pieces:
                found, judged = pq.read_table(piece.findings), pq.read_table(piece.files)
                one.add(found)
                other.add(judged)
                tally.add(found, judged)
            one.close()
            other.close()
    except OSError as error:
        raise ScanError(f"{findings}: cannot be written: {error.strerror or error}") from None
    return tally.summary()


class _Table:
    """A table of the results that is written under another name until it is whole."""

    def __init__(self, path: str, schema: pa.Schema) -> None:
        self._path = path
        self._temporary = f"{path}.{secrets.token_hex(8)}.tmp"
        self._writer = pq.ParquetWriter(self._temporary, schema, compression=COMPRESSION)
        self._waiting: list[pa.Table] = []
        self._rows = 0

    def add(self, rows: pa.Table) -> None:
        self._waiting.append(rows)
        self._rows += rows.num_rows
        if self._rows >= _GROUP:
            self._write()

    def _write(self) -> None:
        if self._rows:
            self._writer.write_table(pa.concat_tables(self._waiting), row_group_size=2 * _GROUP)
        self._waiting, self._rows = [], 0

    def close(self) -> None:
        """Give the table its name."""
        self._write()
        self._writer.close()
        settle(self._temporary, self._path)

    def __enter__(self) -> _Table:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()
        if os.path.lexists(self._temporary):
            os.unlink(self._temporary)


class _Tally:
    """Counts of pieces."""

    def __init__(self) -> None:
        self._files = self._findings = 0
        self._seconds = 0.0
        self._reasons: Counter[tuple[str, str]] = Counter()
        self._statuses: Counter[str] = Counter()
        self._frameworks: dict[tuple[str, str], list[int]] = {}
        self._rules: dict[tuple[str, str], list[int]] = {}

    def add(self, findings: pa.Table, files: pa.Table) -> None:
        self._files += files.num_rows
        self._findings += findings.num_rows
        self._seconds += pc.sum(files["seconds"]).as_py() or 0.0
        for row in _groups(files, ["status", "reason"], [([], "count_all")]):
            self._statuses[row["status"]] += row["count_all"]
            if row["reason"] is not None:
                self._reasons[row["status"], row["reason"]] += row["count_all"]
        files = files.append_column("wrong", pc.cast(pc.greater(files["errors"], 0), pa.int64()))
        found = pc.add(pc.add(files["errors"], files["warnings"]), files["notes"])
        files = files.append_column("found", found)
        sums = [([], "count_all"), ("wrong", "sum"), ("found", "sum")]
        for row in _groups(files, ["framework", "release"], sums):
            if row["framework"] is not None:
                counts = self._frameworks.setdefault((row["framework"], row["release"]), [0, 0, 0])
                for at, name in enumerate(("count_all", "wrong_sum", "found_sum")):
                    counts[at] += row[name]
        # A file is in one piece as a whole: what differs in a piece differs in all of them.
        places = pc.binary_join_element_wise(
            findings["source"], pc.cast(findings["row"], pa.string()), "\n"
        )
        rules = findings.select(["code", "name", "severity"]).append_column("file", places)
        for row in _groups(
            rules, ["code", "name"], [([], "count_all"), ("file", "count_distinct")]
        ):
            counts = self._rules.setdefault((row["code"], row["name"]), [0, 0, len(SEVERITIES)])
            counts[0] += row["count_all"]
            counts[1] += row["file_count_distinct"]
        for row in _groups(rules, ["code", "name", "severity"], []):
            counts = self._rules[row["code"], row["name"]]
            counts[2] = min(counts[2], SEVERITIES.index(row["severity"]))

    def summary(self) -> Summary:
        return Summary(
            files=self._files,
            findings=self._findings,
            statuses={status: self._statuses[status] for status in STATUSES},
            reasons=dict(self._reasons.most_common()),
            frameworks={
                of: (files, wrong, found)
                for of, (files, wrong, found) in sorted(
                    self._frameworks.items(), key=lambda pair: (-pair[1][0], pair[0])
                )
            },
            rules={
                rule: (found, files, SEVERITIES[worst])
                for rule, (found, files, worst) in sorted(
                    self._rules.items(), key=lambda pair: (-pair[1][0], pair[0])
                )
            },
            seconds=self._seconds,
        )


def _groups(table: pa.Table, keys: list[str], sums: list[Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table.group_by(keys, use_threads=False).aggregate(sums).to_pylist()
    return rows
