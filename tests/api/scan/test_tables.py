"""Tables are read in stretches, and all of them together are the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs the extra [scan]")

import pyarrow as pa
import pyarrow.parquet as pq

from cfglint.api.scan import tables
from cfglint.api.scan.model import BATCH, SHARD, Column, ScanError
from tests.api.scan.tables_of_files import FORMS, write

COLUMNS = Column()


def rows_of(path: Path, columns: Column = COLUMNS) -> list[tuple[int, Any]]:
    """All that the shards of a table give."""
    found = []
    for shard in tables.plan_table(str(path), columns):
        count = 0
        for first, batch in tables.batches(shard):
            assert batch.num_rows <= BATCH
            found += list(enumerate(batch.to_pylist(), first))
            count += batch.num_rows
        assert count == shard.rows
    return found


def numbered(count: int) -> list[tuple[str | None, bytes | None]]:
    return [(f"{number}.yml", b"seed: %d\n" % number) for number in range(count)]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", [1, 7, 300, 10 * SHARD])
def test_shards_are_the_whole_table(tmp_path: Path, form: str, size: int) -> None:
    count = 2 * SHARD + 77 if size > 1 else 130
    path = write(tmp_path / f"t.{form}", numbered(count), size)
    found = rows_of(path)
    assert [row for row, _ in found] == list(range(count))
    for row, item in found:
        if form == "jsonl":
            assert item["line"].startswith(b'{"path": "%d.yml"' % row)
        else:
            assert (item["path"], item["content"]) == (b"%d.yml" % row, b"seed: %d\n" % row)
            assert item["lacks"] == ""


@pytest.mark.parametrize("form", FORMS)
def test_an_empty_table_has_no_shards(tmp_path: Path, form: str) -> None:
    path = write(tmp_path / f"t.{form}", [])
    if form == "jsonl":
        path.write_bytes(b"")
    assert list(tables.plan_table(str(path), Column())) == []


def test_small_row_groups_are_one_shard_and_large_ones_are_several() -> None:
    stretches = [tables.Stretch(number, rows) for number, rows in enumerate((500, 1_500, 4_100, 9))]
    assert list(tables._slices(stretches)) == [
        (0, 0, 2_000),
        (2, 0, 2_000),
        (2, 2_000, 2_000),
        (2, 4_000, 100),
        (3, 0, 9),
    ]
    huge = list(tables._slices([tables.Stretch(0, 1_000_000)]))
    assert len(huge) == 32
    assert sum(rows for _, _, rows in huge) == 1_000_000


@pytest.mark.parametrize(
    "type_",
    [
        pa.string(),
        pa.large_string(),
        pa.binary(),
        pa.large_binary(),
        pa.dictionary(pa.int32(), pa.string()),
    ],
)
def test_text_may_be_of_any_type_that_is_text(tmp_path: Path, type_: Any) -> None:
    made = pa.table({"path": pa.array(["a.yml"]), "content": pa.array(["seed: 1\n"]).cast(type_)})
    pq.write_table(made, tmp_path / "t.parquet")
    assert rows_of(tmp_path / "t.parquet")[0][1]["content"] == b"seed: 1\n"


def test_what_is_no_config_is_not_handed_on(tmp_path: Path) -> None:
    path = write(tmp_path / "t.parquet", [("a.yml", b"a" * (1 << 20)), ("b.yml", b"a" * 1048577)])
    (_, fits), (_, giant) = rows_of(path)
    assert len(fits["content"]) == 1 << 20
    assert (giant["content"], giant["lacks"]) == (None, "larger than 1048576 bytes")


def test_columns_may_have_other_names(tmp_path: Path) -> None:
    pq.write_table(pa.table({"file": ["a.yml"], "text": ["seed: 1"]}), tmp_path / "t.parquet")
    [(_, row)] = rows_of(tmp_path / "t.parquet", Column("file", "text"))
    assert row["content"] == b"seed: 1"
    with pytest.raises(ScanError, match=r"no column `path` \(--path-column .* are file, text"):
        rows_of(tmp_path / "t.parquet")


def test_columns_must_be_text_and_one(tmp_path: Path) -> None:
    pq.write_table(pa.table({"path": ["a"], "content": [1]}), tmp_path / "t.parquet")
    with pytest.raises(
        ScanError, match="column `content` is int64, but a string or binary column is expected"
    ):
        rows_of(tmp_path / "t.parquet")
    twice = pa.Table.from_arrays([pa.array(["a"])] * 3, names=["path", "content", "content"])
    pq.write_table(twice, tmp_path / "t.parquet")
    with pytest.raises(ScanError, match="2 columns `content`"):
        rows_of(tmp_path / "t.parquet")


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"base_model: a/b\n", "not a table: neither Parquet nor Arrow IPC nor JSON Lines"),
        (b"PAR1 and no more", "cannot be read"),
        (b"ARROW1\0\0 and no more", "cannot be read"),
        (b"\xff\xff\xff\xff\x10\0\0\0 and no more", "cannot be read"),
    ],
)
def test_a_file_that_is_not_a_table_is_an_error(tmp_path: Path, data: bytes, error: str) -> None:
    (tmp_path / "t").write_bytes(data)
    with pytest.raises(ScanError, match=error):
        rows_of(tmp_path / "t")


def test_a_table_that_changes_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "t.parquet", numbered(3))
    [shard] = tables.plan_table(str(path), Column())
    write(path, numbered(4))
    with pytest.raises(ScanError, match="changed during the scan"):
        list(tables.batches(shard))


def test_a_line_that_is_too_long_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_MAX_LINE", 20)
    monkeypatch.setattr(tables, "_HEAD", 0)
    lines = [b'{"a": 1}', b"x" * 19, b"y" * 20, b"z" * 67, b'{"b": 2}']
    (tmp_path / "t.jsonl").write_bytes(b"\n".join(lines))
    found = [row["line"] for _, row in rows_of(tmp_path / "t.jsonl")]
    assert found == [b'{"a": 1}\n', b"x" * 19 + b"\n", None, None, b'{"b": 2}']


def test_lines_without_a_column(tmp_path: Path) -> None:
    table = tmp_path / "t.jsonl"
    table.write_text('{"path": "a.yml"}\n{"path": "b.yml", "content": "a: 1"}\n', "utf-8")
    assert len(list(tables.plan_table(str(table), Column()))) == 1
    for columns, missing in ((Column("p", "content"), "p"), (Column("path", "text"), "text")):
        with pytest.raises(
            ScanError, match=rf"no column `{missing}` .* the columns are path, content"
        ):
            list(tables.plan_table(str(table), columns))
    # What cannot be read is told line by line.
    table.write_text("{no\n[1]\n", "utf-8")
    assert len(list(tables.plan_table(str(table), Column("p", "q")))) == 1
