"""What looking for a project costs: modules are imported only for files that are there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import SOURCES
from tests.engine.files_together.test_other_files import CONFIG

_SCRIPT = """\
import json, sys
sys.argv = ["cfglint", "train.yml"]
from cfglint.cli import main
try:
    main()
except SystemExit:
    pass
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""
_ALWAYS = {
    "cfglint.environment.project",
    "cfglint.environment.project.chains",
    "cfglint.environment.project.copies",
    "cfglint.environment.project.file_kinds",
    "cfglint.environment.project.finder",
    "cfglint.environment.project.kept_lists",
    "cfglint.environment.project.projects",
}


def modules(folder: Path) -> set[str]:
    (folder / ".git").mkdir()
    (folder / "train.yml").write_text(CONFIG)
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": SOURCES},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


def own(found: set[str]) -> set[str]:
    return {name for name in found if name.startswith("cfglint.environment.project")}


@pytest.mark.parametrize(
    "files",
    [{}, {"pyproject.toml": "[tool.ruff]\n"}, {"Makefile": "all:\n", "Dockerfile": "FROM x"}],
)
def test_nothing_around(tmp_path: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = modules(tmp_path)
    assert own(found) == _ALWAYS
    assert not found & {
        "tomllib",
        "tomli",
        "packaging",
        "cfglint.frameworks.axolotl.checks.environment",
    }


def test_a_lock_file_needs_no_parser(tmp_path: Path) -> None:
    text = "".join(
        f'[[package]]\nname = "{name}"\nversion = "{version}"\n\n'
        for name, version in (("axolotl", "0.21.0"), ("torch", "2.14.0"), ("trl", "1.14.1"))
    )
    (tmp_path / "uv.lock").write_text(text)
    found = modules(tmp_path)
    assert "cfglint.environment.project.readers.toml_locks" in found
    assert not found & {
        "tomllib",
        "tomli",
        "packaging",
        "cfglint.environment.project.readers.requirements",
    }
