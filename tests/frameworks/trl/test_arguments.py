"""What a value of a file is worth as a default of transformers' argument parser."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.trl.arguments import ARGUMENTS
from cfglint.knowledge.keys.argument_types import converted
from tests.draws import each

WORDS = ("no", "steps", "epoch")


def takes(type_: str, value: Any) -> bool:
    return ARGUMENTS.takes(tuple(type_.split("|")), WORDS, {}, value)


@each(
    ("type_", "value"),
    [
        *(("float", value) for value in (1, 1.5, "1e-4", " 2 ", "nan", None, False)),
        *(("int", value) for value in (1, 8.0, "8", "1_000", None, False)),
        *(("bool", value) for value in (True, 0, 1, 2, 0.5, "yes", "F", "no")),
        *(("str", value) for value in ("x", 5, 1.5, True)),
        *(("literal", value) for value in ("steps", "no", None)),
        *(("list<str>", value) for value in (["a"], "all-linear", [1])),
        *(("list<float>", value) for value in ([1, 0.5, None], "0.5")),
        *(("dict<any,any>|null", value) for value in ({"a": 1}, "")),
        *(("bool|str", value) for value in (True, "no")),
        ("any", ["x"]),
        ("dict<any,any>|str|null", "ds.json"),
    ],
)
def test_what_is_taken(type_: str, value: Any) -> None:
    assert takes(type_, value)


@each(
    ("type_", "value"),
    [
        *(("float", value) for value in ("x", "", [1.0], {"a": 1}, True, "1,5")),
        *(("int", value) for value in ("8.0", 1.5, "x", [8], True, "9" * 5_000)),
        *(("bool", value) for value in ("maybe", "on", [True])),
        *(("str", value) for value in (["a"], {"a": 1})),
        *(("literal", value) for value in ("STEPS", False, ["steps"], 5)),
        *(("list<float>", value) for value in (["x"], "x", {"a": 1})),
        ("list<str>", {"a": 1}),
        *(("dict<any,any>|null", value) for value in ("ds.json", '{"a": 1}', ["a"], 5)),
        *(("dict<any,any>|str", value) for value in ("cosine", '{"a": 1}')),
        ("bool|str", "all"),
    ],
)
def test_what_is_refused(type_: str, value: Any) -> None:
    assert not takes(type_, value)


def test_texts_are_converted_where_the_kind_is_one() -> None:
    assert converted(("float",), "1e-4") == 1e-4
    assert converted(("int", "null"), "8") == 8
    assert converted(("bool",), "yes") is True
    assert converted(("bool",), "no") is False
    assert converted(("int",), "8.5") == "8.5"
    assert converted(("float", "str"), "1.5") == 1.5
    assert converted(("float", "str", "null"), "1.5") == "1.5"
    assert converted(("str",), "x") == "x"


def test_what_is_refused_at_the_start_and_what_only_fails_later() -> None:
    def refuses(type_: str, value: Any, *examined: str) -> bool:
        return ARGUMENTS.refuses(tuple(type_.split("|")), WORDS, {"examined": examined}, value)

    assert refuses("float", "fast")
    assert not refuses("float", [1.0])
    assert refuses("float", [1.0], "list")
    assert not refuses("literal", "STEPS")
    assert refuses("literal", "STEPS", "text")


def test_a_value_of_an_examined_sort_is_not_taken_unless_it_is_a_choice() -> None:
    def taken(type_: str, value: Any, *examined: str) -> bool:
        bounds = {"examined": examined}
        return ARGUMENTS.takes(tuple(type_.split("|")), WORDS, bounds, value)

    assert taken("literal", "steps", "null", "text")
    assert not taken("literal", None, "null", "text")
    assert not taken("literal", "STEPS", "null", "text")
    assert taken("float", None)
    assert not taken("float", None, "null")
