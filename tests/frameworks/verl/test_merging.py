"""What Hydra makes of a config and the words behind it."""

from __future__ import annotations

from typing import Any

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.frameworks.verl.merging import Merged, found_at
from cfglint.source.languages.overrides import ConfigWord
from cfglint.source.values import Unexpanded
from tests.draws import each

OPEN: Any = Unexpanded("$X")


def tree() -> dict[str, Any]:
    return {
        "a": {"n": 1, "none": None, "items": [1, {"k": 2}], "inner": {"x": 1}},
        "open": UNKNOWN,
        "needed": "???",
        "first": "${second}",
        "second": "${a.n}",
        "whole": "${a}",
        "round": "${round}",
        "deep": {"inside": "${deep}"},
        "of_section": {"b": {"c": "${..d}"}, "d": 5},
    }


def word(key: str, value: Any = 9, sign: str = "") -> ConfigWord:
    return ConfigWord(sign, key, value, False, 0, 0, (0, 0))


def merged(*words: ConfigWord) -> Merged:
    found = Merged(tree())
    for one in words:
        found.add(one)
    return found


@each(
    ("one", "why", "then"),
    [
        (word("a.n"), "", 9),
        (word("a.m"), "no key", MISSING),
        (word("b.m"), "no key", MISSING),
        (word("a.m", sign="+"), "", 9),
        (word("b.c.d", sign="+"), "", 9),
        (word("a.n", sign="+"), "has value", 1),
        (word("a.n", sign="++"), "", 9),
        (word("a.none", sign="+"), "", 9),
        (word("a.n", OPEN, "+"), "", UNKNOWN),
        (word("second", 3, "+"), "has value", 1),
        # Below what is no section.
        (word("a.n.x"), "no key", MISSING),
        (word("a.n.x", sign="+"), "", 9),
        (word("a.none.x", sign="++"), "", 9),
        (word("open.x.y"), "", UNKNOWN),
        # Lists have numbers.
        (word("a.items.0"), "", 9),
        (word("a.items.1.k"), "", 9),
        (word("a.items.2"), "clash", MISSING),
        (word("a.items.x"), "clash", MISSING),
        (word("a.items.2.k"), "clash", MISSING),
        # A mapping is laid over another one, a list takes the place of one.
        (word("a.inner", {"x": 2}), "", {"x": 2}),
        (word("a.inner", {"y": 2}), "no key", {"x": 1}),
        (word("a.inner", {"y": 2}, "+"), "", {"x": 1, "y": 2}),
        (word("a.inner", {"y": OPEN}, "++"), "", {"x": 1, "y": UNKNOWN}),
        (word("a.items", [3]), "", [3]),
        (word("a.items", [OPEN]), "", [UNKNOWN]),
        (word("a.items", {"x": 1}), "clash", [1, {"k": 2}]),
        (word("a.inner", [1], "+"), "clash", {"x": 1}),
        (word("a.n", [1]), "", [1]),
        (word("a.inner", 3), "", 3),
        (word("open", {"x": 1}), "", UNKNOWN),
        (word("open", 2), "", 2),
        # What is taken away has to be there, with that value.
        (word("a.n", "", "~"), "", MISSING),
        (word("a.n", None, "~"), "", MISSING),
        (word("a.n", 1, "~"), "", MISSING),
        (word("a.n", 2, "~"), "no value", 1),
        (word("a.n", OPEN, "~"), "", MISSING),
        (word("a.m", "", "~"), "no value", MISSING),
        (word("a.none", "", "~"), "no value", None),
        (word("open", "", "~"), "", UNKNOWN),
        (word("second", "", "~"), "", MISSING),
    ],
)
def test_a_word(one: ConfigWord, why: str, then: Any) -> None:
    found = merged(one)
    assert [each.why for each in found.refused] == ([why] if why else [])
    assert found.value(one.key) == then


@each(
    ("words", "causes"),
    [
        ((word("a.n"), word("a.m")), [None]),
        ((word("a", {"n": 2}), word("a.m")), ["a"]),
        ((word("a.m", sign="+"), word("a.m", sign="+")), ["a.m"]),
        ((word("a.n", "", "~"), word("a.n")), ["a.n"]),
        ((word("a", "", "~"), word("a.n")), ["a"]),
        ((word("a.inner.x"), word("a.inner", [1])), ["a.inner.x"]),
        # A name that only begins like another one is another one.
        ((word("a.inner.x"), word("a.inn")), [None]),
        ((word("a.n", 2), word("a.n", 3), word("a.n", sign="+")), ["a.n"]),
    ],
)
def test_the_word_in_front_that_is_the_reason(
    words: tuple[ConfigWord, ...], causes: list[str | None]
) -> None:
    found = merged(*words).refused
    assert [one.cause and one.cause.key for one in found] == causes
    assert all(one.word is words[-1] for one in found)


@each(
    ("key", "expected"),
    [
        ("a.n", 1),
        ("a.items.1.k", 2),
        ("a.items.2", MISSING),
        ("a.n.x", MISSING),
        ("b", MISSING),
        ("open", UNKNOWN),
        ("open.x", UNKNOWN),
        ("needed", None),
        ("first", 1),
        ("whole", {"n": 1, "none": None, "items": [1, {"k": 2}], "inner": {"x": 1}}),
        ("first.x", UNKNOWN),
        ("round", UNKNOWN),
        ("of_section.b.c", 5),
        ("deep.inside", {"inside": {"inside": UNKNOWN}}),
    ],
)
def test_a_value(key: str, expected: Any) -> None:
    assert merged().value(key) == expected


@each(
    ("parts", "expected"),
    [
        (("a", "n"), 1),
        (("a", "x"), MISSING),
        (("a", "n", "x"), MISSING),
        (("open",), UNKNOWN),
        (("open", "x", "y"), UNKNOWN),
        ((), tree()),
    ],
)
def test_found_at(parts: tuple[str, ...], expected: Any) -> None:
    assert found_at(tree(), parts) == expected
