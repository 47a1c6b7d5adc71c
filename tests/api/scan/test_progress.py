"""How far a scan has come: from its first files on, with the total where that is known."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs the extra [scan]")

from cfglint.api.scan.model import BATCH, SHARD, Progress
from cfglint.api.scan.run import Scan, scan
from cfglint.cli.scan import progress_text
from tests.api.scan.tables_of_files import write
from tests.cli.files import MISSPELT

COUNT = 3 * BATCH + 10


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def progress(*sources: str) -> list[Progress]:
    found: list[Progress] = []
    choices = {"select": ("KEY",), "settings": False}
    asked = Scan(sources=sources, out="out.parquet", jobs=1, choices=choices)
    assert scan(asked, found.append, pytest.fail) is not None
    return found


def rows(count: int) -> list[tuple[str | None, bytes | None]]:
    return [(f"{number}.yml", MISSPELT.encode()) for number in range(count)]


def test_each_batch_is_reported_with_the_total() -> None:
    write(Path("t.parquet"), rows(COUNT))
    found = progress("t.parquet")
    assert [one.files for one in found] == [BATCH, BATCH, BATCH, 10, 0]
    assert [one.is_last for one in found] == [False] * 4 + [True]
    assert {one.total for one in found} == {COUNT}


def test_the_total_of_several_tables() -> None:
    write(Path("t.parquet"), rows(3))
    write(Path("t.arrow"), rows(4))
    found = progress("t.parquet", "t.arrow", "t.parquet")
    assert {one.total for one in found} == {7}
    assert sum(one.files for one in found) == 7


@pytest.mark.parametrize("form", ["jsonl", "arrows"])
def test_what_only_reading_tells_is_known_when_all_shards_are(form: str) -> None:
    """With one worker, the first of five shards is done before the others are planned."""
    write(Path(f"t.{form}"), [(f"{number}.yml", b"a: 1\n") for number in range(4 * SHARD + 1)], 500)
    totals = [one.total for one in progress(f"t.{form}")]
    assert (totals[0], totals[-1]) == (None, 4 * SHARD + 1)


def test_files_of_a_folder_are_counted_once_all_are_found() -> None:
    Path("configs").mkdir()
    for number in range(3):
        Path(f"configs/{number}.yml").write_text(MISSPELT, encoding="utf-8")
    assert progress("configs")[-1].total == 3


@pytest.mark.parametrize(
    ("files", "new", "total", "seconds", "text"),
    [
        (64, 64, None, 1.0, "64 files scanned, 64 per second"),
        (64, 64, 1000, 1.0, "64 of 1,000 files scanned, 64 per second, about 0:15 left"),
        (2000, 0, 10_000, 0.5, "2,000 of 10,000 files scanned, 0 per second"),
        (500, 500, 500, 2.0, "500 of 500 files scanned, 250 per second"),
        (
            4000,
            2000,
            10_000,
            10.0,
            "4,000 of 10,000 files scanned, 200 per second, about 0:30 left",
        ),
        (
            1000,
            1000,
            1_000_000,
            2.0,
            "1,000 of 1,000,000 files scanned, 500 per second, about 33:18 left",
        ),
        (
            1000,
            1000,
            10_000_000,
            2.0,
            "1,000 of 10,000,000 files scanned, 500 per second, about 5:33:18 left",
        ),
    ],
)
def test_the_text(files: int, new: int, total: int | None, seconds: float, text: str) -> None:
    assert progress_text(files, new, total, seconds) == text
