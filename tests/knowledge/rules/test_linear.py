"""Patterns that are matched without backtracking give the answers of `re`, in linear time."""

from __future__ import annotations

import re
import time
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.knowledge.rules.linear import MAX_POSITIONS, LinearPattern, UnsuitablePattern
from cfglint.knowledge.rules.patterns import OutsidePattern
from tests.draws import each

#: With letters whose other case is further away: the Kelvin sign, the long s.
CHARACTERS = "abkK\u212asS\u017f1_- \n.é"
ATOMS = st.one_of(
    st.sampled_from([*map(re.escape, CHARACTERS), ".", r"\d", r"\W", r"\s", "[^a]", "[a-c]"]),
    st.sampled_from(["[K-S]", r"[\w-]", r"[^\s]", "^", "$", r"\b", r"\B", r"\A", r"\Z", "(?m:^)"]),
)
REPEATS = st.sampled_from(["", "*", "+", "?", "*?", "{2}", "{1,3}", "{0,2}?", "{,2}"])
OPENINGS = st.sampled_from(["(?:", "(", "(?i:", "(?s:", "(?-i:", "(?m:"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.lists(
        st.lists(
            st.builds("{}{}){}".format, OPENINGS, inner, REPEATS) | inner, min_size=1, max_size=4
        ).map("".join),
        min_size=1,
        max_size=3,
    ).map("|".join),
    max_leaves=12,
)
FLAGS = st.sampled_from([0, re.IGNORECASE, re.IGNORECASE | re.MULTILINE, re.DOTALL, re.ASCII])
TEXTS = st.lists(st.text(CHARACTERS, max_size=9), min_size=1, max_size=6)


@given(pattern=PATTERNS, flags=FLAGS, texts=TEXTS)
def test_the_answers_are_those_of_re(pattern: str, flags: int, texts: list[str]) -> None:
    made = LinearPattern(pattern, flags)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compiled = re.compile(pattern, flags)
    for text in texts:
        assert made.search(text) == (compiled.search(text) is not None), text


@each(
    ("pattern", "text"),
    [
        ("^(a+)+$", "a" * 1000 + "!"),
        ("^(a+A+)+$", "a" * 1000 + "!"),
        ("^(k+\u212a+)+$", "k" * 1000 + "!"),
        ("^(s+\u017f+)+$", "s" * 1000 + "!"),
        ("^(a|a|aa)*$", "a" * 1000 + "!"),
        (".*.*.*x", "a" * 1000),
        ("a?" * 100 + "a" * 100, "a" * 99),
        ("(a|b)*a(a|b){90}$", "abbab" * 200 + "!"),
        ("(?:x+x+)+y", "x" * 1000),
    ],
)
def test_no_pattern_makes_a_text_take_long(pattern: str, text: str) -> None:
    made = OutsidePattern(pattern)
    started = time.process_time()
    assert not made.search(text)
    assert time.process_time() - started < 1


@each(
    "pattern",
    [
        "(?:){4000000000}",
        "(?:(?:(?:){4000000000}){4000000000}){4000000000}",
        "(?:){,4000000000}",
        "(?:()|){,250}",
    ],
)
def test_repeating_nothing_takes_no_time(pattern: str) -> None:
    started = time.process_time()
    assert LinearPattern(pattern).search("")
    assert time.process_time() - started < 1


@each(
    ("pattern", "why"),
    [
        ("(", "is not a Python regular expression: missing"),
        (r"(a)\1", "has references, look-arounds"),
        ("(?=a)b", "has references, look-arounds"),
        ("(?<!a)b", "has references, look-arounds"),
        ("x" * 501, "is longer than 500 characters"),
        ("a" + "(" * 200 + ")" * 200, None),
        (f"a{{{MAX_POSITIONS + 1}}}", "is too large once its repeats are written out"),
        ("(?:a{1,1000}){1,1000}", "is too large once its repeats are written out"),
        ("(?:(?:^|$|)*){5000}", "is too large once its repeats are written out"),
        (r"[\0-\uffff]" * 5, "has ranges with too many characters"),
    ],
)
def test_what_cannot_be_matched_so_is_refused(pattern: str, why: str | None) -> None:
    if why is None:
        assert LinearPattern(pattern).search("a")
        return
    started = time.process_time()
    with pytest.raises(UnsuitablePattern, match=re.escape(why)):
        LinearPattern(pattern)
    assert time.process_time() - started < 1


def test_the_time_grows_with_the_text_and_not_with_its_square() -> None:
    made = LinearPattern("(a+b?)+c")

    def cost(length: int) -> float:
        started = time.process_time()
        made.search("a" * length)
        return time.process_time() - started

    cost(100)
    short = min(cost(5_000) for _ in range(4))
    assert min(cost(20_000) for _ in range(3)) < 8 * short
