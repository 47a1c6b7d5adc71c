"""What is found in a project of others that is kept to be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

CALL = "from transformers import TrainingArguments\nTrainingArguments('x', num_cycles=2)\n"


def severity(folder: Path, **files: str) -> str:
    """That of an argument which no release has; `own_dot_py` is the file `own.py`."""
    (folder / ".git").mkdir()
    theirs = folder / "external" / "theirs"
    theirs.mkdir(parents=True)
    (theirs / "README.md").write_text("python train.py\n")
    (theirs / "train.py").write_text(CALL)
    for name, text in files.items():
        (folder / name.replace("_dot_", ".")).write_text(text)
    reports = json.loads(run("--format", "json", str(folder)).out)["files"]
    found = [one for file in reports for one in file["diagnostics"]]
    severity: str = next(one["severity"] for one in found if one["code"] == "KEY001")
    return severity


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"README_dot_md": "`external/theirs/train.py` shows how they do it.\n"},
        {"own_dot_py": '"""Follows\nexternal/theirs/train.py.\n"""\n# external/theirs\n'},
        {"run_dot_sh": "ls external/theirs\n"},
    ],
)
def test_nothing_goes_there(tmp_path: Path, files: dict[str, str]) -> None:
    assert severity(tmp_path, **files) == "note"


@pytest.mark.parametrize(
    "files",
    [
        {"run_dot_sh": "cd external/theirs\npython train.py\n"},
        {"README_dot_md": "    python external/theirs/train.py\n"},
        {"own_dot_py": 'run(["python", "external/theirs/train.py"])\n'},
        {"own_dot_py": "from external.theirs import train\n"},
        {"pyproject_dot_toml": '[tool.uv.workspace]\nmembers = ["external/theirs"]\n'},
        {"big_dot_sh": "x" * 1_000_001},
    ],
)
def test_something_may_go_there(tmp_path: Path, files: dict[str, str]) -> None:
    assert severity(tmp_path, **files) == "error"
