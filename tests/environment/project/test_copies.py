"""Versions of copies of a framework's sources: in the project's root, or in a clone below it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.project import copies
from cfglint.environment.project.projects import Projects
from cfglint.source.files.disk import Disk


@pytest.mark.parametrize(
    ("path", "text", "package", "framework"),
    [
        ("verl/version/version", "0.6.1\n", "verl", "verl"),
        ("verl/verl/version/version", "0.6.1\n", "verl", "verl"),
        ("my-verl/verl/version/version", "0.6.1\n", "verl", "verl"),
        ("code/verl/version/version", "0.6.1\n", "verl", "verl"),
        ("ms-swift/swift/version.py", "__version__ = '0.6.1'\n", "ms-swift", "swift"),
        (
            "LLaMA-Factory/src/llamafactory/extras/env.py",
            'VERSION = "0.6.1"\n',
            "llamafactory",
            "llamafactory",
        ),
        (
            "llama-factory-src/llamafactory/extras/env.py",
            'VERSION = "0.6.1"\n',
            "llamafactory",
            "llamafactory",
        ),
        ("llamafactory/extras/env.py", 'VERSION = "0.6.1"\n', "llamafactory", "llamafactory"),
        ("axolotl/src/axolotl/__init__.py", '__version__ = "0.6.1"\n', "axolotl", "axolotl"),
        (
            "axolotl/setup.py",
            'setup(\n    name="axolotl",\n    version="0.6.1",\n)\n',
            "axolotl",
            "axolotl",
        ),
        ("swift/version.py", '__version__ = "0.6.1"\n', "ms-swift", "swift"),
    ],
)
def test_copies(tmp_path: Path, path: str, text: str, package: str, framework: str) -> None:
    scripts = tmp_path / "scripts" / "train"
    scripts.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(text)
    project = Projects(Disk()).for_file(str(scripts / "run.sh"), framework)
    assert project is not None
    found = project.statements[package]
    assert (found.version, found.place.path.endswith(path)) == ("0.6.1", True)


@pytest.mark.parametrize(
    "path",
    ["a/b/verl/version/version", "a/b/verl/verl/version/version", "verl/VERSION", "version.txt"],
)
def test_not_a_copy(tmp_path: Path, path: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_text("0.6.1\n")
    project = Projects(Disk()).for_file(str(tmp_path / "run.sh"), "verl")
    assert project is None or not project.statements


def test_of_two_copies_none_is_meant(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for folder in ("one", "two"):
        (tmp_path / folder / "verl" / "version").mkdir(parents=True)
        (tmp_path / folder / "verl" / "version" / "version").write_text("0.6.1\n")
    project = Projects(Disk()).for_file(str(tmp_path / "run.sh"), "verl")
    assert project is None or not project.statements


def test_names_that_any_project_has_are_left_out() -> None:
    names = ("verl", "Verl-main", "src", "version.txt")
    assert [copies.is_copy(name) for name in names] == [True, True, False, False]


@pytest.mark.parametrize("package", ["src/axolotl", "axolotl", ""])
def test_a_setup_script_without_the_package_states_no_release_of_it(
    tmp_path: Path, package: str
) -> None:
    """It was taken over, and what is installed is what the page clones."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "setup.py").write_text('setup(\n    name="axolotl",\n    version="0.1",\n)\n')
    (tmp_path / "README.md").write_text(
        "```\ngit clone https://github.com/someone/axolotl.git\npip install -e axolotl/.\n```\n"
    )
    if package:
        (tmp_path / package).mkdir(parents=True)
        (tmp_path / package / "x.py").write_text("")
    project = Projects(Disk()).for_file(str(tmp_path / "train.yml"), "axolotl")
    assert project is not None
    pin = project.pins["axolotl"]
    assert (pin.version, pin.fork) == (("0.1", "") if package else (None, "someone/axolotl"))
