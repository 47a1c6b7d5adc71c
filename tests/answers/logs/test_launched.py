"""What torchrun's table says of the process that failed first."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.answers.logs.launched import FirstFailed, LaunchTables
from cfglint.answers.logs.lines import LogLine

TITLE = "Root Cause (first observed failure):"


def rows(rank: int, code: int, host: str = "a", time: str = "2026-01-02_03:04:05") -> list[str]:
    return [
        "[0]:",
        f"  time      : {time}",
        f"  host      : {host}",
        f"  rank      : {rank} (local_rank: {rank % 8})",
        f"  exitcode  : {code} (pid: 811)",
        "  error_file: <N/A>",
        "  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html",
    ]


def first(texts: Iterable[str]) -> FirstFailed | None:
    tables = LaunchTables()
    lines = [LogLine(number, "", text) for number, text in enumerate(texts, 1)]
    assert list(tables.passing(lines)) == lines
    return tables.first


def test_the_part_with_the_cause_counts() -> None:
    found = first(["train.py FAILED", "Failures:", *rows(2, -15), "---", TITLE, *rows(9, 1, "b")])
    assert found == FirstFailed(9, 1, "b", 1, 11, "2026-01-02_03:04:05")


def test_of_several_machines_the_first_counts() -> None:
    late = [TITLE, *rows(1, -6, time="2026-01-02_03:04:09")]
    found = first([*late, TITLE, *rows(8, -9), *late])
    assert found is not None
    assert (found.rank, found.exit_code) == (8, -9)


def test_what_is_printed_before_each_line_does_not_matter() -> None:
    found = first(f"704.7s\t1468\t{text}" for text in (TITLE, *rows(0, 1)))
    assert found is not None
    assert found.rank == 0


def test_a_table_that_ends_early_or_is_none() -> None:
    assert first([]) is None
    assert first([TITLE]) is None
    assert first([TITLE, *rows(0, 1)[:4]]) is None
    assert first([TITLE, *["x"] * 20, *rows(0, 1)]) is None
    assert first([TITLE, "rank : x", "exitcode : y"]) is None
