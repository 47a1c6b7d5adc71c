"""Writing: the old or the new file, never anything else."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from cfglint.fixes import writing
from cfglint.fixes.writing import remove_stale_temporaries, write_file, write_new

OLD, NEW = b"old: 1\n" * 50, b"new: 2\n" * 40
needs_posix = pytest.mark.skipif(os.name == "nt", reason="POSIX files")


def dead_pid() -> int:
    """The id of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
        return process.pid


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "train.yml"
    file.write_bytes(OLD)
    return file


def only(folder: Path, *names: str) -> bool:
    return {entry.name for entry in folder.iterdir()} == set(names)


def test_replaces(path: Path) -> None:
    path.chmod(0o640)
    assert write_file(path, OLD, NEW).written
    assert path.read_bytes() == NEW
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert only(path.parent, "train.yml")


def test_leaves_a_changed_file_alone(path: Path) -> None:
    result = write_file(path, b"something else", NEW)
    assert not result.written
    assert "changed" in str(result.reason)
    assert path.read_bytes() == OLD


def test_says_why_it_cannot(tmp_path: Path) -> None:
    assert "regular" in str(write_file(tmp_path, OLD, NEW).reason)
    assert "could not be written" in str(write_file(tmp_path / "none.yml", OLD, NEW).reason)


@needs_posix
def test_follows_a_link(path: Path) -> None:
    link = path.parent / "link.yml"
    link.symlink_to(path)
    assert write_file(link, OLD, NEW).written
    assert link.is_symlink()
    assert path.read_bytes() == NEW


@needs_posix
def test_follows_no_link_out_of_a_repository(path: Path) -> None:
    checkout = path.parent / "checkout"
    (checkout / ".git").mkdir(parents=True)
    (checkout / "train.yml").symlink_to(path)
    result = write_file(checkout / "train.yml", OLD, NEW)
    assert "leads out of the repository" in str(result.reason)
    assert path.read_bytes() == OLD
    with pytest.raises(OSError, match="leads out of the repository"):
        write_new(checkout / "train.yml", NEW)
    assert path.read_bytes() == OLD


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="needs extended attributes")
def test_keeps_extended_attributes(path: Path) -> None:
    try:
        os.setxattr(path, "user.note", b"mine")
    except OSError:
        pytest.skip("the file system has none")
    assert write_file(path, OLD, NEW).written
    assert os.getxattr(path, "user.note") == b"mine"


@needs_posix
def test_keeps_hard_links(path: Path) -> None:
    other = path.parent / "other.yml"
    os.link(path, other)
    result = write_file(path, OLD, NEW)
    assert result.written
    assert result.in_place
    assert other.read_bytes() == NEW
    assert other.samefile(path)
    assert only(path.parent, "train.yml", "other.yml")


def test_folder_without_write_access(
    path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path_factory.mktemp("system")
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(temporary))
    allowed = os.access
    monkeypatch.setattr(
        os,
        "access",
        lambda place, mode: Path(place) != path.parent and allowed(place, mode),
    )
    result = write_file(path, OLD, NEW)
    assert result.written
    assert result.in_place
    assert path.read_bytes() == NEW
    assert only(temporary)


def test_an_error_in_place_restores(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.link(path, path.parent / "other.yml")
    overwrite = writing._overwrite

    def fails(target: Path, data: bytes) -> None:
        overwrite(target, data[:10] + OLD[10:] if data == NEW else data)
        if data == NEW:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing, "_overwrite", fails)
    result = write_file(path, OLD, NEW)
    assert "No space left" in str(result.reason)
    assert path.read_bytes() == OLD
    assert only(path.parent, "train.yml", "other.yml")


def test_removes_stale_temporaries(path: Path) -> None:
    gone, alive = dead_pid(), os.getpid()
    stale = path.parent / f".train.yml.cfglint-{gone}-{writing._process_space()}-0123abcd.tmp"
    running = path.parent / f".train.yml.cfglint-{alive}-{writing._process_space()}-0123abcd.tmp"
    foreign = path.parent / ".train.yml.tmp"
    for each in (stale, running, foreign):
        each.write_bytes(b"x")
    assert remove_stale_temporaries(path.parent).removed == (stale,)
    assert only(path.parent, "train.yml", running.name, foreign.name)


def test_files_of_another_machine_are_stale_only_when_they_are_old(path: Path) -> None:
    """Its processes have numbers of their own: ours say nothing about them."""
    backup = path.parent / f".train.yml.cfglint-{dead_pid()}-00000000-0123abcd.bak"
    backup.write_bytes(writing._pack(path.resolve(), OLD, NEW))
    path.write_bytes(NEW[:20] + OLD[20:])
    assert remove_stale_temporaries(path.parent).removed == ()
    assert path.read_bytes() == NEW[:20] + OLD[20:]
    long_ago = backup.stat().st_mtime - 2 * writing._STALE_AFTER
    os.utime(backup, (long_ago, long_ago))
    assert remove_stale_temporaries(path.parent).restored == (path.resolve(),)
    assert path.read_bytes() == OLD


@pytest.mark.parametrize("cut", [0, 1, 100, len(NEW)])
def test_undoes_a_write_that_was_cut_short(path: Path, cut: int) -> None:
    backup = (
        path.parent / f".train.yml.cfglint-{dead_pid()}-{writing._process_space()}-0123abcd.bak"
    )
    backup.write_bytes(writing._pack(path.resolve(), OLD, NEW))
    path.write_bytes(NEW[:cut] + OLD[cut:])
    cleanup = remove_stale_temporaries(path.parent)
    assert path.read_bytes() == OLD
    assert cleanup.restored == ((path.resolve(),) if cut else ())
    assert only(path.parent, "train.yml")


@needs_posix
def test_a_made_up_backup_changes_nothing_behind_a_link(path: Path) -> None:
    """A repository may hold one, for a file of the user's whose contents are well known."""
    checkout = path.parent / "checkout"
    checkout.mkdir()
    link = checkout / "train.yml"
    link.symlink_to(path)
    backup = checkout / f".train.yml.cfglint-{dead_pid()}-{writing._process_space()}-0123abcd.bak"
    backup.write_bytes(writing._pack(link, b"made up\n", OLD + b"more\n"))
    assert remove_stale_temporaries(checkout).kept == (backup,)
    assert path.read_bytes() == OLD


def test_a_whole_write_stays(path: Path) -> None:
    backup = (
        path.parent / f".train.yml.cfglint-{dead_pid()}-{writing._process_space()}-0123abcd.bak"
    )
    backup.write_bytes(writing._pack(path.resolve(), OLD, NEW))
    path.write_bytes(NEW)
    assert remove_stale_temporaries(path.parent).restored == ()
    assert path.read_bytes() == NEW
    assert only(path.parent, "train.yml")


def test_keeps_the_backup_of_a_file_that_someone_changed(path: Path) -> None:
    backup = (
        path.parent / f".train.yml.cfglint-{dead_pid()}-{writing._process_space()}-0123abcd.bak"
    )
    backup.write_bytes(writing._pack(path.resolve(), OLD, NEW))
    path.write_bytes(b"mine: 1\n")
    assert remove_stale_temporaries(path.parent).kept == (backup,)
    assert path.read_bytes() == b"mine: 1\n"


# ---------------------------------------------------------------------------- reports


def test_a_report_replaces_what_was_there(path: Path) -> None:
    path.chmod(0o640)
    number = path.stat().st_ino
    write_new(path, NEW)
    assert path.read_bytes() == NEW
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert path.stat().st_ino != number  # a new file took its place
    assert only(path.parent, "train.yml")


@needs_posix
def test_a_new_report_has_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_new(tmp_path / "out.json", NEW)
    assert (tmp_path / "out.json").stat().st_mode == (tmp_path / "usual").stat().st_mode


@needs_posix
def test_a_link_stays_a_link(path: Path) -> None:
    link = path.with_name("link")
    link.symlink_to(path)
    write_new(link, NEW)
    assert link.is_symlink()
    assert path.read_bytes() == NEW


def test_a_report_that_cannot_be_written_leaves_the_old_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing, "_write_all", full)
    with pytest.raises(OSError, match="No space"):
        write_new(path, NEW)
    assert path.read_bytes() == OLD
    assert only(path.parent, "train.yml")


@needs_posix
def test_a_device_is_written_to() -> None:
    write_new("/dev/null", NEW)
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@needs_posix
def test_a_report_for_a_hard_link_keeps_both_names(path: Path) -> None:
    other = path.with_name("other")
    os.link(path, other)
    write_new(path, NEW)
    assert other.read_bytes() == NEW
