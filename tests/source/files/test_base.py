"""Wherever files are, they answer alike: on the disk, in memory, under texts that are not saved."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cfglint.source.files.base import Files, FileStat, FolderEntry, Recent
from cfglint.source.files.disk import Disk
from cfglint.source.files.memory import InMemory
from cfglint.source.files.overlay import Overlay

CONTENTS = {
    "train.yml": b"base_model: a/b\n",
    "empty": b"",
    "data/d.jsonl": b'{"a": 1}\n',
    "data/deep/x.csv": b"a,b\n",
}


def on_disk(folder: Path) -> Files:
    for name, data in CONTENTS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return Disk()


def in_memory(folder: Path) -> Files:
    return InMemory({str(folder / name): data for name, data in CONTENTS.items()})


def over_older_texts(folder: Path) -> Files:
    disk = on_disk(folder)
    (folder / "train.yml").write_bytes(b"base_model: another/one\nmore: 1\n")
    (folder / "data" / "deep" / "x.csv").unlink()
    (folder / "data" / "deep").rmdir()
    names = ("train.yml", "data/deep/x.csv")
    return Overlay({str(folder / name): CONTENTS[name] for name in names}, disk)


def over_nothing(folder: Path) -> Files:
    return Overlay({str(folder / name): data for name, data in CONTENTS.items()}, InMemory({}))


@pytest.fixture(params=[on_disk, in_memory, over_older_texts, over_nothing])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> Files:
    make: Callable[[Path], Files] = request.param
    return make(tmp_path.resolve())


def test_reading(files: Files, tmp_path: Path) -> None:
    path = str(tmp_path / "train.yml")
    assert files.read(path, 1000) == CONTENTS["train.yml"]
    assert files.read(path, 4) == b"base"
    assert files.read(path, 0) == b""
    assert files.read(path, 1000, pipes=True) == CONTENTS["train.yml"]
    assert files.read(str(tmp_path / "empty"), 10) == b""
    assert files.read(str(tmp_path / "data" / "deep" / "x.csv"), 10) == b"a,b\n"


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("none.yml", errno.ENOENT),
        ("none/train.yml", errno.ENOENT),
        ("data", errno.EISDIR),
    ],
)
def test_what_cannot_be_read(files: Files, tmp_path: Path, name: str, number: int) -> None:
    with pytest.raises(OSError, match=r".") as caught:
        files.read(str(tmp_path / name), 10)
    assert caught.value.errno == number
    assert caught.value.strerror == os.strerror(number)


def test_what_a_path_leads_to(files: Files, tmp_path: Path) -> None:
    found = files.state(str(tmp_path / "train.yml"))
    assert found is not None
    assert (found.kind, found.size) == ("file", len(CONTENTS["train.yml"]))
    folder = files.state(str(tmp_path / "data"))
    assert folder is not None
    assert (folder.kind, folder.is_shared) == ("folder", False)
    assert files.state(str(tmp_path / "none")) is None
    rows = {
        name: tuple(
            ask(str(tmp_path / name))
            for ask in (files.has, files.exists, files.is_file, files.is_folder)
        )
        for name in ("empty", "data/deep", "data/none", "train.yml/x")
    }
    assert rows == {
        "empty": (True, True, True, False),
        "data/deep": (True, True, False, True),
        "data/none": (False, False, False, False),
        "train.yml/x": (False, False, False, False),
    }


def test_the_names_in_a_folder(files: Files, tmp_path: Path) -> None:
    assert sorted(files.names(str(tmp_path))) == ["data", "empty", "train.yml"]
    found = sorted(files.entries(str(tmp_path / "data")), key=lambda entry: entry.name)
    assert found == [FolderEntry("d.jsonl", "file"), FolderEntry("deep", "folder")]
    for name, number in (("none", errno.ENOENT), ("empty", errno.ENOTDIR)):
        for ask in (files.names, files.entries):
            with pytest.raises(OSError, match=r".") as caught:
                ask(str(tmp_path / name))
            assert caught.value.errno == number


def test_paths_count_from_the_current_folder(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert files.read("../train.yml", 4) == b"base"
    assert files.is_folder("../data/./deep")
    assert files.real("../train.yml") == str(tmp_path.resolve() / "train.yml")


@pytest.mark.parametrize("name", ["a\0b", "\0", "x" * 5000, "\ud800", "a/" * 3000])
def test_hostile_names(files: Files, tmp_path: Path, name: str) -> None:
    path = f"{tmp_path}/{name}"
    assert files.state(path) is None
    assert not files.has(path)
    assert not files.exists(path)
    assert not files.is_file(path)
    assert not files.is_folder(path)
    for ask in (files.names, files.entries, lambda path: files.read(path, 10)):
        with pytest.raises(OSError, match=r".") as caught:
            ask(path)
        assert caught.value.strerror
    if "\0" in name:
        with pytest.raises(OSError, match="not a valid path"):
            files.real(path)


def test_the_cache_is_small() -> None:
    recent, made = Recent(), []

    def make(number: int) -> int:
        made.append(number)
        return number

    for number in (*range(64), 0, 64):
        assert recent.once(number, lambda number=number: make(number)) == number  # type: ignore[misc]
    assert made == list(range(65))
    # 0 was asked for again, so 1 was the oldest.
    recent.once(0, lambda: make(0))
    assert made == list(range(65))
    recent.once(1, lambda: make(1))
    assert made == [*range(65), 1]


def test_the_status_of_a_world_writable_folder() -> None:
    assert FileStat("folder", 0, 0) == FileStat("folder", 0, 0, is_shared=False)
