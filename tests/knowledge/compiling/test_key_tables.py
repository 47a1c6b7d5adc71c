"""The key history of a package, as a run needs it."""

from __future__ import annotations

import marshal
from typing import Any

from cfglint.knowledge.compiling.key_tables import fields, key_tables

KEYS: dict[str, dict[str, Any]] = {
    "seed": {"since": "0.1", "type": "int|null", "default": 42, "required": False},
    "base": {
        "since": "0.2",
        "type": "str",
        "default": "<required>",
        "required": True,
        "alias": ["model"],
        "alias_history": [["0.2", []], ["0.3", ["model"]]],
        "enum": ["a"],
    },
    "old": {"since": "0.1", "removed": "0.3", "type": "bool", "default": True, "rename": "seed"},
    "gone": {"since": "0.1", "type": "str", "default": None, "replaced_by": {"to": "base"}},
    "extra": {"since": "0.3", "type": "bool", "default": False, "plugin": "p.B", "required": True},
    "a": {"since": "0.1", "type": "model:A", "default": {"x": 1}, "when": [["seed", 1]]},
    "a.b": {
        "since": "0.1",
        "type": "int",
        "default": 3,
        "required": True,
        "alias": ["a.c"],
        "absent": ["0.2"],
        "constraints": {"gt": 0},
    },
}
DATA: dict[str, Any] = {
    "keys": KEYS,
    "plugins": {"p.A": {"builtin_since": "0.2"}, "p.B": {}},
    "sections": {
        "a": {
            "since": "0.1",
            "forbids_unknown_since": "0.2",
            "removed": "0.9",
            "readers": [["0.1", "x"]],
        },
        "z": {"since": "0.3", "read_since": "0.4"},
    },
}
REACTIONS = [
    {"key": "old", "since": "0.2", "reaction": "warns", "when": "truthy"},
    {"key": "gone", "since": "0.3", "reaction": "rejects", "when": "set"},
]


def test_tables() -> None:
    found = key_tables(DATA, REACTIONS)
    schemas = {key: marshal.loads(packed) for key, packed in found["SCHEMAS"].items()}
    assert {**found, "SCHEMAS": schemas} == {
        "SECTIONS": {
            "": {
                "seed": ("0.1", None, "int|null", -1, None),
                "base": ("0.2", None, "str", -1, None),
                "model": ("0.3", None, "str", -1, None),
                "old": ("0.1", "0.3", "bool", -1, "seed"),
                "gone": ("0.1", None, "str", -1, "base"),
                "extra": ("0.3", None, "bool", 1, None),
                "a": ("0.1", None, "model:A", -1, None),
            },
            "a": {"b": ("0.1", None, "int", -1, None), "c": ("0.1", None, "int", -1, None)},
        },
        "PLUGINS": ("p.A", "p.B"),
        "BUILTIN_PLUGINS": {"p.A": "0.2"},
        "FORBIDS_UNKNOWN": {"a": "0.2"},
        "DEFAULTS": {"seed": 42, "a.b": 3, "a.c": 3},
        "REQUIRED": ("base",),
        "REQUIRED_INSIDE": {"": ("extra",), "a": ("b",)},
        "SCHEMAS": {
            "base": {"enum": ["a"]},
            "model": {"enum": ["a"]},
            "a.b": {"constraints": {"gt": 0}},
            "a.c": {"constraints": {"gt": 0}},
        },
        "SECTION_SINCE": {"a": "0.1", "z": "0.3"},
        "SECTION_REMOVED": {"a": "0.9"},
        "READERS": {"a": (("0.1", "x"),)},
        "ABSENT": {"a.b": ("0.2",)},
        "READ_WHEN": {"z": {"read_since": "0.4"}, "a": {"when": [["seed", 1]]}},
        "REACTIONS": {"old": ("0.2", "warns", "truthy"), "gone": ("0.3", "rejects", "set")},
    }


def test_fields() -> None:
    found = fields(DATA["keys"])
    assert list(found) == ["", "a"]
    assert found["a"]["b"] == {
        "since": "0.1",
        "absent": ["0.2"],
        "alias": ["a.c"],
        "type": "int",
        "default": 3,
    }
    assert found[""]["extra"]["plugin"] == "p.B"
