"""Imports that the requirements of a project do not install."""

from __future__ import annotations

from cfglint import Linter
from cfglint.source.files.memory import InMemory
from tests.draws import each

PROGRAM = 'from trl import SFTConfig\nSFTConfig(output_dir="out")\n'


@each(
    ("files", "codes"),
    [
        ({"requirements.txt": "torch\ntransformers>=4.50\n"}, ["TRP656"]),
        ({"requirements.txt": "torch==2.6.0  # CUDA\n\ndatasets\n"}, ["TRP656"]),
        ({"requirements.txt": "torch\ntrl\n"}, []),
        ({"requirements.txt": "numpy\n"}, []),
        # What others need is not known.
        ({"requirements.txt": "torch\nlm-eval\n"}, []),
        ({"requirements.txt": "torch\n-e .\n"}, []),
        ({"requirements.txt": "torch\n", "pyproject.toml": "[project]\n"}, []),
        ({"requirements.txt": "torch\n", "README.md": "`pip install trl`\n"}, []),
        ({"requirements.txt": "torch\n", "Dockerfile": "FROM acme/training\n"}, []),
        ({"requirements.txt": "torch\n", "Dockerfile": "FROM python:3.11\n"}, ["TRP656"]),
        ({"requirements.txt": "torch\n", "trl/__init__.py": ""}, []),
        ({}, []),
    ],
)
def test_what_a_project_installs(files: dict[str, str], codes: list[str]) -> None:
    every = {f"/p/{name}": text for name, text in files.items()}
    every |= {"/p/train.py": PROGRAM, "/p/.git/HEAD": ""}
    project = InMemory({path: text.encode() for path, text in every.items()})
    linter = Linter(settings=False, select=["TRP656"], files=project)
    assert [one.code for one in linter.lint_file("/p/train.py").diagnostics] == codes
