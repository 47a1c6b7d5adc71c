"""What becomes of written values by a small schema."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.roles.reading.schema import ReadingHabits, SchemaReader
from cfglint.source.document import Path
from tests.draws import each
from tests.roles.reading.schemas import fields_in

RELEASES = ("0.1", "0.2", "0.3")
TABLE: dict[str, dict[str, dict[str, Any]]] = {
    "": {
        "flag": {"since": "0.1", "type": "bool|null", "default": None},
        "rate": {"since": "0.1", "type": "float|str", "default": 0.5},
        "count": {"since": "0.1", "type": "int|null"},
        "mode": {"since": "0.1", "type": "literal|bool", "enum": ["a", 2], "default": "a"},
        "items": {"since": "0.1", "type": "list<int|str>|null", "default": [1]},
        "pairs": {"since": "0.1", "type": "list<tuple<int,str>>|null"},
        "table": {"since": "0.1", "type": "dict<str,list<int>>|null"},
        "free": {"since": "0.1", "type": "any"},
        "named": {"since": "0.1", "type": "int", "alias": ["other"], "default": 1},
        "section": {"since": "0.1", "type": "model:S|null", "default": {"x": "1"}},
        "machine": {
            "since": "0.1",
            "type": "str",
            "default": {"computed_from": ["a.B.AUTO.value"]},
        },
        "unknown": {"since": "0.1", "type": "str", "default": {"computed_from": ["f", "g"]}},
        "late": {"since": "0.3", "type": "int", "default": 3},
        "early": {"since": "0.1", "removed": "0.2", "type": "int", "default": 3},
        "gap": {"since": "0.1", "absent": ["0.2"], "type": "int", "default": 3},
        "extra": {"since": "0.1", "type": "int", "plugin": "p.P", "default": 3},
        "moved": {
            "since": "0.1",
            "type": "int",
            "types": [["0.1", "str"], ["0.2", "int"], ["0.3", "float"]],
            "defaults": [["0.1", "1"], ["0.2", 2]],
        },
    },
    "section": {
        "x": {"since": "0.1", "type": "int", "default": 0},
        "y": {"since": "0.1", "type": "bool", "default": True},
    },
}
DEFAULTS = {
    "flag": None, "rate": 0.5, "mode": "a", "items": [1], "named": 1, "section": {"x": 1, "y": True},
    "machine": "auto", "moved": 2,
}  # fmt: skip


def reader(
    release: str = "0.2",
    plugins: frozenset[str] = frozenset(),
    habits: ReadingHabits | None = None,
) -> SchemaReader:
    fields = fields_in(TABLE, RELEASES, release, plugins)
    return SchemaReader(
        fields, "a default", lambda _section, _entry: None, habits or ReadingHabits()
    )


def test_defaults() -> None:
    one = reader()
    assert one.read("", {}) == DEFAULTS
    assert one.unknown == {("unknown",): "cpus"}
    assert one.dropped == []
    assert one.sections == {(), ("section",)}
    assert one.reasons[("rate",)] == "a default"
    assert one.reasons[("section", "x")] == 'read from "1"'


@pytest.mark.parametrize(
    ("release", "plugins", "more"),
    [
        ("0.1", frozenset(), {"early": 3, "gap": 3, "moved": "1"}),
        ("0.3", frozenset(), {"late": 3, "gap": 3, "moved": 2}),
        ("0.2", frozenset({"p.P"}), {"extra": 3}),
    ],
)
def test_releases_and_plugins(release: str, plugins: frozenset[str], more: dict[str, Any]) -> None:
    assert reader(release, plugins).read("", {}) == {**DEFAULTS, **more}


@each(
    ("written", "read", "reasons"),
    [
        ({"flag": "yes"}, {"flag": True}, {("flag",): 'read from "yes"'}),
        ({"flag": 0}, {"flag": False}, {("flag",): "read from 0"}),
        ({"flag": None}, {"flag": None}, {}),
        ({"flag": "maybe"}, {"flag": "maybe"}, {}),
        ({"rate": 1}, {"rate": 1.0}, {("rate",): "read from 1"}),
        ({"rate": "0.1"}, {"rate": "0.1"}, {}),
        ({"rate": True}, {"rate": 1.0}, {("rate",): "read from true"}),
        ({"count": "3"}, {"count": 3}, {("count",): 'read from "3"'}),
        ({"count": 3.0}, {"count": 3}, {("count",): "read from 3.0"}),
        ({"count": 3.5}, {"count": 3.5}, {}),
        ({"mode": 2}, {"mode": 2}, {}),
        ({"mode": "true"}, {"mode": True}, {("mode",): 'read from "true"'}),
        ({"mode": 1}, {"mode": True}, {("mode",): "read from 1"}),
        ({"mode": "b"}, {"mode": "b"}, {}),
        ({"items": ["1", 2, 3.0]}, {"items": ["1", 2, 3]}, {("items", 2): "read from 3.0"}),
        ({"items": "x"}, {"items": "x"}, {}),
        ({"pairs": [["1", 2], [3, "a"]]}, {"pairs": [["1", 2], [3, "a"]]}, {}),
        (
            {"table": {"a": ["1"], 2: [2.0]}},
            {"table": {"a": [1], 2: [2]}},
            {("table", "a", 0): 'read from "1"', ("table", "2", 0): "read from 2.0"},
        ),
        ({"table": [1]}, {"table": [1]}, {}),
        ({"free": {"a": "1"}}, {"free": {"a": "1"}}, {}),
        ({"other": "4"}, {"named": 4}, {("named",): 'read from "4"'}),
        ({"section": {"y": "no"}}, {"section": {"x": 0, "y": False}}, {("section", "x"): "a default", ("section", "y"): 'read from "no"'}),
        ({"section": 3}, {"section": 3}, {}),
        ({"late": 1, "nothing": 2}, {}, {}),
    ],
)  # fmt: skip
def test_values(written: dict[str, Any], read: dict[str, Any], reasons: dict[Path, str]) -> None:
    one = reader()
    assert one.read("", written) == {**DEFAULTS, **read}
    names = {path[0] for path in reasons} | set(read)
    found = {
        path: reason
        for path, reason in one.reasons.items()
        if path[0] in names and (path[0] in written or "other" in written)
    }
    assert found == reasons


def test_other_names() -> None:
    one = reader()
    assert one.read("", {"other": 4, "named": 5})["named"] == 4
    assert one.moved == {("named",): ("other",)}
    assert one.dropped == [("named",)]
    first = reader(habits=ReadingHabits(name_first=frozenset({("", "named")})))
    assert first.read("", {"other": 4, "named": 5})["named"] == 5
    assert (first.moved, first.dropped) == ({}, [("other",)])


def test_keys_that_nothing_reads() -> None:
    one = reader()
    one.read("", {"nothing": 1, 2: 3, "section": {"z": 1}})
    assert one.dropped == [("section", "z"), ("nothing",), ("2",)]


def test_sections_without_defaults() -> None:
    habits = ReadingHabits(without_defaults=frozenset({"section"}))
    one = reader(habits=habits)
    assert one.read("", {"section": {"y": False}})["section"] == {"y": False}


#: Entries of a list are of one of three classes.
CLASSES: dict[str, dict[str, dict[str, Any]]] = {
    "": {"sets": {"since": "0.1", "type": "list<model:A|model:B|model:C>|null", "default": None}},
    "sets[]": {
        "path": {"since": "0.1", "type": "str", "default": "p"},
        "a": {"since": "0.1", "type": "int", "models": ["A"], "default": 1},
        "b": {"since": "0.1", "type": "str", "models": ["B"], "default": "x"},
        "c": {"since": "0.1", "type": "int", "models": ["B", "C"], "default": 3},
    },
}


def of_classes(
    entry: dict[str, Any],
    *,
    counts: bool = True,
    chosen: str | None = None,
    habits: ReadingHabits | None = None,
) -> dict[str, Any]:
    """What an entry becomes."""
    fields = fields_in(CLASSES, RELEASES, "0.2", counts_keys=counts)
    order = (habits or ReadingHabits()).replaced(classes=("C", "B", "A"))
    one = SchemaReader(fields, "a default", lambda _section, _entry: chosen, order)
    (read,) = one.read("", {"sets": [entry]})["sets"]
    assert isinstance(read, dict)
    return read


OF_A, OF_B, OF_C = {"path": "p", "a": 1}, {"path": "p", "b": "x", "c": 3}, {"path": "p", "c": 3}


@each(
    ("entry", "read"),
    [
        # The class with the most of its keys, of several the first in the schema's order.
        ({"a": 5}, {**OF_A, "a": 5}),
        ({"b": "y"}, {**OF_B, "b": "y"}),
        ({"c": 5}, {**OF_C, "c": 5}),
        ({"b": "y", "c": 5}, {**OF_B, "b": "y", "c": 5}),
        ({"a": 5, "b": "y", "c": 6}, {**OF_B, "b": "y", "c": 6}),
        ({}, OF_C),
        # A class that cannot take a value is none.
        ({"a": 5, "b": [1]}, {**OF_A, "a": 5}),
        ({"a": [1], "b": [1], "c": [1]}, {**OF_C, "c": [1]}),
    ],
)
def test_which_class_an_entry_becomes(entry: dict[str, Any], read: dict[str, Any]) -> None:
    assert of_classes(entry) == read


def test_older_releases_take_the_first_class_that_fits() -> None:
    assert of_classes({"b": "y"}, counts=False) == OF_C
    assert of_classes({"c": [1], "b": "y"}, counts=False) == OF_A


def test_other_choices_of_a_class() -> None:
    assert of_classes({"b": "y"}, chosen="A") == OF_A
    refusing = ReadingHabits(refuses=lambda name, _entry: name == "C")
    assert of_classes({}, habits=refusing) == OF_B
    only = ReadingHabits(default_of={("sets[]", "path"): "A"})
    assert of_classes({}, habits=only) == {"c": 3}
    assert of_classes({"a": 5}, habits=only) == {**OF_A, "a": 5}


@each(
    ("type_", "value", "read"),
    [
        ("dict<str,model:S>", {"k": {"x": "1"}}, {"k": {"x": 1}}),
        ("list<list<int>>", [["1"], 2], [[1], 2]),
        ("tuple<int,str>", [1, "a"], [1, "a"]),
        ("set<int>", [1, "a"], [1, "a"]),
        ("list", ["1"], ["1"]),
        ("int|list<int>", ["1"], [1]),
        # The narrowest that takes a value.
        ("float|int|str", "1", "1"),
        ("float|int", "1", 1),
        ("bool|int", "1", True),
        ("bool|int", "5", 5),
        ("float|str", 1, 1.0),
        ("int|str", 1.0, 1),
        ("made_up", "1", "1"),
    ],
)
def test_types(type_: str, value: Any, read: Any) -> None:
    table: dict[str, dict[str, dict[str, Any]]] = {
        "": {"key": {"since": "0.1", "type": type_}},
        "key.*": {"x": {"since": "0.1", "type": "int"}},
    }
    one = SchemaReader(
        fields_in(table, RELEASES, "0.2"), "", lambda _section, _entry: None, ReadingHabits()
    )
    found = one.read("", {"key": value})["key"]
    assert (found, type(found)) == (read, type(read))
