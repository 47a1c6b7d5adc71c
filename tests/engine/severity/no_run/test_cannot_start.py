"""What is found in programs that import what their project does not have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

PROGRAM = 'from trl import SFTConfig\n\nSFTConfig(output_dir="out", made_up=1)\n'
LOST = f"from src.lost.parts import load\n{PROGRAM}"


def severities(folder: Path, **files: str) -> dict[str, str]:
    """File -> the severity of the finding in it."""
    for name, text in {"src/other.py": "", ".git/HEAD": "", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    done = run("--format", "json", str(folder))
    return {
        Path(file["path"]).relative_to(folder).as_posix(): one["severity"]
        for file in json.loads(done.out)["files"]
        for one in file["diagnostics"]
    }


def test_a_program_that_imports_what_is_not_there(tmp_path: Path) -> None:
    files = {"src/train.py": LOST, ".gitignore": "runs/lost/out/\n"}
    assert severities(tmp_path, **files) == {"src/train.py": "note"}


@pytest.mark.parametrize(
    "files",
    [
        {"src/lost/parts.py": "def load(): ...\n"},
        {"lib/src/lost/parts.py": ""},
        {"src/__init__.py": "from other import lost\n"},
        # A person may have it all the same.
        {".gitignore": "lost/\n"},
        {".gitmodules": '[submodule "lost"]\n\tpath = src/lost\n'},
        # From another folder, under a condition, of a package that is installed.
        {"train.py": f"import sys\nsys.path.append('x')\n{LOST}"},
        {"train.py": LOST.replace("from src", "if True:\n    from src")},
        {"train.py": LOST.replace("src.lost", "trl.lost"), "trl/x.py": ""},
        {"train.py": LOST.replace("src.lost", "peft.lost")},
    ],
)
def test_others(tmp_path: Path, files: dict[str, str]) -> None:
    assert severities(tmp_path, **{"train.py": LOST, **files})["train.py"] == "error"


@pytest.mark.parametrize(
    ("line", "module", "severity"),
    [
        ("from data import rows", "def rows_of(): ...\n", "note"),
        ("from data import (\n    read,\n    rows as all_rows,\n)", "def read(): ...\n", "note"),
        ("from sub.data import rows", "def read(): ...\n", "note"),
        ("from data import read, rows", "def read(): ...\nrows = read()\n", "error"),
        ("from data import *", "", "error"),
        ("from data import rows", "from other import *\n", "error"),
        ("from data import rows", "globals().update(read())\n", "error"),
        ("from other_data import rows", "", "error"),
        ("if True:\n    from data import rows", "", "error"),
        ("import data", "", "error"),
    ],
)
def test_a_name_that_a_module_beside_the_program_lacks(
    tmp_path: Path, line: str, module: str, severity: str
) -> None:
    files = {"train.py": f"{line}\n{PROGRAM}", "data.py": module, "sub/data.py": module}
    assert severities(tmp_path, **files)["train.py"] == severity


@pytest.mark.parametrize(
    ("script", "severity"),
    [
        ("python train.py", "note"),
        ("python ../run/train.py", "note"),
        ("PYTHONPATH=x python train.py", "error"),
        ("python train.py\npython good.py", "error"),
        ("python gone.py", "error"),
    ],
)
def test_a_script_that_starts_only_such(tmp_path: Path, script: str, severity: str) -> None:
    parsed = "from transformers import HfArgumentParser, TrainingArguments\n"
    parsed += "args = HfArgumentParser(TrainingArguments).parse_args_into_dataclasses()\n"
    files = {"run/train.py": f"from src.lost import x\n{parsed}", "run/good.py": parsed}
    line = f"{script} --output_dir out --made_up_option 1\n"
    start = "swift sft --model a/b --dataset c --made_up 1\n"
    found = severities(tmp_path, **files, **{"run/go.sh": f"{line}{start}"})
    assert found["run/go.sh"] == severity
