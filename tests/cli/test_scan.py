"""`cfglint scan`: what it asks for, what it tells, and its exit code; the scan itself is a stand-in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cfglint.cli.scan import _Teller, progress_text
from tests.cli.running import run
from tests.draws import each

pytest.importorskip("pyarrow")

from cfglint.api.scan.model import Progress, ScanError
from cfglint.api.scan.result import Summary


@each(
    ("files", "new", "total", "seconds", "expected"),
    [
        (0, 0, None, 0.0, "0 files scanned, 0 per second"),
        (1500, 1000, None, 2.0, "1,500 files scanned, 500 per second"),
        (1500, 1000, 3000, 2.0, "1,500 of 3,000 files scanned, 500 per second, about 0:03 left"),
        (10, 10, 36_620, 1.0, "10 of 36,620 files scanned, 10 per second, about 1:01:01 left"),
        (10, 10, 610, 1.0, "10 of 610 files scanned, 10 per second, about 1:00 left"),
        (10, 10, 36_009, 1.0, "10 of 36,009 files scanned, 10 per second, about 1:00:00 left"),
        (10, 10, 10, 1.0, "10 of 10 files scanned, 10 per second"),
        (10, 0, 20, 1.0, "10 of 20 files scanned, 0 per second"),
        (10, 10, None, 0.0, "10 files scanned, 10,000 per second"),
    ],
)
def test_how_far_it_has_come(
    files: int, new: int, total: int | None, seconds: float, expected: str
) -> None:
    assert progress_text(files, new, total, seconds) == expected


def test_what_an_earlier_run_had_done_does_not_count_for_the_speed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    monkeypatch.setattr("cfglint.cli.scan.time.monotonic", iter((0.0, 1.0, 2.0)).__next__)
    teller = _Teller()
    monkeypatch.setattr(teller._line, "say", said.append)
    for files, resumed in ((100, True), (20, False)):
        teller.tell(Progress(0, files, resumed))
    assert said == ["100 files scanned, 0 per second", "120 files scanned, 10 per second"]
    assert teller.resumed == 100


class Scanned:
    """Stands for the scan: keeps what it was asked for, and fails as it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, fails: Any = ()) -> None:
        self.asked: Any = None
        self.fails = fails
        self.result: Summary | None = Summary(0, 0, {}, {}, {}, {}, 0.0)
        monkeypatch.setattr("cfglint.api.scan.run.check_sources", lambda *_: None)
        monkeypatch.setattr("cfglint.api.scan.run.scan", self)

    def __call__(self, asked: Any, tell: Any, fail: Any) -> Summary | None:
        self.asked = asked
        for one in self.fails:
            if isinstance(one, BaseException):
                raise one
            fail(one)
        return self.result


def test_what_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    scanned = Scanned(monkeypatch)
    result = run(
        *(
            "scan",
            "a.jsonl",
            "b.jsonl",
            "--out",
            "o/f.parquet",
            "--target",
            "trl==1.0.0,torch==2.6.0",
        ),
        *("--select", "KEY,YML", "--ignore", "KEY001", "--gpus", "8", "--min-confidence", "high"),
        *("--isolated", "--jobs", "2", "--limit", "5", "--restart", "--path-column", "name"),
    )
    assert result.code == 0
    asked = scanned.asked
    assert list(asked.sources) == ["a.jsonl", "b.jsonl"]
    assert (asked.out, asked.files) == ("o/f.parquet", "o/f.files.parquet")
    choices = {name: one for name, one in asked.choices.items() if one}
    assert choices == {
        "target": ("trl==1.0.0", "torch==2.6.0"),
        "gpus": 8,
        "select": ("KEY", "YML"),
        "ignore": ("KEY001",),
        "min_confidence": "high",
        "settings": True,
    }
    assert (asked.alone, asked.restart, asked.jobs, asked.limit) == (True, True, 2, 5.0)
    assert (asked.columns.path, asked.columns.content) == ("name", "content")


@each(
    ("fails", "code", "complaints"),
    [
        ((), 0, []),
        (("one", "two", "one"), 2, ["one", "two"]),
        ((ScanError("no such table"),), 2, ["no such table"]),
        (
            (KeyboardInterrupt(),),
            130,
            ["interrupted; run the same command again to continue"],
        ),
    ],
)
def test_failures(fails: Any, code: int, complaints: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        Scanned(patch, fails=fails)
        result = run("scan", "a.jsonl", "--out", "f.parquet", "--format", "json")
    assert result.code == code
    assert result.err == "".join(f"cfglint: {one}\n" for one in complaints)
    # What could be done is reported.
    assert bool(result.out) is (not any(isinstance(one, BaseException) for one in fails))
    if result.out:
        assert json.loads(result.out)["findings_table"] == "f.parquet"


def test_a_table_that_was_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    Scanned(monkeypatch).result = None
    result = run("scan", "a.jsonl", "--out", "f.parquet")
    assert (result.code, result.out) == (2, "")
    assert "f.parquet was not written; finished parts are kept for the next run" in result.err


def test_wrong_choices_are_told_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scanned = Scanned(monkeypatch)
    result = run("scan", str(tmp_path), "--out", "f.parquet", "--target", "trl")
    assert result.code == 2
    assert result.err.startswith("cfglint: ")
    assert scanned.asked is None
