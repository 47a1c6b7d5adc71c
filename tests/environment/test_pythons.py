"""The newest release that a project's Python can have."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.environment.pins import Fact
from cfglint.environment.pythons import PYTHON, installable, newest_admitted
from cfglint.knowledge import compiled
from cfglint.knowledge.releases.table import known_releases
from cfglint.report.target import described

CONFIG = (
    "model_name_or_path: a/b\nstage: sft\ndo_train: true\nfinetuning_type: lora\ntemplate: qwen\n"
    "dataset: identity\noutput_dir: out\nlearning_rate: 1.0e-4\n"
)
PROGRAM = "from transformers import TrainingArguments\nTrainingArguments('o', {word}=1)\n"


@pytest.mark.parametrize(
    ("version", "spec", "expected"),
    [
        ("3.9", None, "3.9"),
        ("3.9.18", None, "3.9"),
        ("3.99", None, None),
        (None, ">=3.8", None),
        (None, ">=3.8,<3.10", "3.9"),
        (None, "==3.9.*", "3.9"),
        (None, "~=3.8", None),
        (None, "<=3.9.18", "3.9"),
        (None, "of the day", None),
        (None, None, None),
    ],
)
def test_the_newest_python(version: str | None, spec: str | None, expected: str | None) -> None:
    assert newest_admitted(version, spec) == expected


@pytest.mark.parametrize(
    ("package", "python", "newest"),
    [
        ("trl", "3.8", "0.11.4"),
        ("trl", "3.9", "0.24.0"),
        ("transformers", "3.8", "4.46.3"),
        ("llamafactory", "3.10", "0.9.3"),
        ("verl", "3.9", "0.4.1"),
        ("axolotl", "3.11", "0.19.0"),
    ],
)
def test_the_newest_release(package: str, python: str, newest: str) -> None:
    releases = known_releases(package)
    assert releases is not None
    bits = installable(package, releases.versions, {PYTHON: Fact(python, "x")})
    assert releases.versions[bits.bit_length() - 1] == newest
    assert installable(package, releases.versions, {}) == (1 << len(releases.versions)) - 1


def test_every_release_of_the_table_is_known() -> None:
    for package, rows in compiled.load("pythons").FLOORS.items():
        releases = known_releases(package)
        if releases is not None:
            assert {first for first, _ in rows} <= set(releases.versions), package


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Dockerfile", "FROM docker.io/library/python:3.9-slim AS run\nRUN true\n"),
        (".python-version", "3.9.18\n"),
        ("README.md", "```\nconda create -n tuning python=3.9 -y\n```\n"),
        ("readme.md", "```\nconda create -n tuning python=3.9 -y\n```\n"),
        ("README.md", "```\nuv venv --python 3.9\n```\n"),
        ("environment.yml", "name: a\ndependencies:\n  - python=3.9\n  - pip:\n    - torch\n"),
        ("pyproject.toml", '[project]\nname = "a"\nrequires-python = ">=3.8,<3.10"\n'),
    ],
)
def test_where_a_python_is_stated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("llamafactory\n")
    config = tmp_path / "sft.yaml"
    config.write_text(CONFIG)
    assert lint_file(config).target.release == "0.9.5"
    (tmp_path / name).write_text(text)
    target = lint_file(config).target
    assert target.release == "0.9.3"
    assert f"the newest that fits Python 3.9, {name} line" in described(target)
    (tmp_path / "requirements.txt").write_text("llamafactory==0.9.5\n")
    assert lint_file(config).target.release == "0.9.5"


def test_images_of_two_pythons_state_none(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    config = tmp_path / "sft.yaml"
    config.write_text(CONFIG)
    (tmp_path / "requirements.txt").write_text("llamafactory\n")
    (tmp_path / "Dockerfile").write_text("FROM python:3.9 AS a\nFROM python:3.12\n")
    assert lint_file(config).target.release == "0.9.5"
    (tmp_path / "Dockerfile").write_text("FROM python:3.9\n")
    (tmp_path / "Dockerfile.serve").write_text("FROM python:3.12\n")
    assert lint_file(config).target.release == "0.9.5"


def test_a_page_with_two_pythons_states_none(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    config = tmp_path / "sft.yaml"
    config.write_text(CONFIG)
    (tmp_path / "requirements.txt").write_text("llamafactory\n")
    text = "conda create -n a python=3.9\nconda create -n b python=3.12\nWritten for python=3.9\n"
    (tmp_path / "README.md").write_text(text)
    assert lint_file(config).target.release == "0.9.5"
    (tmp_path / "README.md").write_text("Written for python=3.9\n")
    assert lint_file(config).target.release == "0.9.5"


def test_a_program_is_of_what_its_python_has(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("transformers\n")
    program = tmp_path / "train.py"
    program.write_text(PROGRAM.format(word="no_cuda"))
    assert lint_file(program).target.release.startswith("5.")
    (tmp_path / ".python-version").write_text("3.9\n")
    assert lint_file(program).target.release == "4.57.6"
