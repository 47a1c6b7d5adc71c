"""How a parser fills arguments."""

from __future__ import annotations

from typing import Any

from cfglint.base.logic import UNKNOWN
from cfglint.roles.reading.arguments import ArgumentsReader
from tests.roles.reading.schemas import fields_in

TABLE: dict[str, dict[str, dict[str, Any]]] = {
    "": {
        "rate": {"since": "1.0", "type": "float", "default": 0.5},
        "names": {"since": "1.0", "type": "list<str>", "default": []},
        "left": {"since": "1.0", "type": "any", "default": 1},
        "other": {"since": "1.0", "type": "int", "default": 1},
        "none": {"since": "1.0", "type": "int|null"},
        "late": {"since": "2.0", "type": "int", "default": 1},
    }
}


def reader(convert: Any) -> ArgumentsReader:
    fields = fields_in(TABLE, ("1.0", "2.0"), "1.0")
    return ArgumentsReader(
        fields, lambda field: f"default of {field.name}", convert, lambda one: one.name != "other"
    )


def test_arguments_are_converted_and_filled() -> None:
    one = reader(lambda _field, value: float(value))
    found = one.read("", {"rate": "1", "late": 1, "other": 2, "left": 3})
    assert found == {"rate": 1.0, "names": [], "left": 3}
    assert one.reasons == {
        ("rate",): 'read from "1"',
        ("names",): "default of names",
        ("left",): "handed on to the launcher",
    }
    assert one.dropped == [("late",), ("other",)]
    found["names"].append("x")
    assert reader(float).read("", {})["names"] == []


def test_unknown_values_are_left_out() -> None:
    one = reader(lambda _field, _value: UNKNOWN)
    assert "rate" not in one.read("", {"rate": "$RATE"})
    assert one.unknown == {("rate",): "script"}
    assert one.reasons["rate",] == "the script does not tell its words"
    assert one.dropped == []


def test_the_words_of_a_command_are_converted_without_a_reason() -> None:
    fields = fields_in(TABLE, ("1.0", "2.0"), "1.0")
    one = ArgumentsReader(fields, lambda _: "", lambda _, value: float(value), words=True)
    assert one.read("", {"rate": "1"})["rate"] == 1.0
    assert ("rate",) not in one.reasons
