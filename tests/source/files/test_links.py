"""Links that lead out of a repository are not followed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cfglint.source.files.disk import Disk
from cfglint.source.files.links import leads_out, read_inside

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs links")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    (folder / ".git").mkdir(parents=True)
    (folder / "configs").mkdir()
    (folder / "train.yml").write_text("seed: 1\n")
    (tmp_path / "secret.txt").write_text("password\n")
    return folder


def test_out_of_the_repository(checkout: Path) -> None:
    links = {
        "absolute.yml": str(checkout.parent / "secret.txt"),
        "relative.yml": "../secret.txt",
        "missing.yml": "../not-there.txt",
        "process.yml": "/proc/self/environ",
        "configs/deep.yml": "../../secret.txt",
    }
    for name, target in links.items():
        (checkout / name).symlink_to(target)
        assert leads_out(str(checkout / name), Disk()), name
        with pytest.raises(OSError, match="out of the repository"):
            read_inside(str(checkout / name), 100, Disk())


def test_by_way_of_a_folder(checkout: Path) -> None:
    (checkout / "elsewhere").symlink_to(checkout.parent)
    assert leads_out(str(checkout / "elsewhere" / "secret.txt"), Disk())


def test_inside_of_the_repository(checkout: Path) -> None:
    (checkout / "configs/same.yml").symlink_to("../train.yml")
    assert not leads_out(str(checkout / "configs/same.yml"), Disk())
    assert read_inside(str(checkout / "configs/same.yml"), 100, Disk()) == b"seed: 1\n"
    assert not leads_out(str(checkout / "train.yml"), Disk())


def test_the_repository_itself_may_be_a_link(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "short").symlink_to(checkout)
    assert not leads_out(str(tmp_path / "short" / "train.yml"), Disk())


def test_outside_a_repository_there_is_no_border(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("x: 1\n")
    (tmp_path / "a").mkdir()
    (tmp_path / "a/link.yml").symlink_to("../secret.txt")
    assert not leads_out(str(tmp_path / "a/link.yml"), Disk())


def test_standard_output_by_its_path(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    assert not leads_out("/dev/stdout", Disk())
