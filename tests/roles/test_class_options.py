"""How many words the options of a program take."""

from __future__ import annotations

from cfglint.base.type_names import Any
from cfglint.roles.class_options import arity_of, options_of, plain_arity
from cfglint.roles.framework import load_framework
from tests.draws import each


@each(
    ("kinds", "default", "arity"),
    [
        ("bool", None, "?"),
        ("bool", False, "?"),
        ("bool null", False, "?"),
        # It is nothing by default, so it takes a word.
        ("bool null", None, "1"),
        ("int", 1, "1"),
        ("str", "", "1"),
        ("list<str>", None, "+"),
        ("list<str> null", None, "+"),
        ("list<str> str", None, "1"),
        ("", None, "1"),
    ],
)
def test_a_type(kinds: str, default: Any, arity: str) -> None:
    assert arity_of(tuple(kinds.split()), default) == arity


@each(
    ("type_", "limits", "arity"),
    [
        ("bool", {}, "0"),
        ("int", {}, "1"),
        ("list<int>", {}, "*"),
        ("list<int>", {"min_length": 1}, "+"),
        ("list<int>", {"min_length": 2, "max_length": 2}, "2"),
        ("int", {"max_length": 2}, "1"),
    ],
)
def test_an_option_of_a_parser(type_: str, limits: dict[str, int], arity: str) -> None:
    assert plain_arity(type_, limits) == arity


TRL = load_framework("trl")
KEYS = TRL.release_keys("1.16.0")


def test_the_options_of_a_class() -> None:
    found = options_of(TRL.keys, KEYS)
    shown = {
        name: found.table.get(name)
        for name in ("max_length", "max-length", "packing", "dataset_text_field")
    }
    assert shown == {
        "max_length": "1",
        "max-length": "1",
        "packing": "?",
        "dataset_text_field": "1",
    }
    assert found.keys["max-length"] == "max_length"
    assert "max_length" not in found.keys
    assert "no_packing" not in found.table
    # One that is true by default has an opposite.
    opposite = options_of(TRL.keys, KEYS, on=frozenset({"packing"}))
    assert {"no_packing", "no-packing"} <= opposite.off
    assert (opposite.table["no-packing"], opposite.keys["no-packing"]) == ("0", "packing")
    assert "packing" not in opposite.off


def test_some_options_are_none() -> None:
    only = options_of(TRL.keys, KEYS, reads=lambda name: name == "max_length")
    assert set(only.table) == {"max_length", "max-length"}
    plain = options_of(TRL.keys, KEYS, reads=lambda name: name == "max_length", dashes=False)
    assert set(plain.table) == {"max_length"}
    several = options_of(TRL.keys, KEYS, lists=frozenset({"dataset_text_field"}))
    assert several.table["dataset_text_field"] == "+"
    # What a release has not, is no option of it.
    old = options_of(TRL.keys, TRL.release_keys("0.20.0"))
    assert "max_prompt_length" in old.table
    assert "max_prompt_length" not in found_now()


def found_now() -> set[str]:
    return set(options_of(TRL.keys, KEYS).table)
