"""Which names of TRL are in its experimental part, and since when."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from tools.python_sources.sources import read_release
from tools.trl_release.moved import Moved

HOME = "from .config import ORPOConfig\n"


def release(folder: Path, version: str, files: dict[str, str]) -> Path:
    path = folder / f"trl-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"trl/{name}", text)
        archive.writestr(f"trl-{version}.dist-info/METADATA", f"Name: trl\nVersion: {version}\n")
    return path


def test_names_of_all_releases(tmp_path: Path) -> None:
    both = {"__init__.py": '_import_structure = {"trainer": ["ORPOConfig", "SFTConfig"]}\n'}
    newer = {"__init__.py": "from .trainer import SFTConfig\n"}
    there = {"experimental/__init__.py": "", "experimental/orpo/__init__.py": HOME}
    moved = Moved()
    for version, files in (
        ("0.9.0", both),
        ("0.10.0", {**both, **there}),
        ("0.11.0", {**newer, **there}),
        ("0.12.0", newer),
    ):
        moved.add(read_release(release(tmp_path, version, files), "trl", None))
    moved.write(tmp_path / "data" / "moved.json")
    written = json.loads((tmp_path / "data" / "moved.json").read_text(encoding="utf-8"))
    assert written == {"ORPOConfig": [["experimental.orpo", "0.10.0", "0.12.0"]]}
