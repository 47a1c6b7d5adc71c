"""What a script installs for the program that it starts, in the place of lists that it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.project.projects import Projects
from cfglint.source.files.disk import Disk

PINS = "trl==0.8.0\ntransformers==4.38.0\npeft==0.9.0\n"
OWN = "pip install torch transformers 'trl>=0.17'\n"
START = "python train.py\n"


def release(folder: Path, texts: dict[str, str], program: str) -> str | None:
    (folder / ".git").mkdir()
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    project = Projects(Disk()).for_file(str(folder / program), "trl_programs")
    pin = None if project is None else project.pins.get("trl")
    return None if pin is None else pin.version or pin.spec


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (OWN + START, ">=0.17"),
        (f"python -m venv own\nsource own/bin/activate\n{OWN}{START}", ">=0.17"),
        # It takes over the list or an environment, adds to one, or starts something else.
        (f"pip install -r ../requirements.txt\n{OWN}{START}", "0.8.0"),
        (f"pip install -qe ..\n{OWN}{START}", "0.8.0"),
        (f"{OWN}uv run {START}", "0.8.0"),
        (f"conda activate train\n{OWN}{START}", "0.8.0"),
        (f"pip install 'trl>=0.17'\n{START}", "0.8.0"),
        (f"{OWN}# {START}", "0.8.0"),
        (f"{OWN}python other.py\n", "0.8.0"),
    ],
)
def test_a_folder_of_its_own(script: str, expected: str, tmp_path: Path) -> None:
    texts = {"requirements.txt": PINS, "README.md": "pip install -r requirements.txt\n"}
    texts |= {"own/run.sh": script, "own/train.py": "", "own/other.py": "", "train.py": ""}
    assert release(tmp_path, texts, "own/train.py") == expected
    top = Projects(Disk()).for_file(str(tmp_path / "train.py"), "trl_programs")
    assert top is not None
    assert top.pins["trl"].version == "0.8.0"


@pytest.mark.parametrize(("page", "expected"), [("", ">=0.17"), ("-r requirements.txt", "0.8.0")])
def test_a_list_beside_that_nothing_installs(page: str, expected: str, tmp_path: Path) -> None:
    texts = {"requirements.txt": PINS, "README.md": f"pip install {page}\n", "train.py": ""}
    assert release(tmp_path, {**texts, "run.sh": OWN + START}, "train.py") == expected


@pytest.mark.parametrize(("page", "expected"), [("pip install x", ">=0.17"), ("uv sync", "0.8.0")])
def test_a_lock_beside(page: str, expected: str, tmp_path: Path) -> None:
    lock = '[[package]]\nname = "trl"\nversion = "0.8.0"\n'
    texts = {"uv.lock": lock, "README.md": page + "\n", "train.py": "", "run.sh": OWN + START}
    assert release(tmp_path, texts, "train.py") == expected


def test_an_image_with_the_list(tmp_path: Path) -> None:
    texts = {"requirements.txt": PINS, "train.py": "", "run.sh": OWN + START}
    image = "FROM python:3.11\nRUN pip install trl==0.8.0 -r requirements.txt\n"
    assert release(tmp_path, {**texts, "Dockerfile": image}, "train.py") == "0.8.0"


def test_a_program_of_the_same_name_further_away(tmp_path: Path) -> None:
    texts = {"requirements.txt": PINS, "run.sh": OWN + START, "train.py": "", "own/train.py": ""}
    assert release(tmp_path, texts, "own/train.py") == "0.8.0"
