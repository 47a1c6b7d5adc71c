"""Plain data: which values are the same, and which texts stand for others."""

from __future__ import annotations

import math

import pytest
import yaml

from cfglint.base.type_names import Any
from cfglint.source.languages.named import language
from cfglint.source.scalars import (
    MAX_INTEGER_CHARS,
    construct_scalar,
    meaning_of,
    plain_meaning,
    resolve_plain,
)
from cfglint.source.text import SourceText
from cfglint.source.values import copied, is_placeholder, same, to_python
from tests.draws import each

TAG = "tag:yaml.org,2002:"


@each(
    ("left", "right", "equal"),
    [
        (1, 1, True),
        (1, 1.0, False),
        (1, True, False),
        ("a", "a", True),
        (None, None, True),
        (math.nan, math.nan, True),
        (math.nan, 1.0, False),
        ([1, [2]], [1, [2]], True),
        ([1, [2]], [1, [2.0]], False),
        ([1], [1, 2], False),
        ((1,), (1,), True),
        ((1,), [1], False),
        ({"a": 1, "b": [2]}, {"a": 1, "b": [2]}, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, False),
        ({"a": 1}, {"a": True}, False),
        ({1: "a"}, {1.0: "a"}, False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": math.nan}, {"a": math.nan}, True),
    ],
)
def test_the_same_value(left: Any, right: Any, equal: bool) -> None:
    assert same(left, right) is equal
    assert same(right, left) is equal


def test_a_copy_may_be_changed() -> None:
    inner: Any = {"a": [1, {"b": 2}]}
    other = copied(inner)
    assert other == inner
    other["a"][1]["b"] = 3
    other["a"].append(4)
    assert inner == {"a": [1, {"b": 2}]}


@each(
    ("text", "expected"),
    [
        ("dummy", True),
        ("TODO", True),
        ("todos", False),
        ("$name", True),
        ("${name}", True),
        ("${section.name}", True),
        ("{{ name }}", True),
        ("{{name}}", True),
        ("{{ section.name }}", True),
        ("${name", False),
        ("$name/x", False),
        ("a$name", False),
        ("name", False),
        ("{{ name | upper }}", False),
        ("{{ }}", False),
        ("{{", False),
        ("$", False),
        ("${}", False),
        ("", False),
        ("$1", False),
    ],
)
def test_a_placeholder(text: str, expected: bool) -> None:
    assert is_placeholder(text) is expected


@each(
    "text",
    [
        "!!omap [{a: 1}, {b: 2}]",
        "!!pairs [{a: 1}, {a: 2}]",
        "!!set {a, b}",
        "x: &a [1]\ny: *a\nz: {<<: {k: 1}, l: 2}",
    ],
)
def test_collections_are_those_of_pyyaml(text: str) -> None:
    document = language("yaml").read(
        SourceText(f"top:\n  {text.replace(chr(10), chr(10) + '  ')}\n")
    )
    assert to_python(document.root) == yaml.safe_load(
        f"top:\n  {text.replace(chr(10), chr(10) + '  ')}\n"
    )


def test_an_alias_is_the_same_object() -> None:
    found = to_python(language("yaml").read(SourceText("a: &x [1]\nb: *x\nc: [1]\n")).root)
    assert found["a"] is found["b"]
    assert found["a"] is not found["c"]


@each(
    ("text", "tag", "value"),
    [
        ("a", "str", "a"),
        ("", "null", None),
        ("~", "null", None),
        ("yes", "bool", True),
        ("010", "int", 8),
        ("1:30", "int", 90),
        ("1e3", "str", "1e3"),
        ("1.0e+3", "float", 1000.0),
        ("é", "str", "é"),
    ],
)
def test_the_meaning_of_a_plain_text(text: str, tag: str, value: Any) -> None:
    assert resolve_plain(text) == TAG + tag
    assert plain_meaning(text) == (TAG + tag, value)


@each("text", ["<<", "=", "2020-13-45", "1" * (MAX_INTEGER_CHARS + 1)])
def test_a_text_that_needs_a_closer_look(text: str) -> None:
    assert plain_meaning(text) is None


def test_a_long_number() -> None:
    digits = "1" * MAX_INTEGER_CHARS
    assert construct_scalar(f"{TAG}int", digits) == int(digits)
    with pytest.raises(ValueError, match="length"):
        construct_scalar(f"{TAG}int", digits + "1")


@each("tag", ["map", "seq", "set", "omap", "pairs", "unknown"])
def test_no_text_is_a_collection(tag: str) -> None:
    assert meaning_of(TAG + tag, "a") is None
