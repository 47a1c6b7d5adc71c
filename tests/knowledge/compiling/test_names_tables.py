"""The names that programs import from packages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cfglint.knowledge.compiling.names_tables import names_tables


def home(folder: Path, name: str, names: dict[str, Any] | None, **parts: Any) -> Path:
    described = {"title": "T", "packages": [name], "language": "yaml", **parts}
    (folder / name).mkdir()
    (folder / name / "framework.yaml").write_text(json.dumps(described), encoding="utf-8")
    if names is not None:
        (folder / name / "names.json").write_text(json.dumps(names), encoding="utf-8")
    return folder / name


def test_tables(tmp_path: Path) -> None:
    homes = [
        home(tmp_path, "upper", {"up-per": {"A": ["1.0", None]}}, packages=["up-per", "more"]),
        # Its names are those of the package below it.
        home(tmp_path, "beside", None, below="up-per"),
        home(tmp_path, "bare", None),
    ]
    table = {"module": "low", "releases": ["1"], "asks": {"b": ">1"}, "names": {"B": ["1", "2"]}}
    (tmp_path / "names.json").write_text(json.dumps({"lower": table}), encoding="utf-8")
    assert names_tables(tmp_path, iter(homes)) == {
        "names_of_up_per.py": {"NAMES": {"A": ("1.0", None)}},
        "names_of_lower.py": {
            "NAMES": {"B": ("1", "2")}, "RELEASES": ("1",), "ASKS": {"b": ">1"},
        },
        # The names of `names.json` at the top date no release of a framework.
        "dated_packages.py": {"PACKAGES": {"upper": ("up-per",), "beside": ("up-per",)}},
        "named_packages.py": {"MODULES": {"low": "lower"}},
    }  # fmt: skip


def test_no_tables(tmp_path: Path) -> None:
    assert names_tables(tmp_path, [home(tmp_path, "bare", None)]) == {
        "dated_packages.py": {"PACKAGES": {}},
        "named_packages.py": {"MODULES": {}},
    }
