"""Platforms whose configs and programs state what is in the container of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.project.projects import Projects
from cfglint.environment.project.readers import images, platforms
from cfglint.source.files.disk import Disk
from tests.environment.project.telling import told

TRUSS = """\
model_name: tuned
python_version: py311
base_image:
  image: hiyouga/llamafactory:0.9.3
requirements:
  - transformers==4.52.4  # the last that works
  # - trl==0.1.0
  - "peft>=0.15"
resources:
  accelerator: A100
"""
COG = """\
build:
  gpu: true
  python_version: "3.9"
  python_packages:
    - "trl==0.9.6"
  run:
    - pip install peft==0.11.1
predict: predict.py:Predictor
"""
ESTIMATOR = """\
from sagemaker.huggingface import HuggingFace
job = HuggingFace(entry_point="train.py", transformers_version="{}", py_version="py310")
"""


def test_a_config_of_truss() -> None:
    assert told(platforms.read("config.yaml", TRUSS), TRUSS) == [
        "transformers ==4.52.4 at 6:5 transformers==4.52.4",
        "peft range >=0.15 at 8:6 peft>=0.15",
        "python ==3.11 at 2:19 311",
        "llamafactory ==0.9.3 written hiyouga/llamafactory:0.9.3"
        " at 4:10 hiyouga/llamafactory:0.9.3",
    ]


def test_a_config_of_cog() -> None:
    assert told(platforms.read("cog.yaml", COG), COG) == [
        "trl ==0.9.6 at 5:8 trl==0.9.6",
        "peft ==0.11.1 at 7:19 peft==0.11.1",
        "python ==3.9 at 3:20 3.9",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "requirements:\n  - trl==0.9.6\nlearning_rate: 1\n",
        "model:\n  image: a/llamafactory:0.9.3\n",
        "",
        "requirements:\n" + " -\n" * 5000,
    ],
)
def test_a_config_of_a_run_is_none(text: str) -> None:
    assert platforms.read("config.yaml", text) == []


@pytest.mark.parametrize(
    ("version", "expected"),
    [("4.36.0", ("4.36.0", None)), ("4.36", (None, "==4.36.*"))],
)
def test_the_image_of_an_estimator(version: str, expected: tuple[str | None, str | None]) -> None:
    text = ESTIMATOR.format(version)
    (found,) = images.read("start.py", text)
    assert (found.package, found.version, found.spec) == ("transformers", *expected)
    assert images.read("start.py", "# sagemaker\n# transformers_version='4.36.0'\n") == []
    assert images.read("start.py", text.replace("sagemaker", "mine")) == []
    assert images.read("start.py", text.replace("py_version=", "image_uri=uri, py_version=")) == []


@pytest.mark.parametrize(
    ("name", "text", "package", "version"),
    [
        ("config.yaml", TRUSS, "llamafactory", "0.9.3"),
        ("config.yaml", TRUSS, "transformers", "4.52.4"),
        ("cog.yaml", COG, "trl", "0.9.6"),
        ("start.py", ESTIMATOR.format("4.36.0"), "transformers", "4.36.0"),
        (
            "config.py",
            "import truss_train\nimage = truss_train.Image(base_image='hiyouga/llamafactory:0.9.3')\n",
            "llamafactory",
            "0.9.3",
        ),
        (
            "Dockerfile",
            "FROM huggingface/transformers-pytorch-gpu:4.41.2\n",
            "transformers",
            "4.41.2",
        ),
    ],
)
def test_what_a_project_is_checked_for(
    tmp_path: Path, name: str, text: str, package: str, version: str
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / name).write_text(text)
    framework = package if package == "llamafactory" else "trl_programs"
    project = Projects(Disk()).for_file(str(tmp_path / "train.py"), framework)
    assert project is not None
    assert project.pins[package].version == version


def test_a_large_config_of_a_run_is_no_problem_of_the_project(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "config.yaml").write_text("a: 1\n" * 600_000)
    assert Projects(Disk()).for_file(str(tmp_path / "train.py"), "trl_programs") is None
