"""A folder of scripts whose configs lie elsewhere: the words of their commands are checked all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run

CONFIG = """\
model_name_or_path: Qwen/Qwen2.5-0.5B
dataset_name: trl-lib/Capybara
learning_rate: 2.0e-5
output_dir: out
"""
TARGET = ("--target", "trl==1.16.0", "--format", "agent")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        ".git/HEAD": "",
        "configs/x.yaml": CONFIG,
        "scripts/job.sh": "trl sft --config configs/x.yaml --learning_rte 1e-5\n",
        "scripts/fine.sh": "trl sft --config configs/x.yaml --learning_rate 1e-5\n",
        "scripts/other.sh": "echo done\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.mark.parametrize("paths", [["scripts"], ["."], ["scripts", "configs"]])
def test_the_words_are_checked_once_whatever_is_named(paths: list[str]) -> None:
    result = run(*paths, *TARGET)
    assert result.code == 1
    assert result.out.count("KEY001") == 1
    assert result.out.startswith("scripts/job.sh:1: KEY001 error")


@pytest.mark.parametrize("path", ["runs", "runs/today/job.sh"])
def test_scripts_of_any_folder_count(path: str, here: Path) -> None:
    """A check of the config looks for scripts in the usual folders alone."""
    script = here / "runs/today/job.sh"
    script.parent.mkdir(parents=True)
    script.write_text("trl sft --config configs/x.yaml --learning_rte 1e-5\n")
    result = run(path, *TARGET)
    assert result.out.startswith("runs/today/job.sh:1: KEY001 error")
    assert result.code == 1


def test_nothing_is_found_in_scripts_without_slips(here: Path) -> None:
    (here / "scripts/job.sh").unlink()
    assert run("scripts", *TARGET).code == 0


def test_words_for_a_config_that_is_left_out_are_not_checked() -> None:
    assert run("scripts", "--exclude", "configs", *TARGET).code == 0


def test_a_list_of_files_says_what_becomes_of_such_a_script() -> None:
    out = run("scripts", "--show-files").out
    assert "scripts/job.sh: left out: no settings of its own; the options" in out
