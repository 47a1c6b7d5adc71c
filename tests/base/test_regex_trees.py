"""Regular expressions as trees."""

from __future__ import annotations

import re
import warnings

import pytest

from cfglint.base.regex_trees import (
    MAX_PARSED,
    REPEATS,
    ParseError,
    constants,
    has_fixed_look_behinds,
    parse,
)
from tests.draws import each


def test_a_pattern() -> None:
    (first, second) = parse("ab*")
    assert first == (constants.LITERAL, ord("a"))
    assert second[0] in REPEATS
    assert parse("a*?")[0][0] in REPEATS
    assert parse("(?i:a)") is not None
    assert len(parse("a b # c", re.VERBOSE)) == 2


@each(
    "pattern",
    ["(", "a**", "[b-a]", "(?P<x>a)(?P<x>b)", "a{99999999999}", "(" * 3_000 + ")" * 3_000],
)
def test_what_is_none(pattern: str) -> None:
    with pytest.raises(ParseError):
        parse(pattern)


def test_a_long_one_is_not_parsed() -> None:
    assert len(parse("a" * MAX_PARSED)) == MAX_PARSED
    with pytest.raises(ParseError, match="longer than 10,000 characters"):
        parse("a" * (MAX_PARSED + 1))


def test_its_author_is_not_warned() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse("[[a]")


@each(
    ("pattern", "fixed"),
    [
        ("a", True),
        ("(?<=a)b", True),
        ("(?<=a+)b", False),
        ("(?<!a?)b", False),
        ("(?<=ab|cd)e", True),
        ("(?<=a|cd)e", False),
        # A look-ahead may have any length, and what is in it is looked at.
        ("(?=a+)b", True),
        ("(?!a+)b", True),
        ("(?=(?<=a+)b)c", False),
        ("(?<=(?=a+)b)c", True),
        # As is what is in groups, repeats and alternatives.
        ("((?<=a+)b)", False),
        ("(?:x(?<=a+)b)+", False),
        ("(?:x(?<=a+)b)*?", False),
        ("x|y(?<=a+)b", False),
        ("(?<=a+)b|x", False),
        ("(x)?(?(1)y|(?<=a+)b)", False),
        ("(x)?(?(1)(?<=a+)b)", False),
        ("(x)?(?(1)y|z)", True),
        ("(x)?(?(1)y)", True),
    ],
)
def test_look_behinds(pattern: str, fixed: bool) -> None:
    assert has_fixed_look_behinds(parse(pattern)) is fixed
    if not fixed:
        with pytest.raises(re.error):
            re.compile(pattern)
    else:
        re.compile(pattern)


@pytest.mark.skipif("not hasattr(__import__('re'), 'NOFLAG')", reason="from Python 3.11 on")
def test_an_atomic_group() -> None:
    assert not has_fixed_look_behinds(parse("(?>x(?<=a+)b)"))
    assert has_fixed_look_behinds(parse("(?>x(?<=a)b)"))
    assert parse("a*+")[0][0] in REPEATS
