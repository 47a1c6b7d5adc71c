"""A file, and the texts of its project."""

from __future__ import annotations

import os

from cfglint.environment.project.file_in_project import FileInProject
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.source.files.memory import InMemory

FILES = {
    "p/.git/HEAD": "",
    "p/conf/first.yml": "a: 1\n",
    "p/conf/second.yml": "a: 2\n",
    "p/conf/third.yaml": "a: 3\n",
    "p/run.sh": "# first.yml\ntrain conf/second.yml\n",
    "p/main.py": "from conf import first\n",
}


def first() -> FileInProject:
    files = InMemory({path: text.encode() for path, text in FILES.items()})
    folder = os.path.abspath("p/conf")
    around = Surroundings(Memory(), files, path="p/conf/first.yml", folder=folder)
    return FileInProject(around, folder)


def test_its_names() -> None:
    file = first()
    assert file.root == os.path.abspath("p")
    assert (file.name, file.stem, file.ending) == (
        "first.yml",
        "first",
        ".yml",
    )
    assert file.inside(file.path) == "conf/first.yml"
    assert sorted(file.beside()) == ["first.yml", "second.yml"]


def test_the_others() -> None:
    file = first()
    others = {file.inside(path): text for path, text in file.others()}
    assert set(others) == {"run.sh", "main.py", "conf/second.yml", "conf/third.yaml"}
    assert others["main.py"] is not None
    assert file.is_imported_in(others["main.py"])
    assert not file.is_imported_in("firsts = 1\n")


def test_comments_are_not_in_force() -> None:
    file, path = first(), os.path.abspath("p/run.sh")
    assert "first.yml" not in file.in_force(path, FILES["p/run.sh"])
    assert "second.yml" in file.in_force(path, FILES["p/run.sh"])
