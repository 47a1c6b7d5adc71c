"""The versions that the files around a config say together, and where each is from."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.project.projects import Projects
from cfglint.source.files.disk import Disk

#: Files, the config among them, and package, version and origin of what counts.
CASES: list[tuple[dict[str, str], str, list[str]]] = [
    (
        {
            "uv.lock": '[[package]]\nname = "axolotl"\nversion = "0.9.2"\n\n[[package]]\nname = "torch"\nversion = "2.6.0"\n'
        },
        "train.yml",
        ["axolotl 0.9.2, uv.lock line 2", "torch 2.6.0, uv.lock line 6"],
    ),
    (
        {
            "uv.lock": '[[package]]\nname = "axolotl"\nversion = "0.9.2"\n\n[[package]]\nname = "torch"\nversion = "2.6.0"\n',
            "requirements.txt": "axolotl==0.9.2\ntrl==0.17.0\n",
        },
        "train.yml",
        ["axolotl 0.9.2, uv.lock line 2", "torch 2.6.0, uv.lock line 6"],
    ),
    (
        {
            "requirements.txt": "axolotl==0.9.2\n",
            "environment.yml": "dependencies:\n  - pip:\n    - axolotl==0.10.0\n    - trl==0.17.0\n",
        },
        "train.yml",
        ["axolotl 0.9.2, requirements.txt line 1"],
    ),
    (
        {
            "requirements.txt": "axolotl==0.9.2\n",
            "environment.yml": "dependencies:\n  - pip:\n    - axolotl==0.9.2\n    - trl==0.17.0\n",
        },
        "train.yml",
        ["axolotl 0.9.2, requirements.txt line 1", "trl 0.17.0, environment.yml line 4"],
    ),
    (
        {
            "requirements.txt": "axolotl==0.9.2\n",
            "environment.yml": "dependencies:\n  - pip:\n    - axolotl\n    - trl==0.17.0\n",
        },
        "train.yml",
        ["axolotl 0.9.2, requirements.txt line 1", "trl 0.17.0, environment.yml line 4"],
    ),
    (
        {
            "a/requirements.txt": "axolotl==0.9.2\n",
            "environment.yml": "dependencies:\n  - pip:\n    - trl==0.17.0\n",
        },
        "a/train.yml",
        ["axolotl 0.9.2, a/requirements.txt line 1"],
    ),
    (
        {"requirements.txt": "axolotl>=0.9\ntrl\n", "Dockerfile": "FROM axolotlai/axolotl:0.9.2\n"},
        "train.yml",
        ["axolotl 0.9.2, Dockerfile line 1"],
    ),
    (
        {
            "requirements.txt": "axolotl\n",
            "pyproject.toml": '[project]\nname="x"\ndependencies=["axolotl>=0.9,<0.10"]\n',
        },
        "train.yml",
        ["axolotl >=0.9,<0.10, pyproject.toml line 3"],
    ),
    (
        {
            "requirements.txt": "axolotl @ git+https://g/a@54673fd6ca39bf86addb20ba7d44a77071b4dc4f\n"
        },
        "train.yml",
        [
            "axolotl 54673fd6ca39bf86addb20ba7d44a77071b4dc4f between 0.4.1 and 0.5.0, requirements.txt line 1"
        ],
    ),
    (
        {"requirements.txt": "axolotl @ git+https://g/a@abcdef1234\n"},
        "train.yml",
        ["axolotl abcdef1234, requirements.txt line 1"],
    ),
    (
        {"Dockerfile": "FROM axolotlai/axolotl:main-20250601-py3.11-cu124-2.6.0\n"},
        "train.yml",
        [
            "axolotl None between 0.9.2 and 0.10.0, Dockerfile line 1, the build of 20250601",
            "torch 2.6.0 implied, Dockerfile line 1",
        ],
    ),
    (
        {"Dockerfile": "FROM axolotlai/axolotl:0.9.2-py3.11-cu124-2.6.0\n"},
        "train.yml",
        ["axolotl 0.9.2, Dockerfile line 1", "torch 2.6.0 implied, Dockerfile line 1"],
    ),
    (
        {
            "uv.lock": '[[package]]\nname = "axolotl"\nversion = "0.13.0.dev0"\n\n[[package]]\nname = "torch"\nversion = "2.6.0"\n'
        },
        "train.yml",
        ["axolotl None between 0.12.2 and 0.13.0, uv.lock line 2", "torch 2.6.0, uv.lock line 6"],
    ),
    (
        {
            "uv.lock": '[[package]]\nname = "axolotl"\nversion = "99.0.dev0"\n\n[[package]]\nname = "torch"\nversion = "2.6.0"\n'
        },
        "train.yml",
        ["axolotl None between 0.21.0 and None, uv.lock line 2", "torch 2.6.0, uv.lock line 6"],
    ),
    (
        {
            "uv.lock": '[[package]]\nname = "axolotl"\nversion = "x y"\n\n[[package]]\nname = "torch"\nversion = "2.6.0"\n'
        },
        "train.yml",
        ["torch 2.6.0, uv.lock line 6"],
    ),
    (
        {"requirements.txt": "trl==0.17.0\ntorch==2.6.0\n"},
        "train.yml",
        ["torch 2.6.0, requirements.txt line 2", "trl 0.17.0, requirements.txt line 1"],
    ),
    ({"requirements.txt": "torch==2.6.0\n"}, "train.yml", []),
    (
        {"a/requirements.txt": "trl==0.17.0\n", "requirements.txt": "peft==0.15.2\n"},
        "a/train.yml",
        ["trl 0.17.0, a/requirements.txt line 1"],
    ),
    (
        {"requirements.txt": "trl==0.17.0\n", "requirements-dev.txt": "trl>=0.1\npeft==0.15.2\n"},
        "train.yml",
        ["peft 0.15.2, requirements-dev.txt line 2", "trl 0.17.0, requirements.txt line 1"],
    ),
    (
        {"requirements-a.txt": "trl>=0.17.0\n", "requirements-b.txt": "trl==0.18.0\n"},
        "train.yml",
        ["trl 0.18.0, requirements-b.txt line 1"],
    ),
    (
        {"requirements.txt": "trl @ git+https://g/t@54673fd6ca39bf86addb20ba7d44a77071b4dc4f\n"},
        "train.yml",
        ["trl 54673fd6ca39bf86addb20ba7d44a77071b4dc4f, requirements.txt line 1"],
    ),
    (
        {"requirements.txt": "torch==2.6.0; extra == 'x'\naxolotl==0.9.2; extra == 'y'\n"},
        "train.yml",
        [],
    ),
    # What extras ask for counts if nothing else does, and all ask for the same.
    (
        {
            "pyproject.toml": '[tool.poetry.dependencies]\ntrl = {version = "0.7.4", optional = true}\n'
        },
        "train.yml",
        ["trl 0.7.4, pyproject.toml line 2"],
    ),
    (
        {
            "pyproject.toml": '[project.optional-dependencies]\na = ["trl==0.18.0", "peft==0.15"]\n'
            'b = ["trl==0.19.0", "peft==0.15"]\n'
        },
        "train.yml",
        ["peft 0.15, pyproject.toml line 2"],
    ),
    (
        {".gitlab-ci.yml": "image: axolotlai/axolotl:0.9.2\n"},
        "train.yml",
        ["axolotl >=0.9.2, .gitlab-ci.yml line 1"],
    ),
    (
        {".github/workflows/t.yml": "image: axolotlai/axolotl:0.9.2\n"},
        "train.yml",
        ["axolotl >=0.9.2, .github/workflows/t.yml line 1"],
    ),
]


@pytest.mark.parametrize(("files", "config", "expected"), CASES)
def test_pins(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str],
    config: str,
    expected: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    project = Projects(Disk()).for_file(str(tmp_path / config), "axolotl")
    assert project is not None
    told = []
    for package, pin in sorted(project.pins.items()):
        parts = [f"{package} {pin.version or pin.commit or pin.spec}"]
        if pin.between is not None:
            parts.append(f"between {pin.between[0]} and {pin.between[1]}")
        parts += ["implied"] if pin.implied else []
        told.append(f"{' '.join(parts)}, {pin.origin}")
    assert told == expected
