"""Files that are another one of their folder again."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from cfglint.engine.files_together.twins import is_twin
from cfglint.environment.surroundings import Memory, Surroundings, nowhere
from cfglint.source.files.memory import InMemory
from tests.cli.running import run
from tests.draws import each

PROGRAM = "from trl import SFTConfig\n\nargs = SFTConfig(output_dir='out', lerning_rate=1e-5)\n"


def found_in(folder: Path, **files: str) -> set[str]:
    """The names of the files with findings; `run_dot_sh` is the file `run.sh`."""
    (folder / ".git").mkdir()
    for name, text in {"train_dot_py": PROGRAM, **files}.items():
        (folder / name.replace("_dot_", ".")).write_text(text, encoding="utf-8")
    reports = json.loads(run("--format", "json", str(folder)).out)["files"]
    return {Path(file["path"]).name for file in reports if file["diagnostics"]}


@pytest.mark.parametrize(
    "name", ["train 1.py", "train_backup.py", "train2.py", "Copy of train.py", "Train - Kopie.py"]
)
def test_the_plainer_name_has_the_findings(tmp_path: Path, name: str) -> None:
    assert found_in(tmp_path, **{name: PROGRAM}) == {"train.py"}


@pytest.mark.parametrize(
    "files",
    [
        {"train2_dot_py": PROGRAM + "\n"},
        {"train2_dot_py": PROGRAM, "run_dot_sh": "python train2.py\n"},
        {"train2_dot_py": PROGRAM, "run_dot_sh": "python train$N.py\n"},
        {"train2_dot_py": PROGRAM, "more_dot_py": "import train2\n"},
        {"train2_dot_py": PROGRAM, "README_dot_md": "`train2.py` is the second step.\n"},
        {"strain_dot_py": PROGRAM},
    ],
)
def test_others(tmp_path: Path, files: dict[str, str]) -> None:
    name = next(iter(files)).replace("_dot_", ".")
    assert found_in(tmp_path, **files) == {"train.py", name}


def test_one_that_is_named_is_checked(tmp_path: Path) -> None:
    found_in(tmp_path, train2_dot_py=PROGRAM)
    assert "lerning_rate" in run(str(tmp_path / "train2.py")).out


def is_twin_of_others(own: str, files: dict[str, str | bytes], *, launched: bool = False) -> bool:
    """Whether a file of a project in memory is another one again."""
    contents = {
        f"p/{name}": text if isinstance(text, bytes) else text.encode()
        for name, text in {".git/HEAD": "", **files}.items()
    }
    path = os.path.abspath(f"p/{own}")
    around = Surroundings(Memory(), InMemory(contents), path, os.path.dirname(path))
    return is_twin(around.replaced(launches=("a line",)) if launched else around)


@each(
    ("own", "files", "expected"),
    [
        ("train2.py", {"train2.py": "a", "train.py": "a"}, True),
        ("train2.py", {"train2.py": "a", "train.py": "b"}, False),
        ("train2.py", {"train2.py": "a", "train.py": "ab"}, False),
        ("train.py", {"train2.py": "a", "train.py": "a"}, False),
        ("train2.yml", {"train2.yml": "a", "train.py": "a"}, False),
        ("copy-of-train.py", {"copy-of-train.py": "a", "train.py": "a"}, True),
        ("my-train.py", {"my-train.py": "a", "train.py": "a"}, False),
        # One of several plainer names is enough.
        ("train22.py", {"train22.py": "a", "train.py": "b", "train2.py": "a"}, True),
        ("train22.py", {"train22.py": "a", "train.py": "b", "train2.py": "ab"}, False),
        # A folder is no file.
        ("train2.py", {"train2.py": "a", "train.py/x": "a"}, False),
        # What names the file, or may put its name together.
        ("train2.py", {"train2.py": "a", "train.py": "a", "run.sh": "train2.py"}, False),
        ("train2.py", {"train2.py": "a", "train.py": "a", "b.py": "import train2"}, False),
        ("train2.py", {"train2.py": "a", "train.py": "a", "run.sh": "train$N.py"}, False),
        ("train2.py", {"train2.py": "a", "train.py": "a", "run.sh": "train.py"}, True),
        # A page that puts names together starts nothing.
        ("train2.py", {"train2.py": "a", "train.py": "a", "a.md": "train$N.py"}, True),
        ("train2.py", {"train2.py": "a", "train.py": "a", "a.md": "train2.py"}, False),
        ("train2.yml", {"train2.yml": "a", "train.yml": "a", "run.sh": "train${N}.yml"}, False),
        # The files themselves do not count.
        ("train2.py", {"train2.py": "train2.py", "train.py": "train2.py"}, True),
        # What cannot be read may name it, unless it is data.
        ("train2.py", {"train2.py": "a", "train.py": "a", "b.py": b"\xff\x00" * 10}, False),
    ],
)
def test_which_files_are_twins(own: str, files: dict[str, str | bytes], expected: bool) -> None:
    assert is_twin_of_others(own, files) is expected


def test_a_file_that_is_started_or_lies_nowhere_is_no_twin() -> None:
    files: dict[str, str | bytes] = {"train2.py": "a", "train.py": "a"}
    assert not is_twin_of_others("train2.py", files, launched=True)
    assert not is_twin_of_others("train3.py", files)
    assert not is_twin_of_others("none/train2.py", files)
    assert not is_twin(nowhere())
    assert not is_twin(Surroundings(Memory(), InMemory({}), "", "p"))
    assert not is_twin(Surroundings(Memory(), InMemory({}), "p/train2.py", None))


STRAY = f"# train/sft.py\n{PROGRAM}"


@pytest.mark.parametrize(
    ("files", "checked"),
    [
        ({}, {"train/sft.py"}),
        ({"run.sh": "python train/sft.py\n"}, {"train/sft.py"}),
        ({"run.sh": "python data/sft.py\n"}, {"data/sft.py", "train/sft.py"}),
        ({"run.sh": "cd ./data\npython sft.py\n"}, {"data/sft.py", "train/sft.py"}),
        ({"run.sh": "python -m data.sft\n"}, {"data/sft.py", "train/sft.py"}),
        ({"data/more.py": "from .sft import args\n"}, {"data/sft.py", "train/sft.py"}),
        # another text, or another place
        ({"data/sft.py": f"{STRAY}\n"}, {"data/sft.py", "train/sft.py"}),
        ({"data/sft.py": PROGRAM, "train/sft.py": PROGRAM}, {"data/sft.py", "train/sft.py"}),
    ],
)
def test_a_copy_in_another_folder_that_says_where_it_belongs(
    tmp_path: Path, files: dict[str, str], checked: set[str]
) -> None:
    (tmp_path / ".git").mkdir()
    for name, text in {"data/sft.py": STRAY, "train/sft.py": STRAY, **files}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    reports = json.loads(run("--format", "json", str(tmp_path)).out)["files"]
    found = {Path(file["path"]) for file in reports if file["diagnostics"]}
    assert {f"{one.parent.name}/{one.name}" for one in found} == checked
