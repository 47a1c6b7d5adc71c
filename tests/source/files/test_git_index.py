"""What git tracks, read from its index."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from cfglint.source.files.disk import Disk
from cfglint.source.files.git_index import Tracked, entries_in


def git(folder: Path, *words: str) -> str:
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    command = ["git", "-C", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout


NAMES = (
    *(
        "a.yml",
        "ab.yml",
        "abcdefg.yml",
        "dir/a.yml",
        "dir/b.yml",
        "dir/deep/x" + "y" * 150 + ".yml",
    ),
    "z é.yml",
)


@pytest.fixture
def work_tree(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    for name in NAMES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_the_paths_are_git_s(work_tree: Path, version: str) -> None:
    git(work_tree, "add", "-A")
    if version == "3":
        (work_tree / "new.yml").write_text("", encoding="utf-8")
        git(work_tree, "add", "-N", "new.yml")
    git(work_tree, "update-index", f"--index-version={version}")
    found = entries_in((work_tree / ".git" / "index").read_bytes())
    assert list(found) == git(work_tree, "ls-files", "-z").split("\0")[:-1]


def test_folders_and_files(work_tree: Path) -> None:
    git(work_tree, "add", "dir/deep", "a.yml")
    tracked = Tracked(str(work_tree), Disk())
    assert tracked.has(str(work_tree / "a.yml"))
    assert not tracked.has(str(work_tree / "ab.yml"))
    assert tracked.has_below(str(work_tree / "dir"))
    assert tracked.has_below(str(work_tree / "dir" / "deep"))
    assert not tracked.has_below(str(work_tree / "di"))
    assert not tracked.has(str(work_tree.parent / "a.yml"))
    assert not Tracked(None, Disk()).has("a.yml")
    assert not Tracked(str(work_tree / "dir"), Disk()).has(str(work_tree / "dir" / "a.yml"))


def test_a_file_that_was_written_since(work_tree: Path) -> None:
    git(work_tree, "add", "a.yml")
    path = work_tree / "a.yml"

    def is_unchanged(name: str) -> bool:
        return Tracked(str(work_tree), Disk()).is_unchanged(str(work_tree / name))

    assert is_unchanged("a.yml")
    assert not is_unchanged("ab.yml")
    path.write_text(path.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    assert not is_unchanged("a.yml")
    git(work_tree, "add", "a.yml")
    assert is_unchanged("a.yml")
    path.unlink()
    assert not is_unchanged("a.yml")


def test_what_is_not_an_index_has_no_paths(work_tree: Path) -> None:
    git(work_tree, "add", "-A")
    data = (work_tree / ".git" / "index").read_bytes()
    assert entries_in(b"") == entries_in(b"DIRC") == entries_in(data[:8]) == {}
    assert entries_in(b"DIRX" + data[4:]) == {}
    for end in range(12, len(data), 7):
        entries_in(data[:end])
    assert entries_in(data[:8] + b"\xff" * 4 + data[12:]) == {}


def test_the_index_is_read_once_for_all_that_ask(
    work_tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(work_tree, "add", "-A")
    disk, real = Disk(), Disk.read
    read: list[str] = []

    def noted(files: Disk, path: str, limit: int, **options: bool) -> bytes:
        read.append(path)
        return real(files, path, limit, **options)

    monkeypatch.setattr(Disk, "read", noted)
    for _ in range(2):
        assert Tracked(str(work_tree), disk).has(str(work_tree / "a.yml"))
    assert len(read) == 1
    # After a commit it is another one.
    (work_tree / "later.yml").write_text("", encoding="utf-8")
    git(work_tree, "add", "-A")
    assert Tracked(str(work_tree), disk).has(str(work_tree / "later.yml"))
    assert len(read) == 2
