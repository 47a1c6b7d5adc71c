"""Whether a project installs a package."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from cfglint.environment.project.installs import is_installed_by_project
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.source.files.disk import Disk


def installs(folder: Path, package: str, files: dict[str, str]) -> bool:
    (folder / ".git").mkdir()
    for name, text in {"train.yml": "base_model: a/b\n", **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    around = Surroundings(Memory(), Disk(), str(folder / "train.yml"), str(folder))
    return is_installed_by_project(around, package)


@pytest.mark.parametrize(
    ("package", "name", "text"),
    [
        ("axolotl", "README.md", "```\npip install axolotl\n```\n"),
        (
            "axolotl",
            "setup.sh",
            "pip3 install --upgrade \\\n  packaging \\\n  'axolotl[deepspeed]'\n",
        ),
        ("axolotl", "README.md", "git clone https://github.com/axolotl-ai-cloud/axolotl\n"),
        ("axolotl", "run.sh", "docker run --gpus all axolotlai/axolotl:main-latest\n"),
        ("axolotl", "docker/Dockerfile", "FROM axolotlai/axolotl:main-latest\n"),
        ("ms-swift", "README.md", "pip install ms_swift -U\n"),
        ("llamafactory", "README.md", "git clone https://github.com/hiyouga/LLaMA-Factory.git\n"),
        (
            "axolotl",
            "setup.sh",
            "git clone a/b && cd b && pip install torch && pip install axolotl\n",
        ),
        ("transformers", "requirements.txt", "torch\ntrl\n"),
        ("trl", "requirements/train.txt", "torch\ntrl\n"),
        ("trl", "requirements.txt", "git+https://github.com/huggingface/trl.git\n"),
        ("trl", "requirements.txt", "-e git+https://github.com/someone/trl#egg=a\n"),
        ("trl", "app.py", 'image = base.pip_install(\n    "torch",\n    "trl",\n)\n'),
        ("transformers", "pyproject.toml", 'dependencies = ["torch", "peft"]\n'),
        ("transformers", "environment.yml", "dependencies:\n  - pip:\n      - transformers\n"),
        (
            "transformers",
            "try.ipynb",
            '{"source": ["!pip install -q \\\\\\n",\n "  transformers"]}',
        ),
        ("trl", "setup.py", "setup(install_requires=['trl'])\n"),
    ],
)
def test_it_does(tmp_path: Path, package: str, name: str, text: str) -> None:
    assert installs(tmp_path, package, {name: text})


@pytest.mark.parametrize(
    ("package", "name", "text"),
    [
        ("axolotl", "README.md", "Trained with axolotl.\n"),
        ("axolotl", "run.sh", "pip install torch\naxolotl train train.yml\n"),
        ("trl", "requirements.txt", "trlx\ntransformers\n"),
        ("deepspeed", "requirements.txt", "transformers\n"),
        ("trl", "notes.txt", "trl\n"),
        ("trl", "recipe.yaml", "tags:\n  - trl\n"),
    ],
)
def test_it_does_not(tmp_path: Path, package: str, name: str, text: str) -> None:
    assert not installs(tmp_path, package, {name: text})


def test_many_commands_in_a_line_take_no_longer(tmp_path: Path) -> None:
    started = time.process_time()
    assert not installs(tmp_path, "trl", {"run.sh": "pip install " * 40_000})
    assert time.process_time() - started < 3
