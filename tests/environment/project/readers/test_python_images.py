"""The Python that a project's files name."""

from __future__ import annotations

from cfglint.environment.project.readers.python_images import files_in, read
from tests.draws import each


@each(
    ("names", "expected"),
    [
        ([], []),
        (["a.py", "README.md"], ["README.md"]),
        (
            ["Dockerfile", "pyproject.toml", ".python-version"],
            [".python-version", "pyproject.toml", "Dockerfile"],
        ),
        (["containerfile.gpu"], ["containerfile.gpu"]),
        # Of several images none is known to be the run's.
        (["Dockerfile", "Dockerfile.dev"], []),
        (["readme.md", "my.Dockerfile"], ["readme.md"]),
    ],
)
def test_which_files(names: list[str], expected: list[str]) -> None:
    assert files_in("/p", names) == [f"/p/{one}" for one in expected]


@each(
    ("name", "text", "version", "line"),
    [
        (".python-version", "3.10\n", "3.10", 1),
        (".python-version", " cpython-3.11.4 \n", "3.11.4", 1),
        (".python-version", "3.10\n3.11\n", None, 0),
        (".python-version", "2.7\n", None, 0),
        ("Dockerfile", "FROM python:3.10-slim\n", "3.10", 1),
        ("Dockerfile", "# x\nfrom --platform=linux/amd64 docker.io/library/python:3.9\n", "3.9", 2),
        ("Dockerfile", "FROM python:3.10\nFROM python:3.10-slim AS b\n", "3.10", 1),
        ("Dockerfile", "FROM python:3.10\nFROM python:3.11\n", None, 0),
        ("Dockerfile", "FROM my-python:3.10\nFROM ubuntu\n", None, 0),
        ("README.md", "Run\n\n    conda create -n a python=3.9 -y\n", "3.9", 3),
        ("README.md", "mamba create -n a 'python == 3.12'\n", "3.12", 1),
        ("README.md", "uv venv --python 3.11\nconda create -n a python=3.11\n", "3.11", 1),
        ("README.md", "uv venv -p python3.11\n", "3.11", 1),
        ("README.md", "uv venv --python 3.11\nconda create -n a python=3.9\n", None, 0),
        ("README.md", "It needs python=3.9.\n", None, 0),
        ("README.md", f"{'x' * 100_000} uv venv --python 3.11\n", None, 0),
        ("Dockerfile", f"#{'x' * 100_000}\nFROM python:3.10\n", None, 0),
    ],
)
def test_a_version(name: str, text: str, version: str | None, line: int) -> None:
    found = read(f"/p/{name}", text)
    assert [(one.package, one.version) for one in found] == (
        [("python", version)] if version else []
    )
    for one in found:
        assert text.split("\n")[line - 1] == text.split("\n")[one.place.line - 1]


@each(
    ("text", "spec"),
    [
        ('[project]\nrequires-python = ">=3.8,<3.12"\n', ">=3.8,<3.12"),
        ("requires-python='==3.9.*'\n", "==3.9.*"),
        ("# requires-python = '>=3.8'\n", None),
        ("[project]\n", None),
        (f"#{'x' * 100_000}\nrequires-python='==3.9.*'\n", None),
    ],
)
def test_a_range(text: str, spec: str | None) -> None:
    found = read("/p/pyproject.toml", text)
    assert [(one.package, one.version, one.spec) for one in found] == (
        [("python", None, spec)] if spec else []
    )
