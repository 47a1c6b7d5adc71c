"""What a type takes."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.keys.pydantic_types import accepts, split_type


@pytest.mark.parametrize(
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
