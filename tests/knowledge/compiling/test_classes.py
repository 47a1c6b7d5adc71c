"""The tables of classes, compiled: of what a class inherits only what differs is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cfglint.base.packing import unpack
from cfglint.knowledge.compiling.classes import class_tables


def written(home: Path, place: str, data: dict[str, Any]) -> None:
    path = home / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data))


def test_classes(tmp_path: Path) -> None:
    key = {"since": "1", "type": "int"}
    section = {"": {"since": "1", "forbids_unknown_since": "1"}}
    base = {"a": key, "out": {**key, "required_history": [["1", True], ["2", False]]}}
    written(
        tmp_path,
        "tables/low.json",
        {"releases": ["1"], "keys": base, "sections": section, "plugins": {}},
    )
    own = {"releases": ["1", "2"], "sections": section}
    for name, above, keys in (
        ("high.Config", "low.Arguments", {"b": key}),
        ("high.Trainer", "", {"c": key}),
        ("other.Adapter", "", {"d": key}),
    ):
        place = f"classes/{name.rpartition('.')[2]}.json"
        written(tmp_path, place, {**own, "class": name, "above": above, "keys": keys})
    found = class_tables(tmp_path, ["high", "low"], "low")
    rows = {name: unpack(packed) for name, packed in found["CLASSES"].items()}
    assert {name: (above, names) for name, (above, names, _) in rows.items()} == {
        "low.Arguments": ("", ["out", "a"]),
        "high.Config": ("low.Arguments", ["b"]),
        "high.Trainer": ("", ["c"]),
        "other.Adapter": ("", ["d"]),
    }
    assert list(rows["high.Config"][2]["SECTIONS"][""]) == ["b"]
    assert rows["low.Arguments"][2]["SECTIONS"][""]["a"][0] == "low 1"
    assert rows["other.Adapter"][2]["FORBIDS_UNKNOWN"] == {"": "other 1"}
    assert rows["low.Arguments"][2]["REQUIRED_UNTIL"] == {"out": "low 2"}
    assert rows["high.Config"][2]["REQUIRED_UNTIL"] == {}
    assert found["RELEASES"] == {"other": ("1", "2")}


def test_the_releases_of_a_package_are_in_order_whichever_class_came_first(tmp_path: Path) -> None:
    section = {"": {"since": "1.9", "forbids_unknown_since": "1.9"}}
    written(
        tmp_path,
        "tables/low.json",
        {"releases": ["1.9"], "keys": {}, "sections": section, "plugins": {}},
    )
    for name, above, releases in (
        ("high.Config", "low.Arguments", ["1.9"]),
        ("other.Added", "", ["1.10", "2.0rc1"]),
        ("other.Older", "", ["1.9", "1.10"]),
    ):
        data = {
            "class": name,
            "above": above,
            "keys": {},
            "releases": releases,
            "sections": section,
        }
        written(tmp_path, f"classes/{name.rpartition('.')[2]}.json", data)
    found = class_tables(tmp_path, ["high", "low"], "low")
    assert found["RELEASES"] == {"other": ("1.9", "1.10", "2.0rc1")}


def test_most_frameworks_have_none(tmp_path: Path) -> None:
    assert class_tables(tmp_path, ["x"], "") == {}
