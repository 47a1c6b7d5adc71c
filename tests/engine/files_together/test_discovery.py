"""Which files a run is about."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from cfglint.engine.files_together.discovery import FoundFile, discover
from cfglint.source.files.base import FolderEntry
from cfglint.source.files.disk import Disk
from cfglint.source.files.memory import InMemory
from tests.draws import each


def make(folder: Path, *names: str, **ignores: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a: 1\n", encoding="utf-8")
    for name, text in ignores.items():
        base = folder if name == "root" else folder / name
        base.mkdir(parents=True, exist_ok=True)
        (base / ".gitignore").write_text(text, encoding="utf-8")


class Missing(Exception):
    """A path that is not there was named."""


def complain(message: str) -> None:
    raise Missing(message)


def discovered(*paths: str, excluded: str = "") -> list[FoundFile]:
    return list(
        discover(paths, lambda path: bool(excluded) and path.endswith(excluded), complain, Disk())
    )


def found(*paths: Path, excluded: str = "") -> list[str]:
    base = paths[0] if paths[0].is_dir() else paths[0].parent
    files = discovered(*map(str, paths), excluded=excluded)
    return [os.path.relpath(file.path, base).replace(os.sep, "/") for file in files]


def test_suffixes_order_and_skipped_folders(tmp_path: Path) -> None:
    make(
        tmp_path, "b.yml", "a.yaml", "C.YML", "d.json", "e.jsonl", "yml", "sub/x.yml", "sub/deep/y.yaml",
        ".hidden/x.yml", ".hidden.yml", "node_modules/x.yml", "venv/x.yml", "wandb/x.yml",
    )  # fmt: skip
    assert found(tmp_path) == [
        ".hidden.yml",
        "C.YML",
        "a.yaml",
        "b.yml",
        "d.json",
        "sub/x.yml",
        "sub/deep/y.yaml",
    ]


def test_scripts_of_the_shell_and_of_slurm(tmp_path: Path) -> None:
    make(tmp_path, "a.sh", "b.bash", "c.sbatch", "d.slurm", "e.zsh")
    assert found(tmp_path) == ["a.sh", "b.bash", "c.sbatch", "d.slurm"]


def test_named_files_and_folders(tmp_path: Path) -> None:
    make(tmp_path, "a.yml", "b.txt", "sub/c.yml")
    files = discovered(str(tmp_path / "b.txt"), str(tmp_path))
    assert [(os.path.basename(file.path), file.named) for file in files] == [
        ("b.txt", True),
        ("a.yml", False),
        ("c.yml", False),
    ]


def test_each_file_once(tmp_path: Path) -> None:
    make(tmp_path, "a.yml", "sub/b.yml")
    (tmp_path / "link.yml").symlink_to(tmp_path / "a.yml")
    assert found(tmp_path, tmp_path / "sub", tmp_path / "a.yml") == ["a.yml", "sub/b.yml"]


def test_links_and_loops(tmp_path: Path) -> None:
    top, outside = tmp_path / "top", tmp_path / "outside"
    make(top, "a.yml", "sub/b.yml")
    (top / "sub" / "loop").symlink_to(top, target_is_directory=True)
    (top / "self.yml").symlink_to(top / "self.yml")
    (top / "gone.yml").symlink_to(top / "nothing.yml")
    make(outside, "o.yml")
    (top / "sub" / "out").symlink_to(outside, target_is_directory=True)
    assert found(top) == ["a.yml", "sub/b.yml"]
    assert found(top / "sub" / "out") == ["o.yml"]
    with pytest.raises(Missing):
        found(top / "gone.yml")


def test_real_paths_follow_links(tmp_path: Path) -> None:
    make(tmp_path, "real/sub/a.yml", "real/b.yml")
    (tmp_path / "real" / "sub" / "c.yml").symlink_to("../b.yml")
    (tmp_path / "way").symlink_to("real")
    for found in (*discovered(str(tmp_path / "way")), *discovered(str(tmp_path / "way" / "b.yml"))):
        assert found.real == os.path.realpath(found.path)


def test_exclude_spares_named_files(tmp_path: Path) -> None:
    make(tmp_path, "a.yml", "b.yml")
    assert found(tmp_path, excluded="b.yml") == ["a.yml"]
    assert found(tmp_path / "b.yml", excluded="b.yml") == ["b.yml"]


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Missing, match="no such file"):
        found(tmp_path / "x.yml")
    os.mkfifo(tmp_path / "pipe.yml")
    with pytest.raises(Missing, match="neither"):
        found(tmp_path / "pipe.yml")
    assert found(tmp_path) == []


IGNORE_CASES: list[tuple[dict[str, str], list[str]]] = [
    ({"root": "b.yml\n"}, ["a.yml", "keep/a.yml", "sub/a.yml"]),
    ({"root": "/b.yml\n"}, ["a.yml", "keep/a.yml", "keep/b.yml", "sub/a.yml", "sub/b.yml"]),
    ({"root": "*.yml\n!a.yml\n"}, ["a.yml", "keep/a.yml", "sub/a.yml"]),
    ({"root": "sub/\n"}, ["a.yml", "b.yml", "keep/a.yml", "keep/b.yml"]),
    ({"root": "sub\n!sub/a.yml\n"}, ["a.yml", "b.yml", "keep/a.yml", "keep/b.yml"]),
    ({"root": "sub/*\n!sub/a.yml\n"}, ["a.yml", "b.yml", "keep/a.yml", "keep/b.yml", "sub/a.yml"]),
    ({"root": "*.yml\n", "keep": "!*.yml\n"}, ["keep/a.yml", "keep/b.yml"]),
    ({"sub": "a.yml\n"}, ["a.yml", "b.yml", "keep/a.yml", "keep/b.yml", "sub/b.yml"]),
    ({"sub": "/a.yml\n# b.yml\n\n"}, ["a.yml", "b.yml", "keep/a.yml", "keep/b.yml", "sub/b.yml"]),
    ({"root": "**/b.yml\n!keep/b.yml\n"}, ["a.yml", "keep/a.yml", "keep/b.yml", "sub/a.yml"]),
    (
        {"root": "keep/\n!keep/\n"},
        ["a.yml", "b.yml", "keep/a.yml", "keep/b.yml", "sub/a.yml", "sub/b.yml"],
    ),
]


@pytest.mark.parametrize(("ignores", "expected"), IGNORE_CASES, ids=str)
def test_gitignore(tmp_path: Path, ignores: dict[str, str], expected: list[str]) -> None:
    make(
        tmp_path, "a.yml", "b.yml", "sub/a.yml", "sub/b.yml", "keep/a.yml", "keep/b.yml", **ignores
    )
    assert sorted(found(tmp_path)) == expected


@pytest.mark.skipif(shutil.which("git") is None, reason="git is the oracle")
@pytest.mark.parametrize(("ignores", "expected"), IGNORE_CASES, ids=str)
def test_git_agrees(tmp_path: Path, ignores: dict[str, str], expected: list[str]) -> None:
    """The table above is what git itself does."""
    make(
        tmp_path, "a.yml", "b.yml", "sub/a.yml", "sub/b.yml", "keep/a.yml", "keep/b.yml", **ignores
    )
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    listed = subprocess.run(
        ["git", "ls-files", "-o", "--exclude-standard", "*.yml"],
        cwd=tmp_path, check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert sorted(listed.stdout.split()) == expected


def test_gitignore_above_the_folder(tmp_path: Path) -> None:
    make(tmp_path, "sub/a.yml", "sub/b.yml", root="b.yml\n")
    assert found(tmp_path / "sub") == ["a.yml", "b.yml"]
    (tmp_path / ".git").mkdir()
    assert found(tmp_path / "sub") == ["a.yml"]


def test_odd_gitignore_files(tmp_path: Path) -> None:
    make(tmp_path, "a.yml", "sub/b.yml")
    (tmp_path / ".gitignore").write_bytes(b"\xff\xfe\x00\n[\n")
    (tmp_path / "sub" / ".gitignore").mkdir()
    assert found(tmp_path) == ["a.yml", "sub/b.yml"]


class Guarded(InMemory):
    """Files of which some may not be looked at."""

    def __init__(self, contents: Mapping[str, bytes], locked: str, number: int) -> None:
        super().__init__(contents)
        self._locked = os.path.abspath(locked)
        self._number = number

    def _refuse(self, path: str) -> None:
        if (os.path.abspath(path) + os.sep).startswith(self._locked + os.sep):
            raise OSError(self._number, os.strerror(self._number), path)

    def entries(self, folder: str) -> list[FolderEntry]:
        self._refuse(folder)
        return super().entries(folder)

    def read(self, path: str, limit: int, *, pipes: bool = False) -> bytes:
        self._refuse(path)
        return super().read(path, limit, pipes=pipes)


@each(
    ("named", "number", "said"),
    [
        ("runs", errno.EACCES, ["runs/secret: cannot be read: Permission denied"]),
        ("runs/secret", errno.EACCES, ["runs/secret: cannot be read: Permission denied"]),
        ("runs/secret", errno.EIO, ["runs/secret: cannot be read: Input/output error"]),
        # Gone since its name was read.
        ("runs", errno.ENOENT, []),
        ("runs/secret/none.yml", errno.EACCES, ["runs/secret/none.yml: cannot be read: Permission denied"]),
        ("runs/none.yml", errno.EACCES, ["runs/none.yml: no such file or folder"]),
    ],
)  # fmt: skip
def test_a_folder_that_cannot_be_read(named: str, number: int, said: list[str]) -> None:
    files = Guarded({"runs/a.yml": b"", "runs/secret/b.yml": b""}, "runs/secret", number)
    told: list[str] = []
    found = [file.path for file in discover([named], lambda _: False, told.append, files)]
    assert told == said
    assert found == ([os.path.join("runs", "a.yml")] if named == "runs" else [])


def test_no_ignore_file_makes_a_run_take_long(tmp_path: Path) -> None:
    make(tmp_path, "a" * 60 + ".yml", root="*a" * 30 + "*b\n")
    started = time.process_time()
    assert len(found(tmp_path)) == 1
    assert time.process_time() - started < 1


def test_what_is_in_an_ignored_folder_stays_ignored(tmp_path: Path) -> None:
    make(tmp_path, "out/in/a.yml", root="out/\n!*.yml\n")
    (tmp_path / ".git").mkdir()
    assert found(tmp_path / "out" / "in") == found(tmp_path) == []


def test_a_folder_that_a_nearer_file_does_not_ignore(tmp_path: Path) -> None:
    """A pattern that is taken back names nothing in the folder either."""
    make(tmp_path, "sub/out/a.yml", root="out/\n", sub="!out/\n")
    assert found(tmp_path) == ["sub/out/a.yml"]


def test_what_git_tracks_is_searched_whatever_is_ignored(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    make(tmp_path, "a.yml", "b.yml", "out/a.yml", "out/b.yml", "out/deep/a.yml", "left/a.yml")
    (tmp_path / ".gitignore").write_text("*.yml\nout/\nleft/\n", encoding="utf-8")
    assert found(tmp_path) == []
    add = ["git", "-C", str(tmp_path), "add", "-f", "a.yml", "out/a.yml", "out/deep/a.yml"]
    subprocess.run(add, check=True)
    assert found(tmp_path) == ["a.yml", "out/a.yml", "out/deep/a.yml"]
    assert found(tmp_path / "out") == ["a.yml", "deep/a.yml"]
    assert found(tmp_path / "left") == []


def test_what_is_left_out_is_reported_with_its_reason(tmp_path: Path) -> None:
    top, outside = tmp_path / "top", tmp_path / "outside.yml"
    make(
        top, ".git/x", "a.yml", "b.yml", "c.txt", "d.yml", "out/x.yml", ".cache/x.yml",
        "wandb/x.yml", "recipes_old/x.yml", "third_party/x.yml", "e.orig.yml", "a copy.yml",
        root="out\nb.yml\n",
    )  # fmt: skip
    outside.write_text("a: 1\n")
    (top / "link.yml").symlink_to(outside)
    left: dict[str, str] = {}
    found = discover(
        [str(top)], lambda path: path.endswith("d.yml"), complain, Disk(), left.__setitem__
    )
    assert [os.path.basename(file.path) for file in found] == ["a.yml"]
    assert {os.path.relpath(path, top): why for path, why in left.items()} == {
        ".git": "hidden folder",
        ".cache": "hidden folder",
        "b.yml": "ignored by git",
        "out": "ignored by git",
        "d.yml": "excluded by the settings or an option",
        "link.yml": "link out of the repository",
        "wandb": "folder of packages or results",
        "recipes_old": "folder out of use",
        "third_party": "folder of other projects",
        "e.orig.yml": "file that another one replaced",
        "a copy.yml": "copy of a file beside it",
    }


def test_a_folder_out_of_use_that_is_named_is_searched(tmp_path: Path) -> None:
    make(tmp_path, "old/deep/a.yml", "old/archive/b.yml")
    assert found(tmp_path) == []
    assert found(tmp_path / "old") == ["deep/a.yml"]


def test_a_folder_that_is_ignored_as_a_whole(tmp_path: Path) -> None:
    make(tmp_path, ".git/x", "out/x.yml", root="out\n")
    left: list[tuple[str, str]] = []
    folder = str(tmp_path / "out")
    files = discover([folder], lambda _: False, complain, Disk(), lambda *row: left.append(row))
    assert list(files) == []
    assert left == [(os.path.join(folder, ""), "ignored by git")]
