"""A framework is one package and one folder of rules: the tests of all others pass beside it.

The one of `docs/framework-in-an-afternoon.md` is added to a copy of this checkout, and the general
tests are run there: all but those of single frameworks, the doors, and the ones that build the
same framework themselves.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_toy_framework import FILES

pytestmark = pytest.mark.doors

ROOT = Path(__file__).resolve().parents[2]
#: Its own folders; the configs of the page are not part of it.
ADDED = {name: text for name, text in FILES.items() if "/toy/" in name}
#: What is not general, below `tests/`.
_LEFT_OUT = ("doors", "frameworks", "test_toy_framework.py")
#: Seconds.
_LIMIT = 1800


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is under version control, with the framework, as a repository of its own."""
    folder = tmp_path_factory.mktemp("another") / "checkout"
    listed = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    subprocess.run(("git", "init", "--quiet"), cwd=folder, check=True)
    for name, text in ADDED.items():
        assert not (folder / name).exists()
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def run(checkout: Path, *arguments: str) -> str:
    """What a module prints that runs in the checkout.

    Raises:
        AssertionError: its exit code is not 0.
    """
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout / "src"), "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        timeout=_LIMIT,
    )
    assert done.returncode == 0, done.stdout[-8000:]
    return done.stdout


def test_its_rules_are_among_the_others(checkout: Path) -> None:
    assert "TOY  Toy's files" in run(checkout, "cfglint", "rules", "TOY")


def test_it_is_typed_and_styled_like_the_others(checkout: Path) -> None:
    package = "src/cfglint/frameworks/toy"
    run(checkout, "ruff", "check", package)
    run(checkout, "ruff", "format", "--check", package)
    run(checkout, "mypy", package)


def test_the_general_tests_pass_beside_it(checkout: Path) -> None:
    tests = [
        f"tests/{one.name}"
        for one in sorted((checkout / "tests").iterdir())
        if one.name not in _LEFT_OUT
        and (one.name.startswith("test_") if one.is_file() else any(one.glob("test_*.py")))
    ]
    run(checkout, "pytest", "-n", "2", *tests)
