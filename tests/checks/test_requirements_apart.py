"""Requirements that pip cannot meet together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

PROGRAM = 'from trl import SFTTrainer\nSFTTrainer("facebook/opt-350m").train()\n'


def places(folder: Path, name: str, text: str) -> list[int]:
    """The lines of another file that the rule is about."""
    (folder / ".git").mkdir()
    (folder / "train.py").write_text(PROGRAM, encoding="utf-8")
    (folder / name).write_text(text, encoding="utf-8")
    files = json.loads(run("--format", "json", str(folder)).out)["files"]
    found = [
        (Path(file["path"]).name, one["severity"], one["range"]["start"]["line"])
        for file in files
        for one in file["diagnostics"]
        if one["code"] == "ENV702"
    ]
    assert all(one[:2] == (name, "warning") for one in found)
    return [line for _, _, line in found]


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("requirements.txt", "trl==1.0.0\ntransformers==4.55.0\n", [2]),
        ("requirements.txt", "transformers<4.50\ntrl==1.0.0\n", [1]),
        ("requirements.txt", "trl==1.0.0\ntransformers>=4.50\n", []),
        ("requirements.txt", "trl==1.0.0\ntransformers==4.57.1\n", []),
        ("requirements.txt", "trl>=1.0.0\ntransformers==4.50.0\n", []),
        ("requirements.txt", "unsloth==2025.9.11\ntrl==0.24.0\n", [2]),
        ("requirements.txt", "unsloth==2025.9.11\ntrl==0.23.0\n", []),
        ("requirements.txt", "unsloth==2024.1\ntrl==0.24.0\n", []),
        ("requirements.txt", "vllm==0.8.5\ntransformers==4.48.0\n", [2]),
        ("requirements.txt", "vllm==0.8.5\ntransformers==4.51.3\n", []),
        # What vLLM is compiled for is another rule's.
        ("requirements.txt", "vllm==0.8.5\ntorch==2.7.0\n", []),
        ("requirements.txt", "vllm==0.8.5\ntorch==2.7.0\ntransformers==4.48.0\n", [3]),
        # What comes before without a release, or of no framework, does not matter.
        ("requirements.txt", "peft==0.1.0\naxolotl\ntrl==1.0.0\ntransformers==4.55.0\n", [4]),
        ("requirements.txt", "axolotl==0.4.1\ntrl==1.0.0\ntransformers==4.41.1\n", [3]),
        # With an extra alone.
        ("requirements.txt", "axolotl==0.9.0\ndeepspeed==0.16.9\n", []),
        ("requirements.txt", "axolotl[deepspeed]==0.9.0\ndeepspeed==0.16.9\n", [2]),
        ("requirements.txt", "llamafactory==0.9.3\ntorch==1.13.1\n", []),
        (
            "requirements.txt",
            "axolotl @ git+https://github.com/axolotl-ai-cloud/axolotl@v0.4.1\ntransformers==4.41.1\n",
            [],
        ),
        # One finding a file.
        ("requirements.txt", "trl==1.0.0\ntransformers==4.50.0\naccelerate==1.0.0\n", [2]),
        # What runs has been installed somehow.
        ("README.md", "pip install trl==1.0.0\npip install transformers==4.50.0\n", []),
    ],
)
def test_pairs(tmp_path: Path, name: str, text: str, lines: list[int]) -> None:
    assert places(tmp_path, name, text) == lines


OVERRIDDEN = """\
[project]
name = "x"
version = "1"
dependencies = ["trl==1.0.0", "transformers==4.55.0"]

[tool.uv]
override-dependencies = ["transformers==4.55.0"]
"""


def test_what_is_overridden(tmp_path: Path) -> None:
    assert places(tmp_path, "pyproject.toml", OVERRIDDEN) == []


@pytest.mark.parametrize(
    ("command", "lines"),
    [
        ("pip install --no-deps -r requirements.txt", []),
        ("pip install -r requirements.txt \\\n  --no-deps", []),
        ("uv pip install -r requirements.txt --override overrides.txt", []),
        ("pip install -r requirements.txt\npip install --no-deps -e .", [2]),
    ],
)
def test_what_is_installed_regardless(tmp_path: Path, command: str, lines: list[int]) -> None:
    (tmp_path / "README.md").write_text(f"```\n{command}\n```\n", encoding="utf-8")
    text = "trl==1.0.0\ntransformers==4.55.0\n"
    assert places(tmp_path, "requirements.txt", text) == lines


@pytest.mark.parametrize(
    ("program", "lines"),
    [
        (
            'image.pip_install_from_requirements("requirements.txt", extra_options="--no-deps")\n',
            [],
        ),
        (
            'image.pip_install_from_requirements(\n    "requirements.txt",\n    extra_options="--no-deps",\n).env({})\n',
            [],
        ),
        ('run([exe, "-m", "pip", "install", "--no-deps", "-r", "requirements.txt"])\n', []),
        ('cmd = [exe, "install", "--no-deps", "-r", str(root / "requirements.txt")]\n', []),
        ('os.system("pip install --no-dependencies -r requirements.txt")\n', []),
        ('os.system(f"PIP_NO_DEPS=1 pip install -r {root}/requirements.txt")\n', []),
        # What is installed so is another list, or a package.
        ('image.pip_install_from_requirements("requirements.txt")\n', [2]),
        (
            'image.pip_install_from_requirements("requirements.txt").pip_install("x", extra_options="--no-deps")\n',
            [2],
        ),
        (
            'image.run_commands("pip install -r requirements.txt", "pip install --no-deps -e .")\n',
            [2],
        ),
        (
            'build(image.pip_install_from_requirements("requirements.txt").pip_install("x", extra_options="--no-deps"))\n',
            [2],
        ),
        # A comment installs nothing.
        ("# pip install --no-deps -r requirements.txt\n", [2]),
    ],
)
def test_what_a_program_installs_regardless(tmp_path: Path, program: str, lines: list[int]) -> None:
    (tmp_path / "image.py").write_text(program, encoding="utf-8")
    text = "trl==1.0.0\ntransformers==4.55.0\n"
    assert places(tmp_path, "requirements.txt", text) == lines
