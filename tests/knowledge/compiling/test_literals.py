"""The texts without which a regular expression matches nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfglint.base.regex_trees import ParseError
from cfglint.knowledge.compiling.literals import literals
from tests.draws import each, examples

CASES = {
    "abc": ("abc",),
    "ABC": ("abc",),
    "^~/": ("~/",),
    "^a|^bc": ("a", "bc"),
    "a|^": (),
    "a|[0-9]": (),
    "(?:foo|bar)baz7": ("baz7",),
    "(?:foo|bar)b": ("foo", "bar"),
    "(foo|bar)?b": ("b",),
    "(foo)+": ("foo",),
    "(foo)*": (),
    "x{0,3}y": ("y",),
    "[$](a|{b})": ("$",),
    "[$%]": ("$", "%"),
    "[a-z]": (),
    "[^a]": (),
    "a.c": ("a",),
    "ab.c": ("ab",),
    "": (),
    "(?i)fp8|fp4": ("fp",),
    "a|a": ("a",),
    "|".join("abcdefghijkl"): tuple("abcdefghijkl"),
    "x0|" + "|".join("abcdefghijkl"): (),
    "(ab|(cd|ef))x": ("ab", "cd", "ef"),
}


@each("pattern", CASES)
def test_literals(pattern: str) -> None:
    assert sorted(literals(pattern)) == sorted(CASES[pattern])


def test_no_regular_expression() -> None:
    with pytest.raises(ParseError):
        literals("(")


#: As rules write them.
PATTERNS = [
    *(pattern for pattern in CASES if pattern),
    "^meta-llama/(Meta-)?Llama-(3(\\.[12])?-[0-9]+B|2-[0-9]+b-hf)$",
    "[$]([A-Za-z_][A-Za-z0-9_]*|[{][A-Za-z_][^{}]*[}])",
    "(mpt-|bloom)",
    r"^\s*(true|false|yes|no)\s*$",
    r"(^|/)zero[123](_bf16)?\.json$",
]


@settings(max_examples=examples(300))
@given(st.data())
def test_every_match_has_one(data: st.DataObject) -> None:
    pattern = data.draw(st.sampled_from(PATTERNS))
    matched = data.draw(st.from_regex(re.compile(pattern, re.IGNORECASE | re.ASCII)))
    texts = literals(pattern)
    assert not texts or any(text in matched.lower() for text in texts)
