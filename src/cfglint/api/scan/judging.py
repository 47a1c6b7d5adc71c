"""The function that a scan applies to every file: bytes in, findings out.

It is independent of tables, processes and engines, and no state is kept from one file to the next
that could change a finding.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from cfglint.api.linter import NAMELESS, Linter
from cfglint.api.scan.model import Column, SourceContext, Status
from cfglint.base.record import NamedTuple
from cfglint.diagnostic import Diagnostic
from cfglint.engine.file_report import FileReport
from cfglint.source.files.base import Files
from cfglint.source.files.disk import Disk
from cfglint.source.files.links import read_inside
from cfglint.source.text import MAX_BYTES

Row = dict[str, Any]

#: Why a file was skipped.
TOO_LARGE = f"larger than {MAX_BYTES} bytes"
NO_CONFIG = "not a config of any framework that cfglint knows"


class Item(NamedTuple):
    """One file: a row of a table, or only a path."""

    path: str | None
    #: None when there is none.
    content: bytes | None
    #: Why the row has no content; empty when it has.
    lacks: str = ""


class FileResult(NamedTuple):
    """The rows of one file in the two tables of results."""

    file: Row
    findings: list[Row]


class BatchLinter:
    """Checks files one by one, each alone or with the files around it.

    Args:
        choices: the arguments of `Linter`, as a mapping.

    Raises:
        ValueError: one of them cannot be used.
    """

    def __init__(self, choices: Mapping[str, Any]) -> None:
        self._alone = Linter(**choices, files=None)
        self._context: SourceContext | None = None
        self._files: Files | None = None

    def batch(
        self,
        items: list[Item],
        context: SourceContext,
        source: str,
        first: int,
        known: Mapping[int, tuple[Status, str]],
        about: Callable[[int], object],
    ) -> Iterator[FileResult]:
        """Check files in their order.

        Args:
            source: the name of their source in the results.
            first: the row of the first file.
            known: row -> its outcome, for rows that are not to be checked.
            about: called with each row before it is checked.
        """
        files = self._files_of(context)
        linter = self._alone
        if files is not None and not context.alone:
            # Surroundings are cached for one batch only: memory stays constant over many projects.
            linter = self._alone.with_files(files)
        for row, item in enumerate(items, first):
            start = time.perf_counter()
            report = size = None
            outcome: tuple[Status, str]
            if row in known:
                outcome = known[row]
            else:
                about(row)
                try:
                    data = _content(item, files)
                    size = len(data)
                    report = linter.lint_found(data, NAMELESS if item.path is None else item.path)
                    outcome = ("checked", "") if report is not None else ("skipped", NO_CONFIG)
                except _Nothing as reason:
                    outcome = "skipped", str(reason)
                except (OSError, ValueError) as error:
                    outcome = "failed", _why(error)
                except Exception as error:  # an error in cfglint fails one file, not the scan
                    outcome = "failed", f"{type(error).__name__}: {error}"
            place = {"source": source, "row": row, "path": item.path}
            yield _judged(place, report, outcome, size, time.perf_counter() - start)

    def _files_of(self, context: SourceContext) -> Files | None:
        if context.kind == "nothing":
            return None
        if context != self._context or self._files is None:
            from cfglint.source.files.git import GitTree

            self._context = context
            self._files = (
                Disk()
                if context.kind == "folder"
                else GitTree(context.repository, context.commit, os.getcwd())
            )
        return self._files


class _Nothing(Exception):
    """There is nothing to check; the message says why."""


def _content(item: Item, files: Files | None) -> bytes:
    """The bytes of a file.

    Raises:
        _Nothing: there are none, or too many to be those of a config.
        OSError: they cannot be read.
    """
    data = item.content
    if data is None:
        if item.lacks or files is None or item.path is None:
            raise _Nothing(item.lacks or "no content")
        data = read_inside(item.path, MAX_BYTES + 1, files)
    if len(data) > MAX_BYTES:
        raise _Nothing(TOO_LARGE)
    return data


def items_of_lines(lines: list[bytes | None], columns: Column) -> list[Item]:
    """The files of lines of JSON; None is a line that was too long to be read."""
    return [_of_line(line, columns) for line in lines]


def _of_line(line: bytes | None, columns: Column) -> Item:
    if line is None:
        return Item(None, None, "the line is too long")
    if not line.strip():
        return Item(None, None, "the line is empty")
    try:
        # The last one of duplicate keys counts, as everywhere.
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Item(None, None, f"the line is not valid JSON: {_why(error)}")
    if not isinstance(row, dict):
        return Item(None, None, "the line is not a JSON object")
    path, content = row.get(columns.path), row.get(columns.content)
    if path is not None and not isinstance(path, str):
        return Item(None, None, f"`{columns.path}` is not a string")
    if content is None:
        missing = "is null" if columns.content in row else "is missing"
        return Item(path, None, f"`{columns.content}` {missing}")
    if not isinstance(content, str):
        return Item(path, None, f"`{columns.content}` is not a string")
    return Item(path, content.encode("utf-8", "surrogatepass"))


def _why(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"cannot be read: {error.strerror}"
    return str(error) or type(error).__name__


def _judged(
    place: Row,
    report: FileReport | None,
    outcome: tuple[Status, str],
    size: int | None,
    seconds: float,
) -> FileResult:
    findings: list[Row] = []
    about: Row = {"framework": None, "release": None}
    undecided: Mapping[str, int] = {}
    if report is not None:
        about = _about(report)
        undecided = report.undecided
        for one in (report, *report.elsewhere):
            in_file = None if one is report else one.path
            of = about if one is report or one.framework is None else _about(one)
            findings += [
                {**place, **of, "in_file": in_file, **_finding(found)} for found in one.diagnostics
            ]
    severities = [found["severity"] for found in findings]
    status, reason = outcome
    return FileResult(
        {
            **place,
            **about,
            "status": status,
            "reason": reason or None,
            "errors": severities.count("error"),
            "warnings": severities.count("warning"),
            "notes": severities.count("note"),
            "suppressed": report.suppressed if report is not None else 0,
            "undecided": [
                {"fact": fact, "rules": count} for fact, count in sorted(undecided.items())
            ],
            "bytes": size,
            "seconds": seconds,
        },
        findings,
    )


def _about(report: FileReport) -> Row:
    return {"framework": report.framework, "release": report.target.release}


def _finding(found: Diagnostic) -> Row:
    """A finding with the members that the JSON report has, places unfolded into columns."""
    row = found.to_dict()
    place = row.pop("range")
    row["key"] = [str(part) for part in row.pop("path")]
    row["related"] = [
        {"message": one["message"], "path": one.get("path"), **_unfolded(one["range"])}
        for one in row["related"]
    ]
    for fix in row["fixes"]:
        fix.setdefault("refused", None)
    return {**row, **_unfolded(place)}


def _unfolded(place: dict[str, dict[str, int]]) -> dict[str, int]:
    start, end = place["start"], place["end"]
    return {
        "line": start["line"],
        "column": start["column"],
        "offset": start["offset"],
        "end_line": end["line"],
        "end_column": end["column"],
        "end_offset": end["offset"],
    }
