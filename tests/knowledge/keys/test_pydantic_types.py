"""What a type takes, as pydantic answers."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from cfglint.base.logic import MISSING
from cfglint.knowledge.keys.pydantic_types import accepts, as_scalar, split_type
from tests.draws import each


@each(
    ("type_", "enum", "value", "taken"),
    [
        ("dict<str,str>", (), {"a": "b"}, True),
        ("dict<str,str>", (), {"a": None}, False),
        ("dict<str,str>", (), {1: "b"}, False),
        ("dict<str,any>|null", (), {"a": [1]}, True),
        ("dict<int|literal,int|str>", ("cpu",), {0: "20GB", "cpu": 1}, True),
        ("dict<int|literal,int|str>", ("cpu",), {"gpu": 1}, False),
        ("dict<str,list<str>>", (), {"a": ["b"]}, True),
        ("dict<str,list<str>>", (), {"a": "b"}, False),
        ("list<tuple<int,int>>", (), [[0, 4], [2, "8"]], True),
        ("list<tuple<int,int>>", (), [[0, 4, 5]], False),
        ("list<tuple<int,int>>", (), [["a", 4]], False),
        ("tuple<any>", (), [1, "a", None], True),
        ("list<str|int>|null", (), None, True),
    ],
)
def test_mappings_and_pairs(type_: str, enum: tuple[Any, ...], value: Any, taken: bool) -> None:
    assert accepts(split_type(type_), enum, value) is taken


TYPES: dict[str, Any] = {
    "int": int,
    "float": float,
    "bool": bool,
    "str": str,
    "null": None,
    "any": Any,
    "int|null": int | None,
    "list<int>": list[int],
    "list<str|int>": list[str | int],
    "list<bool|null>": list[bool | None],
    "list<list<int>>|str": list[list[int]] | str,
    "dict<str,int>": dict[str, int],
    "dict<int,float>": dict[int, float],
    "dict<any,any>": dict[Any, Any],
    "tuple<int,str>": tuple[int, str],
}
VALUES = [
    None, True, False, 0, 1, 2, -3, 10**20, 1.0, 1.5, -0.0, float("inf"), float("nan"),
    "", "1", "1.0", "1.5", " 1 ", "+1", "-1", "1e3", "1_000", "1__0", "_1", "0x1", "1.", "x",
    "\uff15", "1\uff15", "\u0663", "\uff11.\uff15", "\u30001", "1\xa0", "1.5\u2003",
    "true", "YES", "off", "T", "n", "maybe", "nan", "inf", "null", "2.0 ", b"x",
    [], [1], ["1"], ["a"], [1, "a"], [1.5], [None], [True, None], [[1]], [["a"]], ["x", "a"],
    [1, "a", 2], {}, {"a": 1}, {"a": "1"}, {"a": "x"}, {1: 1.5}, {"1": 1}, {"x": 1}, {1},
]  # fmt: skip


def validated(type_: str, value: Any) -> Any:
    try:
        return TypeAdapter(TYPES[type_]).validate_python(value)
    except ValidationError:
        return MISSING


#: What early releases of pydantic 2 read otherwise; cfglint answers as the later ones do.
READ_LATER = (" 1 ", "1.", "\u30001", "1\xa0", "1.5\u2003", "2.0 ")
if validated("int", " 1 ") is MISSING:
    VALUES = [value for value in VALUES if value not in READ_LATER]


@each("type_", TYPES)
def test_as_pydantic(type_: str) -> None:
    for value in VALUES:
        taken = validated(type_, value) is not MISSING
        assert accepts(split_type(type_), (), value) is taken, value


@pytest.mark.parametrize("type_", ["int", "float", "bool"])
def test_conversions_are_those_of_pydantic(type_: str) -> None:
    for value in VALUES:
        if type(value) is not TYPES[type_]:
            expected, found = validated(type_, value), as_scalar(type_, value)
            assert type(found) is type(expected), value
            assert found == expected or found != found, value


def test_texts_stay_texts() -> None:
    assert as_scalar("str", "a") == "a"
    assert as_scalar("str", 1) is MISSING
    assert as_scalar("list<int>", "a") is MISSING


@each(
    ("type_", "enum", "value", "taken"),
    [
        ("literal", ("a", 1), "a", True),
        ("literal", ("a", 1), 1, True),
        ("literal", ("a", 1), True, False),
        ("literal", ("a", 1), "b", False),
        ("literal", (), "b", True),
        ("enum:X", ("a",), "b", False),
        ("model:X", (), {}, True),
        ("model:X", (), [], False),
        ("match<[ab]+$>", (), "ab", True),
        ("match<[ab]+$>", (), "c", False),
        ("match<[ab]+$>", (), 1, False),
        ("set<int>", (), {1}, True),
        ("set<int>", (), [1], True),
        ("set<int>", (), 1, False),
        ("dict<any,int>", (), {1: 2}, True),
        ("dict<any,int>", (), {1: "x"}, False),
        ("dict", (), {1: 2}, True),
    ],
)
def test_types_of_our_own_spelling(
    type_: str, enum: tuple[Any, ...], value: Any, taken: bool
) -> None:
    assert accepts(split_type(type_), enum, value) is taken


@each(
    ("text", "parts"),
    [
        ("int", ("int",)),
        ("a|b|c", ("a", "b", "c")),
        ("list<str|int>|null", ("list<str|int>", "null")),
        ("dict<a|b,list<c|d>>|e", ("dict<a|b,list<c|d>>", "e")),
    ],
)
def test_alternatives(text: str, parts: tuple[str, ...]) -> None:
    assert split_type(text) == parts


def test_a_whole_number_beyond_floating_point() -> None:
    assert as_scalar("float", 10**400) is MISSING
    assert as_scalar("float", -(10**400)) is MISSING
    assert as_scalar("float", 10**300) == 1e300
