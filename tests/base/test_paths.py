"""Relative paths, also between the drives of Windows."""

from __future__ import annotations

import ntpath
import os
from pathlib import Path

import pytest

from cfglint.base.paths import relative_path


def test_from_a_folder_and_from_the_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert relative_path("a/b.yml") == os.path.join("a", "b.yml")
    assert relative_path("a/b.yml", str(tmp_path / "c")) == os.path.join("..", "a", "b.yml")


def test_a_path_on_another_drive_stays_absolute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "abspath", ntpath.normpath)
    monkeypatch.setattr(os.path, "relpath", ntpath.relpath)
    with pytest.raises(ValueError, match=r"drive|mount"):
        ntpath.relpath("D:\\x\\a.yml", "C:\\work")
    assert relative_path("D:\\x\\a.yml", "C:\\work") == "D:\\x\\a.yml"
