"""Projects of others in a project, for which it installs nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.environment.project.foreign_projects import goes_to
from cfglint.environment.project.projects import Projects
from cfglint.source.files.disk import Disk

LOCK = '[[package]]\nname = "trl"\nversion = "0.28.0"\n'


def release(folder: Path, place: str, **texts: str) -> str | None:
    """Of TRL, for a program in a folder that has a page, below a project with a lock file."""
    files = {"uv.lock": LOCK, f"{place}/train.py": "", f"{place}/README.md": "# Theirs\n"}
    files |= {name.replace("_dot_", "."): text for name, text in texts.items()}
    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(text)
    project = Projects(Disk()).for_file(str(folder / place / "train.py"), "trl_programs")
    pin = None if project is None else project.pins.get("trl")
    return None if pin is None else pin.version


@pytest.mark.parametrize(
    ("place", "theirs"),
    [
        ("external/theirs", True),
        ("third_party/theirs", True),
        ("tools/reference-code/theirs", True),
        # The project's own, or a clone of a framework, in which people work.
        ("src/theirs", False),
        ("external", False),
        ("external/my-trl", False),
    ],
)
def test_what_the_project_installs_is_not_for_them(
    place: str, theirs: bool, tmp_path: Path
) -> None:
    assert release(tmp_path, place) == (None if theirs else "0.28.0")


@pytest.mark.parametrize(
    ("script", "theirs"),
    [
        ("# cd external/theirs\npython src/train.py\n", True),
        ("cd external/theirs && python train.py\n", False),
        ("uv run external/theirs/train.py\n", False),
    ],
)
def test_a_script_that_goes_there(script: str, theirs: bool, tmp_path: Path) -> None:
    found = release(tmp_path, "external/theirs", run_dot_sh=script)
    assert found == (None if theirs else "0.28.0")


def test_a_folder_without_a_page_is_the_project_s(tmp_path: Path) -> None:
    (tmp_path / "external" / "own").mkdir(parents=True)
    (tmp_path / "external" / "own" / "train.py").write_text("")
    (tmp_path / "uv.lock").write_text(LOCK)
    (tmp_path / ".git").mkdir()
    path = str(tmp_path / "external" / "own" / "train.py")
    project = Projects(Disk()).for_file(path, "trl_programs")
    assert project is not None
    assert project.pins["trl"].version == "0.28.0"


@pytest.mark.parametrize(
    ("text", "goes"),
    [
        ("$ cd external/theirs\n", True),
        ("pip install -e ./external/theirs\n", True),
        ("make -C external/theirs data\n", True),
        ("- `external/theirs/train.py`: how they train\n", False),
        ("cd external/theirs-too\n", False),
        ("python train.py  # as external/theirs\n", False),
    ],
)
def test_a_command_that_leads_there(text: str, goes: bool) -> None:
    assert goes_to("/x/external/theirs", "/x/README.md", text) is goes
