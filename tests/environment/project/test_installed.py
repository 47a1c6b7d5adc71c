"""The packages of an environment, read from their metadata."""

from __future__ import annotations

import json
from pathlib import Path

from cfglint.environment.project.installed import installed
from cfglint.source.files.disk import Disk

SHA = "54673fd6ca39bf86addb20ba7d44a77071b4dc4f"


def package(folder: Path, name: str, version: str, *, commit: str | None = None) -> Path:
    home = folder / f"{name}-{version}.dist-info"
    home.mkdir(parents=True)
    (home / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n\nX")
    if commit is not None:
        told = {"url": "x", "vcs_info": {"vcs": "git", "commit_id": commit}}
        (home / "direct_url.json").write_text(json.dumps(told))
    return home


def test_a_virtual_environment(tmp_path: Path) -> None:
    site = tmp_path / "lib" / "python3.11" / "site-packages"
    package(site, "axolotl", "0.13.0.dev0", commit=SHA)
    package(site, "flash_attn", "2.8.3")
    for other in ("abc", "pandas"):
        package(site, other, "2.0")
    (site / "README.txt").write_text("")
    found = installed(Disk(), {"VIRTUAL_ENV": str(tmp_path)})
    assert found is not None
    assert {(s.package, s.version, s.commit) for s in found.statements} == {
        ("axolotl", "0.13.0.dev0", SHA),
        ("flash-attn", "2.8.3", None),
    }
    assert {s.place.line for s in found.statements} == {3}


def test_the_python_on_the_path(tmp_path: Path) -> None:
    package(tmp_path / "lib" / "python3.12" / "site-packages", "trl", "0.17.0")
    binary = tmp_path / "bin" / "python"
    binary.parent.mkdir()
    binary.write_text("#!/bin/sh\nexit 1\n")
    binary.chmod(0o755)
    found = installed(Disk(), {"PATH": str(binary.parent)})
    assert found is not None
    assert [s.package for s in found.statements] == ["trl"]


def test_no_environment(tmp_path: Path) -> None:
    assert installed(Disk(), {"PATH": str(tmp_path)}) is None
    assert installed(Disk(), {"VIRTUAL_ENV": str(tmp_path / "gone")}) is None


def test_broken_metadata(tmp_path: Path) -> None:
    site = tmp_path / "lib" / "python3.11" / "site-packages"
    home = package(site, "trl", "0.17.0")
    (home / "METADATA").write_bytes(b"\xff\xfe\x00")
    (home / "direct_url.json").write_text("[" * 5000)
    found = installed(Disk(), {"VIRTUAL_ENV": str(tmp_path)})
    assert found is not None
    assert [(s.version, s.commit) for s in found.statements] == [("0.17.0", None)]
