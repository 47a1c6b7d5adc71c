"""What the tests draw is the same each time, and what one test tries is all tried."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import draws
from tests.draws import drawn, each

TESTS = Path(__file__).resolve().parent


def test_a_draw_is_the_same_in_order_and_stays_when_something_is_added(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(draws, "WHOLE", False)
    letters = "abcdefghijklmnop"
    first = drawn(letters, 4)
    assert first == sorted(first)
    assert len(set(first)) == 4
    assert drawn(reversed(letters), 4) == first[::-1]
    assert len({*first} & {*drawn(letters + "q", 4)}) >= 3
    assert len({tuple(drawn(letters, 4, salt)) for salt in range(20)}) > 10
    assert drawn(letters, 99) == list(letters)
    monkeypatch.setattr(draws, "WHOLE", True)
    assert drawn(letters, 4) == list(letters)


def test_what_draws_is_tried_in_full_by_the_campaign() -> None:
    """It runs what is marked."""
    unmarked = [
        path.name
        for path in TESTS.rglob("test_*.py")
        for text in [path.read_text(encoding="utf-8")]
        if re.search(r"^from tests\.draws import .*\bdrawn\b", text, re.M)
        if "@product" not in text and path != Path(__file__)
    ]
    assert unmarked == []


def test_each_case_that_fails_is_named() -> None:
    @each(("number", "word"), [(1, "a"), (2, "b"), (3, "c"), (4, "d")])
    def odd(number: int, word: str) -> None:
        if number == 4:
            pytest.fail("four")
        assert number % 2, word

    with pytest.raises(AssertionError) as caught:
        odd()
    said = str(caught.value)
    assert said.startswith("2 of 4 fail\nnumber=2, word='b':\n")
    assert said.endswith("number=4, word='d':\n    four")
    assert isinstance(caught.value.__cause__, AssertionError)


def test_cases_of_cases() -> None:
    tried = []

    @each("first", [1, 2])
    @each("second", "ab")
    def both(first: int, second: str) -> None:
        tried.append((first, second))

    both()
    assert tried == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]
