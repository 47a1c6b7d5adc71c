"""Tables in object stores, with the file system of pyarrow that is on the disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs the extra [scan]")

from pyarrow import fs

from cfglint.api.scan import stores
from tests.api.scan.tables_of_files import FORMS, MIXED, read, write
from tests.cli.running import run


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def uri(path: str) -> str:
    return Path(path).absolute().as_uri()


@pytest.mark.parametrize("form", FORMS)
def test_a_table_of_a_store_has_the_findings_of_a_file(form: str) -> None:
    write(Path(f"t.{form}"), MIXED, 3)
    done = run("scan", uri(f"t.{form}"), "--out", "store.parquet")
    assert (done.code, done.err) == (0, "")
    assert run("scan", f"t.{form}", "--out", "file.parquet").code == 0
    for suffix in ("parquet", "files.parquet"):
        of_store, of_file = read(Path(f"store.{suffix}")), read(Path(f"file.{suffix}"))
        assert {row["source"] for row in of_store} == {uri(f"t.{form}")}
        for row in (*of_store, *of_file):
            del row["source"]
            row.pop("seconds", None)
        assert of_store == of_file
        assert of_store


def test_a_folder_of_a_store_is_its_tables() -> None:
    Path("hub/a").mkdir(parents=True)
    write(Path("hub/b.parquet"), MIXED[:2])
    write(Path("hub/a/c.jsonl"), MIXED[:1])
    Path("hub/README.md").write_text("no table", encoding="utf-8")
    done = run("scan", uri("hub"), "--out", "out.parquet", "--format", "json")
    assert (done.code, json.loads(done.out)["files"]) == (0, 3)
    sources = {row["source"] for row in read(Path("out.files.parquet"))}
    assert sources == {uri("hub/b.parquet"), uri("hub/a/c.jsonl")}


def test_the_options_of_an_address_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    store = fs._MockFileSystem()
    store.create_dir("bucket/hub")
    with store.open_output_stream("bucket/hub/t.jsonl") as sink:
        sink.write(b"{}\n")

    class Stores:
        @staticmethod
        def from_uri(address: str) -> tuple[Any, str]:
            assert address.startswith("s3://bucket/hub")
            assert address.endswith("?region=eu")
            return store, address.removeprefix("s3://").partition("?")[0]

    monkeypatch.setattr(fs, "FileSystem", Stores)
    assert stores.tables_at("s3://bucket/hub?region=eu") == ["s3://bucket/hub/t.jsonl?region=eu"]
    assert stores.tables_at("s3://bucket/hub/?region=eu") == ["s3://bucket/hub/t.jsonl?region=eu"]
    assert stores.state("s3://bucket/hub/t.jsonl?region=eu")[0] == 3
    with stores.stream("s3://bucket/hub/t.jsonl?region=eu") as stream:
        assert stream.readline() == b"{}\n"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (lambda: uri("no.parquet"), "no such table or folder"),
        (lambda: uri("empty"), "no table is in this folder"),
        (lambda: "nosuchstore://bucket/t.parquet", "cannot be read"),
    ],
)
def test_what_is_not_there(source: Any, message: str) -> None:
    Path("empty").mkdir()
    done = run("scan", source(), "--out", "out.parquet")
    assert done.code == 2
    assert message in done.err
    assert not list(Path().glob("out*"))


def test_results_are_written_to_a_disk() -> None:
    write(Path("t.parquet"), MIXED[:1])
    done = run("scan", "t.parquet", "--out", "s3://bucket/out.parquet")
    assert done.code == 2
    assert "s3://bucket/out.parquet: results are written to a disk" in done.err


def test_a_table_that_changes_is_noticed() -> None:
    write(Path("t.parquet"), MIXED[:1])
    before = stores.state(uri("t.parquet"))
    write(Path("t.parquet"), MIXED[:4])
    assert stores.state(uri("t.parquet")) != before
    with pytest.raises(FileNotFoundError):
        stores.state(uri("no.parquet"))


def test_what_is_an_address() -> None:
    assert stores.is_uri("s3://bucket/x")
    assert stores.is_uri("gs://bucket/x")
    assert not stores.is_uri("C:\\configs")
    assert not stores.is_uri("hub.parquet")
    assert not stores.is_uri("repository@v1://x")
