"""Pins that the keys of a project's files contradict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

PINNED = '[[package]]\nname = "ms-swift"\nversion = "3.4.0"\n'
COMMAND = "swift sft --model Qwen/Qwen3-8B --dataset d.jsonl --train_type full"


def findings(project: Path) -> list[tuple[str, str, str]]:
    result = run("--format", "json", str(project))
    files = json.loads(result.stdout)["files"]
    return [(o["code"], o["severity"], o["message"]) for f in files for o in f["diagnostics"]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "uv.lock").write_text(PINNED)
    (tmp_path / "one.sh").write_text(f"{COMMAND} --padding_free true\n")
    return tmp_path


def test_one_key_is_a_slip(project: Path) -> None:
    assert [row[:2] for row in findings(project)] == [("KEY006", "error")]


def test_two_keys_in_two_files_outweigh_a_lock(project: Path) -> None:
    (project / "two.sh").write_text(f"{COMMAND} --channels a\n")
    [(code, severity, message)] = findings(project)
    assert (code, severity) == ("KEY006", "warning")
    assert "in 2 files exist only in releases after ms-swift 3.4.0 (" in message


@pytest.mark.parametrize(
    ("name", "text"),
    [("uv.lock", f"{PINNED}"), ("requirements.txt", "ms-swift==3.4.0\n")],
)
def test_one_file_or_a_list_of_requirements_does_not(project: Path, name: str, text: str) -> None:
    (project / "uv.lock").unlink()
    (project / name).write_text(text)
    (project / "one.sh").write_text(f"{COMMAND} --padding_free true --channels a\n")
    if name != "uv.lock":
        (project / "two.sh").write_text(f"{COMMAND} --channels a\n")
    assert {row[:2] for row in findings(project)} == {("KEY006", "error")}


def test_what_follows_from_a_stale_pin_is_not_told(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "config.yaml").write_text(
        "model_name_or_path: a/b\ndataset_name: c/d\noutput_dir: out\nlearning_rate: 0.0001\n"
        "reward_funcs: [accuracy]\nnum_generations: 4\nmax_completion_length: 64\n"
        "per_device_train_batch_size: 4\nscale_rewards: batch\ndtype: bfloat16\n"
    )
    (tmp_path / "setup.py").write_text('_deps = ["trl==0.18.0"]\n')
    assert {row[0] for row in findings(tmp_path)} == {"KEY006"}
    # A list of requirements is what is installed.
    (tmp_path / "setup.py").unlink()
    (tmp_path / "requirements.txt").write_text("trl==0.18.0\n")
    assert any(row[0] == "TYP001" for row in findings(tmp_path))
