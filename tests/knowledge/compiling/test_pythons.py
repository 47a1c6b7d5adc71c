"""From which release on a package needs which Python."""

from __future__ import annotations

import json
from pathlib import Path

from cfglint.knowledge.compiling.pythons import python_floors


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def framework(home: Path, **pythons: str) -> Path:
    """A framework, with the Python of each release (`r1_10` is 1.10)."""
    write(home / "framework.yaml", f"title: T\npackages: [{home.name}, more]\nlanguage: yaml\n")
    releases = {
        name[1:].replace("_", "."): {"python": python} if python else {}
        for name, python in pythons.items()
    }
    write(home / "releases.json", json.dumps({"releases": releases}))
    return home


def test_nothing_is_stated(tmp_path: Path) -> None:
    write(tmp_path / "a" / "framework.yaml", "title: T\npackages: [a]\nlanguage: yaml\n")
    assert python_floors(tmp_path, [tmp_path / "a"]) == {}


def test_what_releases_state(tmp_path: Path) -> None:
    releases = {
        "r1_10": ">=3.10",
        "r1_2": ">=3.9,<4",
        "r1_0": "",
        "r1_3": ">= 3.9",
        "r1_11": "",
        "r1_12": "<3.13",
        "r2_0": ">=3.10,<3.14",
        "r2_1": "<3.15,>=3.11",
    }
    found = python_floors(tmp_path, [framework(tmp_path / "a", **releases)])
    # Those alone that need another one than the release before.
    assert found == {"a": (("1.2", "3.9"), ("1.10", "3.10"), ("2.1", "3.11"))}


def test_where_it_is_stated(tmp_path: Path) -> None:
    homes = [framework(tmp_path / "a", r1_0=">=3.8"), framework(tmp_path / "b", r1_0="")]
    write(tmp_path / "pythons.yaml", 'a: {0.1.0: "3.6"}\nb: {1.0.0: "3.7", 2.0.0: "3.9"}\n')
    names = {"b": {"pythons": {"0.5": "3.5"}}, "c": {"pythons": {"3.0": "3.10"}}}
    write(tmp_path / "names.json", json.dumps(names))
    assert python_floors(tmp_path, homes) == {
        # The releases themselves come first, then `pythons.yaml`, then `names.json`.
        "a": (("1.0", "3.8"),),
        "b": (("1.0.0", "3.7"), ("2.0.0", "3.9")),
        "c": (("3.0", "3.10"),),
    }
