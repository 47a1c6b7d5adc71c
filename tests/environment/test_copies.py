"""Whether a project has a package itself."""

from __future__ import annotations

import os

from cfglint.environment.copies import (
    around_copy,
    has_copy,
    is_copied,
    is_in_part,
    is_laid_over,
)
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.source.files.memory import InMemory
from tests.draws import each


def project(*paths: str, folder: str | None = "p/run", left: str = "") -> Surroundings:
    files = dict.fromkeys(("p/.git/HEAD", "p/run/a.sh", *paths), b"")
    return Surroundings(
        Memory(),
        InMemory(files),
        folder=None if folder is None else os.path.abspath(folder),
        left=left and os.path.abspath(left),
    )


@each(
    ("paths", "has"),
    [
        (("p/run/pkg/__init__.py",), True),
        (("p/run/src/pkg/__init__.py",), True),
        (("p/pkg/__init__.py",), True),
        (("p/src/pkg/__init__.py",), True),
        (("pkg/__init__.py",), False),
        (("p/run/pkg/main.py",), False),
        (("p/other/pkg/__init__.py",), False),
        ((), False),
    ],
)
def test_a_copy(paths: tuple[str, ...], has: bool) -> None:
    around = project(*paths)
    assert has_copy("pkg", os.path.abspath("p/run"), around) is has
    assert is_copied("pkg", around) is has
    assert not is_copied("pkg", project(*paths, folder=None))


WHOLES, PARTS = ("core", "deep/x.py"), ("core/sub", "extra")


@each(
    ("paths", "left", "in_part"),
    [
        (("p/pkg/__init__.py",), "", True),
        (("p/src/pkg/__init__.py",), "", True),
        # It is whole.
        (("p/pkg/__init__.py", "p/pkg/core/a.py"), "", False),
        (("p/pkg/__init__.py", "p/pkg/deep/x.py"), "", False),
        (("p/pkg/__init__.py", "p/pkg/deep/y.py"), "", True),
        # A part of it, to be laid over another one.
        (("p/pkg/extra/a.py",), "", True),
        (("p/pkg/other/a.py",), "", False),
        ((), "", False),
        # What is there need not be a release where a script goes elsewhere first.
        (("p/pkg/__init__.py", "p/pkg/core/a.py"), "p/run", True),
    ],
)
def test_a_package_in_part(paths: tuple[str, ...], left: str, in_part: bool) -> None:
    around = project(*paths, folder=None if left else "p/run", left=left)
    assert is_in_part("pkg", WHOLES, PARTS, around) is in_part
    assert not is_in_part("pkg", WHOLES, PARTS, project(*paths, folder=None))


def test_a_part_that_is_laid_over_another_package() -> None:
    around = project("p/a/core/sub/x.py", "p/b/core/sub/x.py", "p/b/__init__.py", "p/c/core/x.py")
    found = [is_laid_over(os.path.abspath(f"p/{name}"), PARTS, around) for name in "abc"]
    assert found == [True, False, False]


COPY = "p/deep/rl/pkg/__init__.py"


@each(
    ("text", "paths", "folder"),
    [
        ("export PYTHONPATH=deep/rl:$PYTHONPATH", (COPY,), "p/deep/rl"),
        ("PYTHONPATH=a:'deep/rl'", (COPY,), "p/deep/rl"),
        ("PYTHONPATH=$ROOT/deep/rl", (COPY,), "p/deep/rl"),
        ("PYTHONPATH=./deep/./rl", (COPY,), "p/deep/rl"),
        ("  cd ../deep/rl", (COPY,), "p/deep/rl"),
        ("cd deep/$X", (COPY,), "p/run"),
        ("cd ../../deep/rl", (COPY,), "p/run"),
        ("cd deep", (COPY,), "p/run"),
        ("cd $X", (COPY,), "p/run"),
        ("echo cd deep/rl", (COPY,), "p/run"),
        # Without any, the only copy below is what is installed.
        ("python a.py", (COPY,), "p/deep/rl"),
        ("python a.py", ("p/rl/pkg/__init__.py",), "p/rl"),
        ("python a.py", (COPY, "p/other/pkg/__init__.py"), "p/run"),
        ("python a.py", (COPY, "p/run/x/pkg/__init__.py"), "p/run/x"),
        ("python a.py", ("p/a/b/c/pkg/__init__.py",), "p/run"),
        ("python a.py", ("p/.hidden/pkg/__init__.py",), "p/run"),
        ("python a.py", (), "p/run"),
        # One that it lies in needs no such thing.
        ("cd deep/rl", (COPY, "p/pkg/__init__.py"), "p/run"),
    ],
)
def test_the_folder_of_the_copy_that_a_script_starts(
    text: str, paths: tuple[str, ...], folder: str
) -> None:
    found = around_copy("pkg", f"set -e\n{text}\n", project(*paths))
    assert found.folder == os.path.abspath(folder)
    assert around_copy("pkg", text, project(*paths, folder=None)).folder is None
