"""What the `.gitignore` files of a project exclude."""

from __future__ import annotations

import os

from cfglint.source.files.ignores import (
    ignores_above,
    is_ignored,
    is_inside_ignored,
    is_kept_out_of_git,
    read_ignores,
)
from cfglint.source.files.memory import InMemory
from tests.draws import each

FILES = InMemory(
    {
        ".gitignore": b"*.yaml\n",
        "p/.git/HEAD": b"",
        "p/.gitignore": b"\xef\xbb\xbfout\r\n*.log\n/top.txt\n",
        "p/a/x.txt": b"",
        "p/a/.gitignore": b"!keep.log\n*.tmp\n",
        "p/a/b/x.txt": b"",
        "q/x.txt": b"",
    }
)


def at(path: str) -> str:
    return os.path.abspath(path)


@each(
    ("path", "excluded"),
    [
        ("p/x.log", True),
        ("p/x.txt", False),
        ("p/top.txt", True),
        ("p/a/top.txt", False),
        ("p/a/x.log", True),
        # The nearest file that names a path decides.
        ("p/a/keep.log", False),
        ("p/a/b/keep.log", False),
        ("p/keep.log", True),
        ("p/a/b/x.tmp", True),
        ("p/x.tmp", False),
        # All that is in an excluded folder is excluded.
        ("p/out/x.txt", True),
        ("p/a/out/deep/x.txt", True),
        ("p/outer/x.txt", False),
        # Those above the repository do not count, nor those of no repository.
        ("p/x.yaml", False),
        ("q/x.yaml", False),
    ],
)
def test_a_path(path: str, excluded: bool) -> None:
    assert is_kept_out_of_git(path, FILES) is excluded


def test_the_files_that_count_for_a_folder() -> None:
    assert [base for base, _ in ignores_above("p/a/b", FILES)] == [at("p"), at("p/a")]
    assert [base for base, _ in ignores_above("p/a", FILES)] == [at("p")]
    assert ignores_above("p", FILES) == ()
    assert ignores_above("q", FILES) == ()


@each(
    ("folder", "excluded"),
    [("p/out", True), ("p/out/a/b", True), ("p/a", False), ("p/a/b", False)],
)
def test_a_folder(folder: str, excluded: bool) -> None:
    assert is_inside_ignored(folder, ignores_above("p/a/b", FILES)) is excluded


def test_a_folder_is_told_from_a_file() -> None:
    files = InMemory({"p/.git/HEAD": b"", "p/.gitignore": b"data/\n"})
    own = read_ignores("p", files)
    assert own is not None
    assert is_ignored(at("p/data") + "/", ((at("p"), own),))
    assert not is_ignored(at("p/data"), ((at("p"), own),))
    assert is_kept_out_of_git("p/data/x.txt", files)


@each(
    ("data", "readable"),
    [(b"a\n", True), (b"", True), (b"#" * 1_000_000, True), (b"#" * 1_000_001, False)],
)
def test_a_file_that_is_too_large_is_left_alone(data: bytes, readable: bool) -> None:
    files = InMemory({"p/.git/HEAD": b"", "p/.gitignore": data})
    assert (read_ignores("p", files) is not None) is readable
    assert read_ignores("q", files) is None
