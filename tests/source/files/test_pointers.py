"""What lies in the place of a file that Git LFS has not downloaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.source.files.disk import Disk
from cfglint.source.files.nearby import read
from cfglint.source.files.pointers import is_pointer
from tests.cli.running import run

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:ab12\nsize 13692\n"


def test_a_pointer_is_short_and_begins_with_its_version() -> None:
    assert is_pointer(POINTER)
    assert not is_pointer(b"# " + POINTER)
    assert not is_pointer(POINTER + b"x" * 1_000)


def test_a_config_that_is_a_pointer_is_not_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dataset_info.json").write_bytes(POINTER)
    result = run("dataset_info.json")
    assert result.code == 0
    assert "git lfs pull" in result.out + result.err
    assert "JSN001" not in result.out


def test_a_pointer_beside_a_config_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "data.json").write_bytes(POINTER)
    contents = read(str(tmp_path / "data.json"), 10_000, Disk())
    assert contents is not None
    assert contents.source.text == ""
    assert "Git LFS" in (contents.problem or "")
