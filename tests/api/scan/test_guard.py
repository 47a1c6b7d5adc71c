"""A worker that a file crashes or stalls is replaced, and the file is reported."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs the extra [scan]")

from cfglint.api.scan.guard import Guard
from cfglint.api.scan.model import Column, ScanError, ScanPlan, SourceContext
from cfglint.api.scan.schema import ITEMS, packed, to_batch
from cfglint.api.scan.worker import Request
from tests.cli.files import CLEAN, MISSPELT
from tests.cli.running import SOURCES

#: A worker whose files can do what no file should be able to.
HOSTILE = """\
import os, signal, sys, time
sys.path.insert(0, {sources!r})
from cfglint.api.linter import Linter
from cfglint.api.scan.worker import main
lint_found = Linter.lint_found
def hostile(self, data, path):
    if data == b"segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if data == b"exit":
        os._exit(7)
    if data == b"stall":
        time.sleep(60)
    if data == b"once" and not os.path.exists({mark!r}):
        open({mark!r}, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return lint_found(self, b"" if data == b"once" else data, path)
Linter.lint_found = hostile
main()
"""


def hostile_command(folder: Path) -> tuple[str, ...]:
    program = HOSTILE.format(sources=SOURCES, mark=str(folder / "mark"))
    return (sys.executable, "-c", program)


def plan(folder: Path, **changes: Any) -> ScanPlan:
    return ScanPlan(
        **{
            "choices": {},
            "limit": 30.0,
            "folder": str(folder / "shards"),
            "here": str(folder),
            "command": hostile_command(folder),
            **changes,
        }
    )


def request(*contents: bytes) -> Request:
    rows = [
        {"path": f"{number}.yml", "content": content} for number, content in enumerate(contents)
    ]
    return Request(SourceContext("nothing"), Column(), "t", 100, packed(to_batch(rows, ITEMS)), {})


def test_the_files_beside_a_killer_are_judged(tmp_path: Path) -> None:
    guard = Guard(plan(tmp_path))
    contents = (CLEAN.encode(), b"segfault", MISSPELT.encode(), b"exit", b"once", CLEAN.encode())
    findings, files = guard.judge(request(*contents))
    guard.close()
    rows = files.to_pylist()
    assert [row["row"] for row in rows] == [100, 101, 102, 103, 104, 105]
    assert [row["status"] for row in rows] == [
        *("checked", "crashed", "checked", "crashed", "skipped", "checked")
    ]
    assert rows[1]["reason"] == "the worker was killed by SIGSEGV"
    assert rows[3]["reason"] == "the worker exited with code 7"
    assert [row["row"] for row in findings.to_pylist() if row["code"] == "KEY001"] == [102]


def test_a_file_that_takes_too_long_is_stalled(tmp_path: Path) -> None:
    guard = Guard(plan(tmp_path, limit=4.0))
    start = time.monotonic()
    _, files = guard.judge(request(CLEAN.encode(), b"stall", CLEAN.encode()))
    guard.close()
    assert [row["status"] for row in files.to_pylist()] == ["checked", "stalled", "checked"]
    assert files.to_pylist()[1]["reason"] == "took longer than 4 seconds"
    assert time.monotonic() - start < 25


def test_the_limit_is_that_of_one_file(tmp_path: Path) -> None:
    """A worker may live for longer, and one that waits for its next files is not ended."""
    guard = Guard(plan(tmp_path, limit=3.0))
    guard.judge(request(CLEAN.encode()))
    first = guard._process
    time.sleep(4)
    _, files = guard.judge(request(CLEAN.encode()))
    assert guard._process is first
    guard.close()
    assert [row["status"] for row in files.to_pylist()] == ["checked"]


def test_a_worker_that_cannot_start_is_an_error(tmp_path: Path) -> None:
    guard = Guard(plan(tmp_path, command=(sys.executable, "-c", "raise SystemExit(3)")))
    with pytest.raises(ScanError, match="cannot start a worker: the worker exited with code 3"):
        guard.judge(request(CLEAN.encode()))
    guard.close()
    guard = Guard(plan(tmp_path, command=(str(tmp_path / "none"),)))
    with pytest.raises(ScanError, match="cannot start a worker"):
        guard.judge(request(CLEAN.encode()))


def test_nothing_is_imported_from_the_folder_that_is_scanned(tmp_path: Path) -> None:
    for name in ("yaml.py", "cfglint.py", "pyarrow.py", "sitecustomize.py"):
        (tmp_path / name).write_text("raise SystemExit('imported')")
    guard = Guard(plan(tmp_path, command=()))
    _, files = guard.judge(request(MISSPELT.encode()))
    guard.close()
    assert [row["status"] for row in files.to_pylist()] == ["checked"]


def test_a_closed_guard_starts_no_worker(tmp_path: Path) -> None:
    guard = Guard(plan(tmp_path))
    guard.close()
    with pytest.raises(ScanError, match="stopped"):
        guard.judge(request(CLEAN.encode()))


def test_halves_of_characters_are_spelt_out() -> None:
    batch = to_batch([{"path": b"a", "content": None, "lacks": "\ud800"}], ITEMS)
    assert batch.to_pylist()[0]["lacks"] == "\\ud800"
