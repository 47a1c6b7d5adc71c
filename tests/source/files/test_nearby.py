"""Where the paths that a config names are searched, and where they are not."""

from __future__ import annotations

import ntpath
import os
import subprocess
from pathlib import Path

import pytest

from cfglint.source.files.disk import Disk
from cfglint.source.files.folders import climb, is_inside
from cfglint.source.files.inside import Inside
from cfglint.source.files.nearby import head, is_in_clone, read, search, text_of, texts_below
from cfglint.source.files.overlay import Overlay

DISK = Disk()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    repo = tmp_path / "repo"
    (repo / ".git").mkdir(parents=True)
    (repo / "configs").mkdir()
    (repo / "ds").mkdir()
    (repo / "ds" / "z3.json").write_text("{}")
    (tmp_path / "secret.json").write_text("{}")
    return repo


def test_a_path_is_taken_from_any_folder_up_to_the_root(repo: Path) -> None:
    found = search("ds/z3.json", str(repo / "configs"), DISK)
    assert found.found == (str(repo / "ds" / "z3.json"),)
    assert found.in_repository
    assert search("./ds/../ds/z3.json", str(repo / "configs"), DISK).found == found.found
    (repo / "configs" / "ds").mkdir()
    (repo / "configs" / "ds" / "z3.json").write_text("{ }")
    assert len(search("ds/z3.json", str(repo / "configs"), DISK).found) == 2


@pytest.mark.parametrize(("working", "meant"), [("", ["ds"]), ("configs", ["configs/ds"])])
def test_the_folder_of_the_run_decides_between_several(
    repo: Path, working: str, meant: list[str]
) -> None:
    (repo / "configs" / "ds").mkdir()
    (repo / "configs" / "ds" / "z3.json").write_text("{ }")
    started = Inside(str(repo), Overlay({}, DISK, working=str(repo / working)))
    for written in ("ds/z3.json", "./ds/z3.json"):
        found = search(written, str(repo / "configs"), started).found
        assert [os.path.relpath(os.path.dirname(one), repo) for one in found] == meant
    # One that is in neither is taken where it is.
    elsewhere = Overlay({}, DISK, working=str(repo.parent))
    assert len(search("ds/z3.json", str(repo / "configs"), elsewhere).found) == 2


def test_what_is_missing(repo: Path) -> None:
    assert search("ds/z4.json", str(repo / "configs"), DISK).missing_in == str(repo / "ds")
    assert search("nowhere/z4.json", str(repo / "configs"), DISK).missing_in is None


def test_nothing_outside_of_the_project_is_looked_at(repo: Path) -> None:
    for written in (
        "../../secret.json",
        "../../../secret.json",
        str(repo.parent / "secret.json"),
        "/etc/passwd",
        "~/x.json",
        "https://example.org/x.json",
        "a\0b",
        "",
        "x" * 5000,
    ):
        found = search(written, str(repo / "configs"), DISK)
        assert (found.found, found.missing_in) == ((), None), written


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links")
@pytest.mark.parametrize(
    "written", ["\\\\host\\share\\x.json", "//host/share/x.json", "\\/host/x", "\\\\.\\pipe\\x"]
)
def test_no_other_machine_is_asked(
    repo: Path, written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows, looking at such a path would send the user's credentials there."""

    def refuse(self: Disk, path: str) -> str:
        raise AssertionError(path)

    for method in ("real", "state", "has"):
        monkeypatch.setattr(Disk, method, refuse)
    assert search(written, str(repo / "configs"), DISK).found == ()


def test_what_is_on_another_drive_is_not_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "splitdrive", ntpath.splitdrive)
    monkeypatch.setattr(Disk, "real", lambda self, path: pytest.fail(path))
    assert not is_inside("\\\\host\\share\\x.json", "C:\\work", DISK)
    assert not is_inside("D:\\x.json", "C:\\work", DISK)


def test_links_out_of_the_project_are_not_followed(repo: Path) -> None:
    (repo / "link.json").symlink_to(repo.parent / "secret.json")
    (repo / "inner.json").symlink_to(repo / "ds" / "z3.json")
    (repo / "loop.json").symlink_to(repo / "loop.json")
    assert search("link.json", str(repo), DISK).found == ()
    assert search("inner.json", str(repo), DISK).found == (str(repo / "inner.json"),)
    assert search("loop.json", str(repo), DISK).found == ()
    # Its name begins as that of the project does.
    (repo.parent / "repo-too.json").write_text("{}")
    (repo / "beside.json").symlink_to("../repo-too.json")
    assert search("beside.json", str(repo), DISK).found == ()


def test_reading_has_limits(repo: Path) -> None:
    path = repo / "x.json"
    path.write_bytes(b"a" * 11)
    large = read(str(path), 10, DISK)
    assert large is not None
    assert large.source.text == ""
    assert "larger" in (large.problem or "")
    path.write_bytes(b"\xff\xfe")
    other = read(str(path), 10, DISK)
    assert other is not None
    assert other.problem == "it is not UTF-8"
    assert text_of(str(path), 10, DISK) is None
    path.write_text("first")
    assert text_of(str(path), 10, DISK) == "first"
    path.write_text("second")
    assert text_of(str(path), 10, DISK) == "second"
    assert text_of(str(path), 3, DISK) is None
    assert read(str(repo), 10, DISK) is None
    assert text_of(str(repo), 10, DISK) is None
    assert read(str(repo / "none"), 10, DISK) is None
    assert head(str(path), 3, DISK) == b"sec"
    assert head(str(repo), 3, DISK) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_a_pipe_is_not_opened(repo: Path) -> None:
    os.mkfifo(repo / "pipe.json")
    assert read(str(repo / "pipe.json"), 10, DISK) is None
    assert head(str(repo / "pipe.json"), 10, DISK) is None


def test_texts_below_folders_are_those_of_the_upper_ones_first(repo: Path) -> None:
    (repo / "copy" / "inner").mkdir(parents=True)
    for path, text in {"a.py": "a", "inner/b.py": "b", "c.txt": "c", "long.py": "l" * 100}.items():
        (repo / "copy" / path).write_text(text)
    roots = [str(repo / "ds" / "z3.json"), str(repo / "missing"), str(repo / "copy")]
    texts = texts_below(roots, ".py", DISK, most=10, max_bytes=50)
    # What is no folder is left out, and so is the text of a file that is too large.
    assert [text for text in texts if text] == ["a", "b"]


@pytest.mark.parametrize("most", [1, 3])
def test_texts_below_folders_are_limited(repo: Path, most: int) -> None:
    for number in range(5):
        (repo / "ds" / f"{number}.py").write_text("x")
    texts = texts_below([str(repo / "ds")], ".py", DISK, most=most, max_bytes=50)
    assert list(texts) == ["x"] * most


def test_without_a_repository_a_folder_that_was_named_is_the_top(tmp_path: Path) -> None:
    deep = tmp_path / "project" / "a" / "b" / "c" / "d"
    deep.mkdir(parents=True)
    top, files = tmp_path / "project", Disk()
    assert climb(str(deep), files)[0] == str(deep.parent.parent)
    files.tops = frozenset({str(top)})
    root, levels = climb(str(deep), files)
    assert (root, len(levels)) == (str(top), 5)
    assert climb(str(top / "a"), files)[0] == str(top)
    assert climb(str(deep), Inside(str(top), files))[0] == str(top)
    assert climb(str(deep), Overlay({}, files))[0] == str(top)
    (deep.parent / ".git").mkdir()
    assert climb(str(deep), files)[0] == str(deep.parent)


def test_what_git_has_is_not_missing(tmp_path: Path) -> None:
    """In a sparse checkout, or one without its large files, it is not here, but in every clone."""
    (tmp_path / "data" / "rows").mkdir(parents=True)
    for name in ("a.jsonl", "b.jsonl", "rows/c.jsonl"):
        (tmp_path / "data" / name).write_text("{}\n")
    for words in (("init", "-q"), ("add", "data")):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    (tmp_path / "data" / "a.jsonl").unlink()
    (tmp_path / "data" / "rows" / "c.jsonl").unlink()
    (tmp_path / "data" / "rows").rmdir()
    for written in ("data/a.jsonl", "./data/rows", "data/rows/c.jsonl"):
        assert search(written, str(tmp_path), DISK).missing_in is None
        assert is_in_clone(str(tmp_path / written), str(tmp_path), DISK)
    assert search("data/z.jsonl", str(tmp_path), DISK).missing_in == str(tmp_path / "data")
    assert is_in_clone(str(tmp_path / "data" / "b.jsonl"), str(tmp_path), DISK)
    assert not is_in_clone(str(tmp_path / "data" / "z.jsonl"), str(tmp_path), DISK)
