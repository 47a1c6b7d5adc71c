"""`cfglint migrate` of a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.files import CLEAN
from tests.cli.running import run

SFT = "model_name_or_path: a/b\ndataset_name: c\noutput_dir: out\nlearning_rate: 1.0e-5\n"
TO = ("--to", "trl==1.16.0")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        ".git/HEAD": "",
        "configs/old.yaml": f"{SFT}max_seq_length: 1024\n",
        "configs/new.yaml": f"{SFT}max_length: 1024\n",
        "configs/axolotl.yml": CLEAN,
        "configs/other.yaml": "services: {}\n",
        "empty/README.md": "",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.mark.parametrize("folder", [".", "configs", "configs/"])
def test_the_files_of_the_package_are_migrated(folder: str, here: Path) -> None:
    result = run("migrate", folder, *TO)
    lines = result.out.splitlines()
    assert [line.partition(": ")[0] for line in lines[:-1]] == [
        "configs/new.yaml",
        "configs/old.yaml",
    ]
    assert lines[1].endswith("to 1.16.0, 1 step")
    assert run("migrate", folder, *TO, "--write").code == 0
    assert "max_length: 1024" in (here / "configs/old.yaml").read_text()


def test_a_file_that_is_named_as_well_counts_once() -> None:
    out = run("migrate", "configs", "configs/old.yaml", *TO).out
    assert out.count("configs/old.yaml") == 1


def test_without_a_package_all_files_count() -> None:
    assert "configs/axolotl.yml" in run("migrate", ".").out
    result = run("migrate", ".", "--to", "1.16.0")
    assert (result.code, "give --to as PACKAGE==VERSION" in result.err) == (2, True)


def test_a_folder_without_such_files() -> None:
    result = run("migrate", "empty", *TO)
    assert (result.code, "reads no file that is for trl==1.16.0" in result.err) == (2, True)


def test_a_file_of_a_folder_that_cannot_be_migrated_does_not_keep_the_others(here: Path) -> None:
    (here / "train.py").write_text("from trl import SFTConfig\nSFTConfig(output_dir='o'\n")
    result = run("migrate", ".", *TO)
    assert "configs/old.yaml" in result.out
    assert result.code == 0
