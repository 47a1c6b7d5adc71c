"""Patterns in which the next character tells how it goes on, and those in which it does not."""

from __future__ import annotations

import re
import time

import pytest

from cfglint.knowledge.rules.determinism import is_deterministic
from cfglint.knowledge.rules.patterns import is_cheap, is_linear
from cfglint.knowledge.rules.regex_trees import parsed


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"^[a-z0-9]+(-[a-z0-9]+)*$", "ab-" * 1000),
        (r"^v\d+\.\d+\.\d+$", "v1.1.1." * 500),
        (r"^\s*[-+]?\d(?:_?\d)*(?:\.0+)?\s*$", "1_1" * 1000 + "!"),
        (r"^(vision|speech)-[a-z]+-\d{4}-\d{2}$", "vision-" + "a" * 3000),
        (r"^(\d{1,3}\.){3}\d{1,3}$", "1.1.1." * 500),
        (r"^[^,]+(,[^,]+)*$", "a," * 1500),
        (r"^a{1,5}b{1,5}c{1,5}$", "aaaaabbbbbc!"),
        (r"^(?:\w+\s)*$", "ab " * 1000 + "!"),
        (r"^(?:é-)+$", "é-" * 1000 + "!"),
        (r"^(?:a|b|)c*$", "c" * 3000 + "!"),
        (r"^a*?b*?$", "a" * 3000 + "!"),
    ],
)
def test_one_way_to_match(pattern: str, text: str) -> None:
    assert is_deterministic(parsed(pattern))
    assert is_cheap(pattern)
    assert is_linear(pattern)
    started = time.monotonic()
    re.search(pattern, text)
    assert time.monotonic() - started < 1


@pytest.mark.parametrize(
    "pattern",
    [
        r"^(a+)+$",
        r"^(a*)*$",
        r"^(?:a?)*$",
        r"^(a?b?)*$",
        r"^(?:a?)?(?:b?)?$",
        r"^[^é]+é$",
        r"^(\w+\s?)*$",
        r"^(?:[a-z]+\.?)+$",
        r"^(?:[^/]+/)*[^/]+$",
        r"^(?:\d+|[a-z]+)+$",
        r"^(?:(?:a|)|)b$",
        r"^a*a*b$",
        r"^(?:é+\w)+$",
        r"^(?:[à-ü]+\w)+$",
        r"(?i)^(a-)+$",
        r"^(?i:a-)+$",
        r"^(x(?=y))+$",
        r"^(x)\1*$",
        r"^(?:ab){200}[cd]{201}$",
    ],
)
def test_more_than_one_way_to_match_or_not_looked_into(pattern: str) -> None:
    assert not is_deterministic(parsed(pattern))
    assert not is_linear(pattern)


def test_a_search_from_every_place_is_not_linear() -> None:

    assert is_cheap(r"(\d+-)+x")
    assert not is_linear(r"(\d+-)+x")
