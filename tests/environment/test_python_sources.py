"""The Python sources of a project, and where they use a name."""

from __future__ import annotations

import os

from cfglint.environment.python_sources import (
    is_read_at,
    is_read_in,
    named_by,
    places,
    project_root,
    python_sources,
    sources_naming,
)
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.source.files.memory import InMemory
from tests.draws import each


def project(files: dict[str, bytes], folder: str | None = "p/a") -> Surroundings:
    return Surroundings(
        Memory(),
        InMemory({"p/.git/HEAD": b"", "p/a/x.yml": b"", "q/x.yml": b"", **files}),
        folder=None if folder is None else os.path.abspath(folder),
    )


def names(found: dict[str, str | None]) -> list[str]:
    return [os.path.relpath(path) for path in found]


def test_the_root_of_a_project() -> None:
    around = project({})
    assert project_root(around, os.path.abspath("p/a")) == os.path.abspath("p")
    assert project_root(around, os.path.abspath("p")) == os.path.abspath("p")
    # Outside of a repository the folder is all of it.
    assert project_root(around, os.path.abspath("q")) == os.path.abspath("q")


def test_the_sources_of_a_project() -> None:
    files = {
        "p/b.py": b"b = 1\r\n",
        "p/a.py": b"a = 1\n",
        "p/a/c.py": b"c",
        "p/a/c.txt": b"c",
        "p/.hidden/d.py": b"d",
        "p/build/d.py": b"d",
        "p/venv/lib/d.py": b"d",
        "p/a/deep/e.py": b"e",
        "q/f.py": b"f",
    }
    found = python_sources(project(files), os.path.abspath("p"))
    assert names(found) == ["p/a.py", "p/b.py", "p/a/c.py", "p/a/deep/e.py"]
    assert found[os.path.abspath("p/b.py")] == "b = 1\n"
    gone = python_sources(project({}), os.path.abspath("gone"))
    assert gone == {os.path.abspath("gone"): None}


def test_of_very_many_sources_some_are_read() -> None:
    files = {f"p/m{n:03}.py": b"x" for n in range(402)}
    found = python_sources(project(files), os.path.abspath("p"))
    assert [text is None for text in found.values()] == [False] * 400 + [True] * 2
    folders = {f"p/f{n:03}/m.py": b"x" for n in range(402)}
    many = python_sources(project(folders), os.path.abspath("p"))
    assert many[os.path.abspath("p")] is None
    assert len(many) <= 400
    large = python_sources(project({"p/m.py": b"#" * 1_000_001}), os.path.abspath("p"))
    assert large[os.path.abspath("p/m.py")] is None
    together = {f"p/m{n:02}.py": b"#" * 1_000_000 for n in range(12)}
    found = python_sources(project(together), os.path.abspath("p"))
    assert found[os.path.abspath("p")] is None
    assert len(found) == 12


@each(
    ("text", "named"),
    [
        ("open('train.yml')", True),
        ("load(name='train')", True),
        ('load("train")', True),
        ("train()", False),
        ("load('my-train')", False),
    ],
)
def test_programs_that_name_a_file(text: str, named: bool) -> None:
    around = project({"p/m.py": text.encode()})
    found = sources_naming("p/a/train.yml", around)
    assert [os.path.relpath(path) for path, _ in found] == (["p/m.py"] if named else [])
    assert sources_naming("p/a/train.yml", project({"p/m.py": text.encode()}, None)) == []


def test_of_many_programs_that_name_a_file_eight_are_looked_at() -> None:
    files = {f"p/m{n:02}.py": b"open('x.yml')" for n in range(10)}
    assert len(sources_naming("x.yml", project(files))) == 8


@each(
    ("text", "name", "expected"),
    [
        ("lr", "lr", [(0, 2)]),
        ("lr, lr_2, my_lr, lr", "lr", [(0, 2), (17, 19)]),
        ("a.lr['lr']", "lr", [(2, 4), (6, 8)]),
        ("", "lr", []),
        ("a-b", "a-b", []),
        ("1x 2", "2", []),
    ],
)
def test_where_a_name_is(text: str, name: str, expected: list[tuple[int, int]]) -> None:
    assert [*places(text, name)] == expected


@each(
    ("text", "is_read"),
    [
        ("args.lr", True),
        ("training_args.lr", True),
        ("self.config.lr", True),
        ("model.lr", False),
        ("config['lr']", True),
        ('config["lr"]', True),
        ("config.get('lr', 1)", True),
        ("config.pop('lr')", True),
        ("get_or(config, 'lr', 1)", True),
        ("set_to(config, 'lr', 1)", False),
        ("['lr', 'x']", True),
        ("('lr')", False),
        ("config['lr x']", False),
        ("lr = 1", False),
        ("args.lr_2", False),
    ],
)
def test_a_name_that_is_read(text: str, is_read: bool) -> None:
    assert is_read_in(text, "lr") is is_read
    assert is_read_in(f"lr\n{text}\n", "lr") is is_read
    assert any(is_read_at(text, *place) for place in places(text, "lr")) is is_read


@each(
    ("written", "found"),
    [
        ("train.py", ["/p/train.py", "/p/src/train.py"]),
        ("src/train.py", ["/p/src/train.py"]),
        # The folder of a command is not known.
        ("../src/train.py", ["/p/src/train.py"]),
        ("./src/train.py", ["/p/src/train.py"]),
        ("rain.py", []),
        ("other/train.py", []),
    ],
)
def test_files_that_a_command_may_mean(written: str, found: list[str]) -> None:
    paths = [one.replace("/", os.sep) for one in ("/p/train.py", "/p/src/train.py", "/p/rain")]
    assert named_by(written, paths) == [one.replace("/", os.sep) for one in found]
