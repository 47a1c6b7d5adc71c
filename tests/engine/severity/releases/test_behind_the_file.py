"""Files that use something newer than a release which is stated elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

COMMAND = (
    "swift sft --model Qwen/Qwen3-8B --dataset d.jsonl --train_type full --padding_free true\n"
)
PINNED = "ms-swift==3.4.0\n"
IMAGE = "FROM python:3.11\nRUN pip install ms-swift==3.4.0\n"


def severities(project: Path) -> list[str]:
    result = run("--format", "json", str(project))
    files = json.loads(result.stdout)["files"]
    found = [one for file in files for one in file["diagnostics"]]
    assert {one["code"] for one in found} <= {"KEY006"}
    return [one["severity"] for one in found]


@pytest.mark.parametrize(
    ("pins", "text", "script", "expected"),
    [
        ("requirements.txt", PINNED, "run.sh", ["error"]),
        ("jobs/requirements.txt", PINNED, "jobs/run.sh", ["error"]),
        ("requirements.txt", PINNED, "jobs/run.sh", ["warning"]),
        ("Dockerfile", IMAGE, "jobs/run.sh", ["warning"]),
        # A page is rarely changed with what is run.
        ("README.md", f"    pip install {PINNED}", "run.sh", ["warning"]),
        # An image of another kind, and one of another folder.
        ("Dockerfile_spark", IMAGE, "jobs/run.sh", []),
        ("docker/Dockerfile", IMAGE, "jobs/run.sh", []),
    ],
)
def test_the_nearer_the_statement_the_more_it_counts(
    tmp_path: Path, pins: str, text: str, script: str, expected: list[str]
) -> None:
    (tmp_path / ".git").mkdir()
    for name, content in ((pins, text), (script, COMMAND)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    assert severities(tmp_path) == expected


def test_a_switch_that_is_off_asks_for_nothing(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("accelerate==0.23.0\n")
    config = "distributed_type: FSDP\nnum_processes: 2\nmixed_precision: bf16\nfsdp_config:\n  fsdp_cpu_ram_efficient_loading: "
    (tmp_path / "fsdp.yaml").write_text(config + "true\n")
    assert severities(tmp_path) == ["error"]
    (tmp_path / "fsdp.yaml").write_text(config + "false\n")
    assert severities(tmp_path) == []


def test_a_release_of_an_option_is_meant(tmp_path: Path) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "run.sh").write_text(COMMAND)
    result = run("--target", "ms-swift==3.4.0", "--format", "json", str(tmp_path))
    [file] = json.loads(result.stdout)["files"]
    assert [one["severity"] for one in file["diagnostics"]] == ["error"]


def test_a_file_counts_as_itself_whatever_its_name_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In reports the place of the statement reads `a line 2/requirements.txt line 1`.
    folder = tmp_path / "a line 2"
    folder.mkdir()
    (tmp_path / ".git").mkdir()
    (folder / "requirements.txt").write_text(PINNED)
    (folder / "run.sh").write_text(COMMAND)
    monkeypatch.chdir(tmp_path)
    assert severities(folder) == ["error"]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"requirements.txt": PINNED, "new_requirements.txt": "ms-swift\ntorch\n"}, ["note"]),
        ({"requirements.txt": PINNED, "new_requirements.txt": "torch\n"}, ["error"]),
        # The list of the folder itself leaves it open.
        (
            {"requirements.txt": PINNED, "jobs/requirements.txt": "ms-swift>=3\ntorch\npeft\n"},
            [],
        ),
    ],
)
def test_what_else_is_said_of_the_release(
    tmp_path: Path, files: dict[str, str], expected: list[str]
) -> None:
    (tmp_path / ".git").mkdir()
    script = "jobs/run.sh" if any(name.startswith("jobs/") for name in files) else "run.sh"
    for name, text in {**files, script: COMMAND.replace("--train_type full ", "")}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    files_found = json.loads(run("--format", "json", str(tmp_path)).stdout)["files"]
    found = [one for file in files_found for one in file["diagnostics"]]
    assert [one["severity"] for one in found if one["code"] == "KEY006"] == expected


def test_versions_that_contradict_each_other(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    program = (
        "from transformers import TrainingArguments\nTrainingArguments('out', eval_strategy='no')\n"
    )
    (tmp_path / "train.py").write_text(program)
    (tmp_path / "requirements.txt").write_text("transformers==4.36.0\n")
    assert severities(tmp_path) == ["error"]
    (tmp_path / "requirements.txt").write_text("transformers==4.36.0\ntrl==1.16.0\n")
    result = run("--format", "json", str(tmp_path))
    files = json.loads(result.stdout)["files"]
    assert [one["code"] for file in files for one in file["diagnostics"]] == ["ENV702"]
