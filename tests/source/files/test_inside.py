"""What lies outside of a project is neither opened nor listed."""

from __future__ import annotations

import ntpath
import os
from pathlib import Path

import pytest

from cfglint.source.files.base import FolderEntry
from cfglint.source.files.disk import Disk
from cfglint.source.files.inside import Inside, of_machine, of_project
from cfglint.source.files.memory import InMemory

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs links")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with links, the way to which is a link, too."""
    real, outside = tmp_path / "real", tmp_path / "outside"
    (real / ".git").mkdir(parents=True)
    (real / "configs").mkdir()
    (real / "configs/train.yml").write_text("seed: 1\n")
    (outside / "deep").mkdir(parents=True)
    (outside / "secret.yml").write_text("password\n")
    links = {
        "own.yml": "configs/train.yml",
        "own": "configs",
        "file.yml": str(outside / "secret.yml"),
        "folder": "../outside",
        "chain": "folder",
        "configs/up": "../chain",
    }
    for name, target in links.items():
        (real / name).symlink_to(target)
    (tmp_path / "repo").symlink_to(real)
    (tmp_path / "real-too").mkdir()
    return tmp_path / "repo"


@pytest.mark.parametrize(
    "name",
    [
        *("file.yml", "folder/secret.yml", "chain/secret.yml", "configs/up/secret.yml"),
        *(
            "../outside/secret.yml",
            "configs/../../outside/secret.yml",
            "no/../../outside/secret.yml",
        ),
    ],
)
def test_a_file_outside(checkout: Path, name: str) -> None:
    files = Inside(str(checkout), Disk())
    for path in (str(checkout / name), os.path.abspath(checkout / name)):
        with pytest.raises(OSError, match="outside the project"):
            files.read(path, 10)
        assert files.state(path) is None
        assert not files.exists(path)
        assert not files.is_file(path)


@pytest.mark.parametrize(
    "name", ["folder", "chain", "configs/up", "folder/deep", "..", "../real-too"]
)
def test_a_folder_outside(checkout: Path, name: str) -> None:
    files, path = Inside(str(checkout), Disk()), str(checkout / name)
    for look in (files.names, files.entries):
        with pytest.raises(OSError, match="outside the project"):
            look(path)
    assert not files.is_folder(path)


def test_what_lies_inside(checkout: Path) -> None:
    files = Inside(str(checkout), Disk())
    for name in ("configs/train.yml", "own.yml", "own/train.yml", "folder/../configs/train.yml"):
        assert files.read(str(checkout / name), 7) == b"seed: 1", name
        assert files.is_file(str(checkout / name))
    assert files.names(str(checkout / "own")) == files.names(str(checkout / "configs"))
    assert FolderEntry("train.yml", "file") in files.entries(str(checkout / "own"))
    assert files.is_folder(str(checkout))


def test_the_project_of_a_folder(checkout: Path) -> None:
    files = of_project(str(checkout / "configs"), Disk())
    assert files.is_file(str(checkout / "own.yml"))
    assert not files.is_file(str(checkout / "file.yml"))


def test_no_path(checkout: Path) -> None:
    files = Inside(str(checkout), Disk())
    with pytest.raises(OSError, match="not a valid path"):
        files.read(str(checkout / "a\0b"), 10)
    assert files.state("a\0b") is None


def test_another_drive_is_not_asked(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = Inside(str(checkout), Disk())
    monkeypatch.setattr(os.path, "splitdrive", ntpath.splitdrive)
    monkeypatch.setattr(os.path, "abspath", lambda path: path)
    monkeypatch.setattr(Disk, "real", lambda self, path: pytest.fail(path))
    for path in ("\\\\host\\share\\x.json", "//host/share/x.json", "D:\\x.json"):
        assert not files.exists(path)
        with pytest.raises(OSError, match="outside the project"):
            files.read(path, 1)


def test_the_machine_behind_it(checkout: Path) -> None:
    disk = Disk()
    files = Inside(str(checkout), disk)
    assert of_machine(files) is disk
    assert of_machine(disk) is disk
    assert files.writable
    assert files.recent is disk.recent
    assert not Inside("/a", InMemory({})).writable
