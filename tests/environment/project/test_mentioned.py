"""Whether anything in a project names a file."""

from __future__ import annotations

import os

from cfglint.environment.project.mentioned import is_mentioned
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.runs.starts.commands import read
from cfglint.source.files.memory import InMemory
from tests.draws import each


def project(files: dict[str, str], **others: object) -> Surroundings:
    contents = {"p/.git/HEAD": "", "p/conf/train-it.yml": "train-it: 1\n", **files}
    around = Surroundings(
        Memory(),
        InMemory({path: text.encode() for path, text in contents.items()}),
        path=os.path.abspath("p/conf/train-it.yml"),
        folder=os.path.abspath("p/conf"),
    )
    return around.replaced(**others)


@each(
    ("name", "text", "mentioned"),
    [
        ("p/run.sh", "train conf/train-it.yml\n", True),
        ("p/run.sh", "train train-it\n", True),
        ("p/run.sh", "train my-train-it.yml\n", False),
        ("p/run.sh", "train train-it-2.yml\n", False),
        ("p/run.sh", "train other.yml\n", False),
        ("p/main.py", "load('train-it')\n", True),
        ("p/conf/other.yml", "base: train-it.yml\n", True),
        # A program that puts names together may mean any file.
        ("p/main.py", "import_module(name)\n", True),
        ("p/main.py", "import_module(f'x.{name}')\n", True),
        ("p/main.py", "import_module('x.y')\n", False),
        ("p/main.py", "pkgutil.iter_modules(x)\n", True),
        ("q/run.sh", "train train-it.yml\n", False),
    ],
)
def test_a_file_of_the_project(name: str, text: str, mentioned: bool) -> None:
    assert is_mentioned(project({name: text})) is mentioned


def test_where_nothing_is_known_of_a_project() -> None:
    (start,) = read("/x/run.sh", "axolotl train train-it.yml\n")
    assert not is_mentioned(project({}))
    assert is_mentioned(project({}, folder=None))
    assert is_mentioned(project({}, path=""))
    assert is_mentioned(project({}, launches=(start,)))
