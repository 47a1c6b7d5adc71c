"""A text that is not saved, where links lead to its file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cfglint.source.files.base import FolderEntry
from cfglint.source.files.disk import Disk
from cfglint.source.files.overlay import Overlay


@pytest.mark.skipif(os.name != "posix", reason="no links")
def test_links_lead_to_the_text(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "x").write_text("old")
    (tmp_path / "folder").symlink_to("real")
    (tmp_path / "link").symlink_to("real/x")
    for named in ("real/x", "folder/x", "link"):
        files = Overlay({str(tmp_path / named): b"unsaved"}, Disk())
        for asked in ("real/x", "folder/x", "link"):
            assert files.read(str(tmp_path / asked), 100) == b"unsaved"
            state = files.state(str(tmp_path / asked))
            assert state is not None
            assert state.size == 7
        assert FolderEntry("link", "link") in files.entries(str(tmp_path))
        assert files.names(str(tmp_path / "folder")) == ["x"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_a_pipe_below_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    files = Overlay({}, Disk())
    with pytest.raises(OSError, match="not a regular file"):
        files.read(str(tmp_path / "pipe"), 10)


def test_the_newest_overlay_counts(tmp_path: Path) -> None:
    path = str(tmp_path / "x")
    first = Overlay({path: b"first"}, Disk())
    second = Overlay({path: b"second"}, first)
    assert (first.read(path, 10), second.read(path, 10)) == (b"first", b"second")
    assert not (tmp_path / "x").exists()


def test_no_path(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="not a valid path"):
        Overlay({"a\0b": b""}, Disk())
    with pytest.raises(ValueError, match="is both a file and a folder"):
        Overlay({str(tmp_path / "a"): b"", str(tmp_path / "a" / "b"): b""}, Disk())
