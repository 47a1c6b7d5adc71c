"""The extension for VS Code: types, style, its logic against the real server, its package."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.doors.commands import finished

pytestmark = pytest.mark.doors
ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "editors" / "vscode"
#: Written by npm and the compiler.
MADE = shutil.ignore_patterns("node_modules", "out", "bundled", "*.vsix", "package-lock.json")
#: The size of the minified extension that is not exceeded, in bytes.
LARGEST = 500_000


def npm(folder: Path, *arguments: str) -> str:
    """What npm says; it has to succeed."""
    command = shutil.which("npm")
    if command is None:
        pytest.skip("npm is not installed")
    own = {**os.environ, "CFGLINT_PYTHON": sys.executable, "CFGLINT_SOURCE": str(ROOT)}
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
        assert package.getinfo("extension/out/extension.js").file_size < LARGEST
        package.extractall(tmp_path / "installed")
    assert not any("node_modules" in name or "/src/" in name for name in names)
    assert not any(name.endswith((".so", ".pyd")) for name in names)
    its_own_program_serves(tmp_path / "installed" / "extension")


def its_own_program_serves(extension: Path) -> None:
    """What the extension brings starts, with nothing else that is installed."""
    run = [sys.executable, "-I", "-S", str(extension / "bundled" / "run_server.py")]
    subprocess.run([*run, "--probe"], check=True, cwd=extension)
    config = extension / "train.yml"
    text = "base_model: a/b\nmicro_batch_size: 1\noutput_dir: ./o\nsequence_lenn: 2048\n"
    config.write_text(text, encoding="utf-8")
    found = subprocess.run(
        [*run, "train.yml", "--select", "KEY", "--format", "concise"],
        capture_output=True,
        text=True,
        cwd=extension,
        check=False,
    )
    assert "train.yml:4:1" in found.stdout
    (extension / "cfglint.toml").write_text('rules = ["own"]\n', encoding="utf-8")
    (extension / "own").mkdir()
    found = subprocess.run(
        [*run, "train.yml"], capture_output=True, text=True, cwd=extension, check=False
    )
    assert found.returncode == 2
    assert "rules of a project need pydantic, which this installation lacks" in found.stderr


def test_the_icon_is_a_square_of_128_pixels() -> None:
    head = (EXTENSION / "icon.png").read_bytes()[:24]
    assert head.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", head[16:24]) == (128, 128)
    assert (EXTENSION / "icon.svg").read_text(encoding="utf-8").startswith("<svg ")


def test_the_effective_configuration_is_offered_for_configs_alone() -> None:
    about = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))["contributes"]
    for places in about["menus"].values():
        for one in places:
            assert one["command"] != "cfglint.showEffective" or one["when"] == "cfglint.isConfig"


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
