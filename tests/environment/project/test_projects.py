"""The projects of a run, one a folder and framework."""

from __future__ import annotations

import json

from cfglint.environment.project.projects import Projects
from cfglint.source.files.memory import InMemory
from tests.draws import each

NOTEBOOK = json.dumps(
    {"cells": [{"cell_type": "code", "source": ["!pip install trl==0.20.0\n"]}], "nbformat": 4}
)


def projects(**files: str) -> Projects:
    contents = {
        f"/p/{name.replace('__', '/').replace('_', '.')}": text for name, text in files.items()
    }
    return Projects(InMemory({"/p/.git/HEAD": b"", **{k: t.encode() for k, t in contents.items()}}))


def version(found: Projects, path: str, package: str, framework: str = "trl") -> str | None:
    project = found.for_file(path, framework)
    pin = None if project is None else project.pins.get(package)
    return None if pin is None else pin.version


def test_the_files_of_a_folder_share_one() -> None:
    found = projects(
        requirements_txt="trl==0.24.0\naxolotl==0.12.2\n", sub__requirements_txt="trl==1.0.0\n"
    )
    one = found.for_file("/p/a.yaml", "trl")
    assert one is not None
    assert found.for_file("/p/b.yaml", "trl") is one
    assert found.for_file("/p/b.yaml", "axolotl") is not one
    assert version(found, "/p/a.yaml", "trl") == "0.24.0"
    assert version(found, "/p/sub/a.yaml", "trl") == "1.0.0"
    assert version(found, "/p/b.yaml", "axolotl", "axolotl") == "0.12.2"


@each("framework", ["trl", "axolotl", "verl"])
def test_none_where_nothing_is_stated(framework: str) -> None:
    assert projects(a_yaml="x: 1\n").for_file("/p/a.yaml", framework) is None
    assert projects(requirements_txt="numpy\n").for_file("/p/a.yaml", framework) is None


def test_a_notebook_installs_for_itself() -> None:
    found = projects(requirements_txt="trl==0.24.0\n", train_ipynb=NOTEBOOK, other_ipynb="{}")
    assert version(found, "/p/train.ipynb", "trl") == "0.20.0"
    assert version(found, "/p/other.ipynb", "trl") == "0.24.0"
    assert version(found, "/p/a.yaml", "trl") == "0.24.0"
    # What a config of that name would be is not read as a notebook.
    assert version(projects(train_yaml=NOTEBOOK), "/p/train.yaml", "trl") is None
    assert version(projects(train_ipynb=NOTEBOOK), "/p/train.ipynb", "trl") == "0.20.0"


def test_a_program_says_what_it_is_installed_with() -> None:
    listed = "# pip install trl==0.22.0\nimport trl\n"
    found = projects(train_py=listed, other_py="import trl\n", requirements_txt="numpy\n")
    assert version(found, "/p/train.py", "trl", "trl_programs") == "0.22.0"
    assert version(found, "/p/other.py", "trl", "trl_programs") is None


def test_commands_of_a_launcher_are_of_interest_to_its_settings() -> None:
    launch = "accelerate launch --num_processes 4 train.py\n"
    assert projects(run_sh=launch).for_file("/p/acc.yaml", "accelerate") is not None
    assert projects(run_sh="python train.py\n").for_file("/p/acc.yaml", "accelerate") is None
