"""Values as YAML text."""

from __future__ import annotations

import math

import pytest
import yaml

from cfglint.base.type_names import Any
from cfglint.source.languages.base import Unwritable
from cfglint.source.languages.yaml_render import (
    MAX_KEY_CHARS,
    is_inline,
    is_plain_safe,
    render_inline,
    render_key,
    render_scalar,
)
from tests.draws import each


@each(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-3, "-3"),
        (1.0, "1.0"),
        (2e-5, "2.0e-05"),
        (1.5e-7, "1.5e-07"),
        (1e22, "1.0e+22"),
        (math.inf, ".inf"),
        (-math.inf, "-.inf"),
        ("a", "a"),
        ("a/b.c_d", "a/b.c_d"),
        ("a b", "a b"),
        ("-a", "-a"),
        ("a:b", "a:b"),
        ("a#b", "a#b"),
        ("é", "é"),
        # What would be read as something else has quotes.
        ("", '""'),
        ("true", '"true"'),
        ("no", '"no"'),
        ("1", '"1"'),
        ("1e-5", "1e-5"),
        ("a: b", '"a: b"'),
        ("a:", '"a:"'),
        ("a #b", '"a #b"'),
        (" a", '" a"'),
        ("a ", '"a "'),
        ("-", '"-"'),
        ("- a", '"- a"'),
        ("--- a", '"--- a"'),
        ("...", '"..."'),
        ("*a", '"*a"'),
        ("!a", '"!a"'),
        ("it's", "it's"),
        ("'a", '"\'a"'),
        ('"a', "'\"a'"),
        ("\\: '", "'\\: '''"),
        ("a\nb", '"a\\nb"'),
        ("a\r\tb\0", '"a\\r\\tb\\0"'),
        ("\x07\x85\u2028\ufeff\U0001f600", '"\\x07\\x85\\u2028\\uFEFF\U0001f600"'),
        ("\U0010ffff\ue000", "\U0010ffff\ue000"),
        ([], "[]"),
        ({}, "{}"),
        ([1, ["a", None]], "[1, [a, null]]"),
        ((1, 2), "[1, 2]"),
        ({"a": {"b c": [True]}, 1: "x"}, "{a: {b c: [true]}, 1: x}"),
        # In brackets, more characters have a meaning.
        (["a,b", "a]", "{a", "a?", "a: b"], '["a,b", "a]", "{a", "a?", "a: b"]'),
        (["http://x", "a:b", "a:,"], '[http://x, a:b, "a:,"]'),
        ("a,b", "a,b"),
    ],
)
def test_a_value(value: Any, text: str) -> None:
    assert render_inline(value) == text
    read = yaml.safe_load(text)
    assert read == ([*value] if isinstance(value, tuple) else value)
    assert yaml.safe_load(f"[{render_inline(value, flow=True)}]") == [read]
    assert yaml.safe_load(f"k: {text}") == {"k": read}


def test_no_number() -> None:
    assert render_scalar(math.nan) == ".nan"


@each(
    ("value", "style", "text"),
    [
        ("a", "'", "'a'"),
        ("a", '"', '"a"'),
        ("it's", "'", "'it''s'"),
        ('a"b\\', '"', '"a\\"b\\\\"'),
        ("a\nb", "'", '"a\\nb"'),
        ("a", "|", "a"),
        (1, "'", "1"),
    ],
)
def test_the_quotes_that_are_wanted(value: Any, style: str, text: str) -> None:
    assert render_scalar(value, style=style) == text
    assert render_inline([value], style=style) == f"[{text}]"
    assert render_inline({value: value}, style=style) == f"{{{text}: {text}}}"


@each("value", [object(), b"a", {1, 2}, [object()], {"a": object()}])
def test_what_is_no_plain_data(value: Any) -> None:
    with pytest.raises(Unwritable):
        render_inline(value)


def test_a_long_key() -> None:
    assert render_key("k" * MAX_KEY_CHARS) == "k" * MAX_KEY_CHARS
    with pytest.raises(Unwritable, match="too long"):
        render_key("k" * (MAX_KEY_CHARS + 1))
    with pytest.raises(Unwritable):
        render_inline({"k" * (MAX_KEY_CHARS + 1): 1})


def test_what_stands_on_the_line_of_its_key() -> None:
    assert [is_inline(one) for one in (1, "", None, [], {}, (), [0], {"a": 1}, (0,))] == [
        *[True] * 6,
        *[False] * 3,
    ]


def test_what_needs_no_quotes() -> None:
    assert is_plain_safe("a,b")
    assert not is_plain_safe("a,b", flow=True)
    assert not is_plain_safe("yes")
