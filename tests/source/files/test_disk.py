"""What only the disk has: links, pipes, permissions, files that change."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from cfglint.source.files.base import FolderEntry
from cfglint.source.files.disk import Disk

DISK = Disk()
posix = pytest.mark.skipif(os.name != "posix", reason="no links, no pipes")


def test_a_file_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "large"
    data = os.urandom(200_000)
    path.write_bytes(data)
    assert DISK.read(str(path), 1_000_000) == data
    assert DISK.read(str(path), 199_999) == data[:-1]
    assert DISK.read(str(path), 200_001) == data


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no files without a size")
def test_a_file_that_states_no_size_is_read() -> None:
    assert DISK.read("/proc/self/status", 1_000_000).count(b"\n") > 10


@posix
def test_links(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "x").write_text("text")
    (tmp_path / "folder").symlink_to("real")
    (tmp_path / "dangling").symlink_to("none")
    (tmp_path / "loop").symlink_to("loop")
    for name in ("folder", "dangling", "loop"):
        assert DISK.has(str(tmp_path / name))
        assert FolderEntry(name, "link") in DISK.entries(str(tmp_path))
    assert DISK.is_folder(str(tmp_path / "folder"))
    assert DISK.read(str(tmp_path / "folder" / "x"), 10) == b"text"
    assert DISK.real(str(tmp_path / "folder" / "x")) == str(tmp_path.resolve() / "real" / "x")
    for name, number in (("dangling", errno.ENOENT), ("loop", errno.ELOOP)):
        assert DISK.state(str(tmp_path / name)) is None
        with pytest.raises(OSError, match=r".") as caught:
            DISK.read(str(tmp_path / name), 10)
        assert caught.value.errno == number
        assert os.path.isabs(DISK.real(str(tmp_path / name)))


@posix
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    with pytest.raises(OSError, match="not a regular file"):
        DISK.read(path, 10)
    state = DISK.state(path)
    assert state is not None
    assert state.kind == "other"
    assert DISK.entries(str(tmp_path)) == [FolderEntry("pipe", "other")]
    with pytest.raises(OSError, match="not a regular file"):
        DISK.read(os.devnull, 10)


@posix
def test_a_pipe_that_the_user_named_is_read() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"one")
    os.write(writing, b" two")
    os.close(writing)
    try:
        assert DISK.read(f"/dev/fd/{reading}", 100, pipes=True) == b"one two"
    finally:
        os.close(reading)


@posix
def test_nothing_stays_open(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("text")
    os.mkfifo(tmp_path / "pipe")

    def lowest() -> int:
        descriptor = os.open(os.devnull, os.O_RDONLY)
        os.close(descriptor)
        return descriptor

    before = lowest()
    DISK.read(str(tmp_path / "x"), 10)
    for name in ("pipe", ""):
        with pytest.raises(OSError, match=r"regular|directory"):
            DISK.read(str(tmp_path / name), 10)
    assert lowest() == before


@posix
def test_a_folder_for_everybody(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    state = DISK.state(str(tmp_path))
    assert state is not None
    assert state.is_shared
    tmp_path.chmod(0o700)


def test_a_change_shows(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("text")
    os.utime(path, ns=(1, 1))
    before = DISK.state(str(path))
    os.utime(path, ns=(1, 2))
    after = DISK.state(str(path))
    assert before is not None
    assert after is not None
    assert before.changed != after.changed
