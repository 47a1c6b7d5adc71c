"""The values of words in Hydra's grammar: functions, brackets, and how texts are written."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.source.languages.override_values import NotAValue, Several, quoted, value_of
from cfglint.source.values import Interpolation, Unexpanded
from tests.draws import each


@each(
    ("text", "name"),
    [
        ("int(3.5)", "int"),
        ("str([1,2])", "str"),
        ("float(value=1)", "float"),
        ("bool( x )", "bool"),
        ("int()", "int"),
        ("str(a=b, c=d)", "str"),
        ("json_str({a:1})", "json_str"),
    ],
)
def test_casts_are_not_known(text: str, name: str) -> None:
    value = value_of(text)
    assert isinstance(value, Unexpanded)
    assert value == name


@each(
    "text",
    [
        *("choice(a,b)", "range(start=1,stop=4)", "range(1,4)", "interval(0,1)"),
        *("sort(3,2,reverse=true)", "shuffle(a)", "a,b", "1, 2 ,3", "[1],[2]", "choice(a=b)"),
    ],
)
def test_sweeps(text: str) -> None:
    with pytest.raises(Several):
        value_of(text)


@each(
    ("text", "why"),
    [
        ("int(a b", "`)` is missing"),
        ("int(1]", "`)` is missing"),
        ("int(a=b=c)", "`)` is missing"),
        ("nothing(1)", "`nothing` is not a function of Hydra; text with brackets needs quotes"),
        ("(1)", "`(` is not expected there"),
        ("[1,2", "`]` is missing"),
        ("[1,,2]", "`,` is not expected there"),
        ("[1 2]]", "`]` is not expected there"),
        ("{a:1", "`}` is missing"),
        ("{a}", "`:` is missing"),
        ("{'a':1}", "`'a'` is not expected there"),
        ("a=b", "`=` is not expected there"),
        ("'a'b", "`b` is not expected there"),
        ("a,", "a value is missing"),
        ("'a", "a quote is not closed"),
        ("a#b", "`#` needs quotes"),
        ("[" * 50, "it is nested too deeply"),
    ],
)
def test_what_is_no_value(text: str, why: str) -> None:
    with pytest.raises(NotAValue) as error:
        value_of(text)
    assert str(error.value) == why


@each(
    ("text", "value"),
    [
        ("", ""),
        (" \t", ""),
        ("[]", []),
        ("{}", {}),
        ("[ 1 , [x] ]", [1, ["x"]]),
        ("{a: 1, b: {c: [d]}}", {"a": 1, "b": {"c": ["d"]}}),
        ("a b ", "a b"),
        ("a:b", "a:b"),
        (r"a\,b", "a,b"),
        (r"\=", "="),
        (r"'it\'s'", "it's"),
        ("'a\\b'", "a\\b"),
        ("1_000", 1000),
        ("-1.5e-3", -0.0015),
        ("TRUE", True),
        ("Null", None),
        ("true x", "true x"),
        ("07", "07"),
        ("int", "int"),
    ],
)
def test_values(text: str, value: Any) -> None:
    found = value_of(text)
    assert found == value
    assert type(found) is type(value)


def test_interpolations() -> None:
    for text in ("${a.b}", "x/${a}", "'${a} b'"):
        assert isinstance(value_of(text), Interpolation)
    assert value_of("x/${a}") == "x/${a}"
    assert value_of("'${a} b'") == "${a} b"
    assert isinstance(value_of("9" * 4_000), Unexpanded)
    assert value_of("9" * 3_999) == int("9" * 3_999)


@each(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (3, "3"),
        (0.5, "0.5"),
        ("a", "a"),
        ("", "''"),
        ("true", "'true'"),
        ("1", "'1'"),
        ("a,b", "'a,b'"),
        ("it's", r"'it\'s'"),
        ("a\\", "a\\"),
        (["a", 1], "[a,1]"),
        ({"a": None}, "{a:null}"),
    ],
)
def test_how_a_value_is_written(value: Any, text: str) -> None:
    assert quoted(value) == text
