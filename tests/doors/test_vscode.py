"""The extension for VS Code: types, style, its logic against the real server, its package."""

from __future__ import annotations

import json
import os
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from tests.doors.commands import finished

pytestmark = pytest.mark.doors
ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "editors" / "vscode"
#: Written by npm and the compiler.
MADE = shutil.ignore_patterns("node_modules", "out", "*.vsix", "package-lock.json")


def npm(folder: Path, *arguments: str) -> str:
    """What npm says; it has to succeed."""
    command = shutil.which("npm")
    if command is None:
        pytest.skip("npm is not installed")
    own = {**os.environ, "CFGLINT_PYTHON": sys.executable, "PYTHONPATH": str(ROOT / "src")}
    return finished([command, *arguments], folder, own)


def test_the_extension_is_built_tested_and_packaged(tmp_path: Path) -> None:
    folder = tmp_path / "vscode"
    shutil.copytree(EXTENSION, folder, ignore=MADE)
    npm(folder, "install")
    npm(folder, "run", "lint")
    npm(folder, "test")
    npm(folder, "run", "package")
    with zipfile.ZipFile(folder / "cfglint.vsix") as package:
        names = set(package.namelist())
    assert "extension/out/extension.js" in names
    assert not any("node_modules" in name or "/src/" in name for name in names)


def test_every_setting_is_told_and_every_command_exists() -> None:
    about = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))["contributes"]
    logic = (EXTENSION / "src" / "logic.ts").read_text(encoding="utf-8")
    code = (EXTENSION / "src" / "extension.ts").read_text(encoding="utf-8")
    for name in about["configuration"]["properties"]:
        assert f'"{name.removeprefix("cfglint.")}"' in logic + code, name
    for command in about["commands"]:
        assert f'registerCommand("{command["command"]}"' in code


def test_no_lock_file_names_where_packages_come_from() -> None:
    assert not (EXTENSION / "package-lock.json").exists()
    assert "package-lock=false" in (EXTENSION / ".npmrc").read_text(encoding="utf-8")
