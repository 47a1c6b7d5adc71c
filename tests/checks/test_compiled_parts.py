"""Packages with compiled parts beside a torch that they are not made for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

PROGRAM = 'from trl import SFTTrainer\nSFTTrainer("facebook/opt-350m").train()\n'


def messages(folder: Path, name: str, text: str) -> list[tuple[int, str]]:
    """The findings in another file: line and message."""
    (folder / ".git").mkdir()
    (folder / "train.py").write_text(PROGRAM, encoding="utf-8")
    (folder / name).write_text(text, encoding="utf-8")
    files = json.loads(run("--format", "json", str(folder)).out)["files"]
    return [
        (one["range"]["start"]["line"], one["message"])
        for file in files
        for one in file["diagnostics"]
        if one["code"] == "ENV840" and Path(file["path"]).name == name
    ]


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("requirements.txt", "torch==2.6.0\nvllm==0.6.3\n", [2]),
        ("requirements.txt", "torchvision==0.20.1\ntorch>=2.6,<2.8\n", [1]),
        # One finding a file.
        ("requirements.txt", "torch==2.6.0\nvllm==0.6.3\ntorchvision==0.19.0\n", [2]),
        ("requirements.txt", "torch==2.4.1+cu121\nvllm==0.6.3\n", []),
        ("requirements.txt", "torch>=2.4\nvllm==0.6.3\n", []),
        ("requirements.txt", "torch\nvllm==0.6.3\n", []),
        # A release that came later than the table.
        ("requirements.txt", "torch==2.6.0\nvllm==99.0.0\n", []),
        # An account of what conda installed, with pip's torch over it.
        (
            "environment.yml",
            "dependencies:\n  - torchaudio=2.2.2=py310_cpu\n  - pip:\n      - torch==2.3.0\n",
            [],
        ),
        (
            "environment.yml",
            "dependencies:\n  - torchaudio=2.2.2\n  - pip:\n      - torch==2.3.0\n",
            [2],
        ),
        # What is built anew fits what is there.
        (
            "requirements.txt",
            "torch==2.6.0\nvllm @ git+https://github.com/vllm-project/vllm@v0.6.3\n",
            [],
        ),
        ("requirements.txt", "--no-binary :all:\ntorch==2.6.0\nvllm==0.6.3\n", []),
        (
            "pyproject.toml",
            '[project]\nname = "a"\nversion = "0"\ndependencies = ["torch==2.6.0", "vllm==0.6.3"]\n'
            '[tool.uv]\nno-build-isolation-package = [\n  "vllm",\n]\n',
            [],
        ),
        # Builds for other machines are made for a torch of their own.
        ("requirements.txt", "torch==2.6.0\nvllm==0.6.3+rocm624\n", []),
        ("requirements.txt", 'torch==2.6.0\nvllm==0.6.3; sys_platform == "linux"\n', [2]),
        ("requirements.txt", 'torch==2.6.0\nvllm==0.6.3; python_version < "3.9"\n', []),
        # A later command replaces the image's own torch.
        (
            "Dockerfile",
            "FROM pytorch/pytorch:2.6.0-cuda12.4-cudnn9-devel\nRUN pip install vllm==0.6.3\n",
            [],
        ),
    ],
)
def test_pairs(tmp_path: Path, name: str, text: str, lines: list[int]) -> None:
    assert [line for line, _ in messages(tmp_path, name, text)] == lines


def test_both_ways_out_are_named(tmp_path: Path) -> None:
    ((_, message),) = messages(tmp_path, "requirements.txt", "torch==2.6.0\nvllm==0.6.3\n")
    assert message.startswith("Install torch 2.4 or vllm 0.8.0 to 0.8.5.post1: ")
