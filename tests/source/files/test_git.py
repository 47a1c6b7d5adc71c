"""The files of a commit are those of a checkout of it."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from cfglint.source.files.disk import Disk
from cfglint.source.files.git import GitTree, commit_of, day_of_last_commit

GIT = shutil.which("git")
pytestmark = [
    pytest.mark.skipif(GIT is None, reason="needs git"),
    pytest.mark.skipif(os.name == "nt", reason="needs links"),
]


def git(folder: Path, *arguments: str) -> str:
    assert GIT is not None
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=m")
    done = subprocess.run(
        [GIT, "-C", str(folder), *identity, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "work"
    (folder / "a/b").mkdir(parents=True)
    (folder / "a/b/deep.yml").write_bytes(b"one\r\n\xff")
    (folder / "a/b/\u00e4 \t.yml").write_bytes(b"two")
    (folder / "empty.json").write_bytes(b"")
    links = {
        "to-file.yml": "a/b/deep.yml",
        "a/to-folder": "b",
        "a/up.yml": "../empty.json",
        "outside.yml": "/etc/hostname",
        "nowhere.yml": "none.yml",
        "loop": "loop",
        "out": "../..",
    }
    for name, target in links.items():
        (folder / name).symlink_to(target)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "all")
    return folder


@pytest.fixture
def tree(work: Path) -> Iterator[GitTree]:
    made = GitTree(str(work), git(work, "rev-parse", "HEAD"), str(work))
    yield made
    made.close()


def names(work: Path) -> list[str]:
    """All paths of a checkout, some of which are not there."""
    found = [str(path) for path in work.rglob("*") if ".git" not in path.parts]
    made = [
        "a/to-folder/deep.yml",
        "a/to-folder",
        "none",
        "empty.json/x",
        "loop/x",
        "a/../a/b",
        ".",
    ]
    return [*found, *(str(work / name) for name in made)]


def answer(ask: object, *arguments: object) -> object:
    try:
        return ask(*arguments)  # type: ignore[operator]
    except OSError as error:
        # That a file is no folder is one way of not being there.
        return errno.ENOENT if error.errno == errno.ENOTDIR else error.errno


def test_it_answers_as_the_disk_does(work: Path, tree: GitTree) -> None:
    disk = Disk()
    for path in names(work):
        if os.path.basename(path) in ("outside.yml", "out"):
            continue  # what lies outside of the repository is not in the commit
        assert answer(tree.read, path, 1_000) == answer(disk.read, path, 1_000), path
        assert tree.has(path) == disk.has(path), path
        assert (tree.is_file(path), tree.is_folder(path)) == (
            disk.is_file(path),
            disk.is_folder(path),
        )
        assert tree.exists(path) == disk.exists(path), path
        ours, theirs = tree.state(path), disk.state(path)
        if theirs is not None and theirs.kind == "file":
            assert ours is not None
            assert ours.size == theirs.size
        if disk.is_folder(path):
            assert sorted(tree.names(path)) == sorted(disk.names(path)), path
            assert sorted(map(tuple, (vars(one).values() for one in tree.entries(path)))) == sorted(
                map(tuple, (vars(one).values() for one in disk.entries(path)))
            )
        if "loop" not in path:
            assert tree.real(path) == disk.real(path), path


def test_nothing_outside_of_the_commit_is_read(work: Path, tree: GitTree) -> None:
    (work / "new.yml").write_text("later")
    (work / "empty.json").write_text("later")
    for path in ("outside.yml", "new.yml", "out/x", "../x"):
        assert not tree.is_file(str(work / path))
        assert isinstance(answer(tree.read, str(work / path), 10), int)
    assert not tree.exists("/etc/hostname")
    assert tree.read(str(work / "empty.json"), 10) == b""
    assert tree.read(str(work / "a/b/deep.yml"), 2) == b"on"


def test_the_environment_leads_to_no_other_repository(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = git(work, "rev-parse", "HEAD")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "none"))
    assert commit_of(str(work), "HEAD") == commit


def test_there_is_no_such_commit(work: Path, tmp_path: Path) -> None:
    assert commit_of(str(work), "none") is None
    assert commit_of(str(work), "--all") is None
    assert commit_of(str(tmp_path), "HEAD") is None
    with pytest.raises(OSError, match="cannot list"):
        GitTree(str(work), "0" * 40, str(work))


def test_of_a_large_object_only_what_is_asked_for_is_kept(work: Path) -> None:
    (work / "large.yml").write_bytes(b"x" * 5_000_000)
    git(work, "add", "-A")
    git(work, "commit", "-qm", "large")
    commit = commit_of(str(work), "HEAD")
    assert commit is not None
    tree = GitTree(str(work), commit, "/r")
    tracemalloc.start()
    try:
        assert tree.read("/r/large.yml", 10) == b"x" * 10
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
        # What was skipped is not taken for the next answer.
        assert tree.read("/r/a/b/deep.yml", 100) == b"one\r\n\xff"
        assert tree.read("/r/empty.json", 100) == b""
    finally:
        tracemalloc.stop()
        tree.close()


def test_the_day_of_the_last_commit(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day in ("2024-02-03", "2023-12-31"):
        for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
            monkeypatch.setenv(name, f"{day}T23:59:59+0000")
        git(work, "commit", "-qm", day, "--allow-empty")
        assert day_of_last_commit(str(work)) == day
    assert day_of_last_commit(str(tmp_path / "nowhere")) is None
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "init", "-q")
    assert day_of_last_commit(str(empty)) is None


def test_no_program_that_the_repository_configures_is_run_for_the_day(work: Path) -> None:
    program = work / "program.sh"
    program.write_text("#!/bin/sh\ntouch ran\n")
    program.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "gpg.program", "core.sshCommand", "diff.external"):
        git(work, "config", key, str(program))
    git(work, "config", "log.showSignature", "true")
    assert day_of_last_commit(str(work)) is not None
    assert not list(work.rglob("ran"))
