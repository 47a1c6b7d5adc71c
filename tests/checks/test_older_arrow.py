"""A release of datasets that needs an older pyarrow than pip installs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checks.test_compiled_parts import PROGRAM
from tests.cli.running import run

OLD = "torch==2.1.0\ntransformers==4.36.0\ndatasets==2.12.0\n"


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        (OLD, True),
        (OLD.replace("==2.12.0", ">=2.10,<2.14.6"), True),
        (OLD.replace("==2.12.0", "<2.14.7"), True),
        (OLD.replace("==2.12.0", "==2.14.7"), False),
        (OLD.replace("==2.12.0", ">=2.12"), False),
        (OLD.replace("==2.12.0", ""), False),
        (OLD + "pyarrow==12.0.0\n", False),
        # They ask for an older pyarrow themselves.
        (OLD + "mlflow==2.9.2\n", False),
        ("-c constraints.txt\n" + OLD, False),
        (OLD.replace("==2.12.0", '==2.12.0; python_version < "3.9"'), False),
    ],
)  # fmt: skip
def test_requirements(text: str, *, is_found: bool, tmp_path: Path) -> None:
    assert ("ENV847" in _found(tmp_path, {"requirements.txt": text})) is is_found


@pytest.mark.parametrize(("python", "is_found"), [(">=3.8", True), (">=3.7,<3.9", False)])
def test_python(python: str, *, is_found: bool, tmp_path: Path) -> None:
    text = (
        f'[project]\nname = "a"\nversion = "0"\nrequires-python = "{python}"\n'
        'dependencies = ["torch", "transformers==4.36.0", "datasets==2.12.0"]\n'
    )
    assert ("ENV847" in _found(tmp_path, {"pyproject.toml": text})) is is_found


@pytest.mark.parametrize(
    ("name", "text", "is_found"),
    [
        ("Dockerfile", "FROM python:3.10\nRUN pip install -r requirements.txt\n", True),
        ("Dockerfile", "FROM nvidia/cuda:12.1.0-devel\nRUN pip install -r requirements.txt\n", True),
        ("README.md", "```python\nfrom transformers import Trainer\n```\n", True),
        # It comes with a pyarrow, which pip keeps.
        ("Dockerfile", "FROM nvcr.io/nvidia/pytorch:23.10-py3\nRUN pip install -r requirements.txt\n", False),
        ("Dockerfile", "FROM me/base:1\nRUN pip install -r requirements.txt\n", False),
        ("Dockerfile", "FROM python:3.10\nRUN pip install pyarrow==14.0.1\n", False),
        ("setup.sh", "conda install -y pyarrow\npip install -r requirements.txt\n", False),
        ("setup.sh", "uv pip install --exclude-newer 2024-01-01 -r requirements.txt\n", False),
        ("pyproject.toml", '[tool.uv]\nexclude-newer = "2024-01-01"\n', False),
    ],
)  # fmt: skip
def test_commands(name: str, text: str, *, is_found: bool, tmp_path: Path) -> None:
    assert ("ENV847" in _found(tmp_path, {"requirements.txt": OLD, name: text})) is is_found


def test_other_files(tmp_path: Path) -> None:
    docker = "FROM python:3.10\nRUN pip install -r requirements.txt pyarrow==14.0.1 torch\n"
    found = _found(tmp_path, {"requirements.txt": OLD, "Dockerfile": docker})
    assert "ENV847" not in found


def _found(folder: Path, files: dict[str, str]) -> str:
    (folder / ".git").mkdir()
    (folder / "train.py").write_text(PROGRAM)
    for name, text in files.items():
        (folder / name).write_text(text)
    return run("--format", "concise", str(folder)).out
