"""Tokens and files in, numbers out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cfglint.knowledge.rules.index.candidates import Lookup, numbers, plan
from cfglint.knowledge.rules.index.triggers import Token, Tokens, has_value, is_true, written
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each


def sets(*tokens: Token) -> list[Tokens]:
    return [frozenset({token}) for token in tokens]


def is_(place: str, value: Any) -> Token:
    return Token(place, (("eq", value),))


def found(needed: Sequence[list[Tokens] | None], text: str, **kinds: type) -> list[int]:
    def coerce(path: tuple[str | int, ...], value: Any) -> Any:
        kind = kinds.get(str(path[-1]))
        return kind(value) if kind is not None and isinstance(value, str) else value

    lookup = Lookup(coerce, **plan(needed))
    document = compose(SourceText(text))
    first = lookup.found(document)
    assert lookup.found(document) == first  # what is remembered says the same
    return list(numbers(first))


@each(
    ("text", "expected"),
    [
        ("a: 1", [0, 1, 2]),
        ("a: 0", [0, 1]),
        ("a:", [0]),
        ("b: 1", []),
        ("a: []", [0, 1, 2]),
        ("a: [1]", [0, 1, 2]),
        ("a: {}", [0, 1, 2]),
        ("a: {b: 1}", [0, 1, 2]),
        ("x: &x {a: 1}\n<<: *x", [0, 1, 2]),
        ("b: &b 1\na: *b", [0, 1, 2]),
        ("1: 2", []),
    ],
)
def test_what_a_key_holds(text: str, expected: list[int]) -> None:
    assert found([sets(written("a")), sets(has_value("a")), sets(is_true("a"))], text) == expected


def test_of_each_set_one_token_is_enough() -> None:
    needed = [
        [frozenset({is_("a", 1), is_("b", 1)}), frozenset({is_("c", 1)})],
        None,
        [],
        sets(is_("a", 1)),
    ]
    assert found(needed, "b: 1\nc: 1") == [0, 2]
    assert found(needed, "a: 1") == [2, 3]
    assert found(needed, "d: 1") == [2]


def test_rules_that_need_more_and_less() -> None:
    one, three = sets(is_("a", 1)), sets(is_("a", 1), is_("b", 1), is_("c", 1))
    needed = [one, three, [], one]
    assert found(needed, "a: 1") == [0, 2, 3]
    assert found(needed, "a: 1\nb: 1") == [0, 2, 3]
    assert found(needed, "a: 1\nb: 1\nc: 1") == [0, 1, 2, 3]
    assert found(needed, "b: 1\nc: 1") == [2]


def test_six_of_the_necessary_sets_are_looked_at() -> None:
    keys = "abcdefgh"
    needed = [sets(*(is_(key, 1) for key in keys))]
    assert plan(needed)["planes"] == 6
    all_ = "".join(f"{key}: 1\n" for key in keys)
    assert found(needed, all_) == [0]
    missed = [key for key in keys if found(needed, all_.replace(f"{key}: 1\n", ""))]
    assert len(missed) == 2


@each(
    ("text", "expected"),
    [
        ("a: {b: 1, c: 2}", [0]),
        ("a: {b: 2}", []),
        ("a: [{b: 2}, {b: 1}]", [1]),
        ("a: [{c: {d: 1}}, 3, null]", [2]),
        ("a: {1: 2, b: 1}", [0]),
        ("a: [{1: 2, b: 1}]", [1]),
        ("1: {b: 1}\na: {b: 1}", [0]),
        ("a: 1", []),
    ],
)
def test_what_is_nested_below_a_key(text: str, expected: list[int]) -> None:
    needed = [sets(is_("a.b", 1)), sets(is_("a[].b", 1)), sets(has_value("a[].c"))]
    assert found(needed, text) == expected


def test_what_a_value_is_turned_into_counts_too() -> None:
    needed = [sets(is_("a", 3)), sets(is_("a", "3")), sets(is_("l[].a", 3))]
    assert found(needed, 'a: "3"', a=int) == [0, 1]
    assert found(needed, "a: 3", a=int) == [0]
    assert found(needed, 'l: [{a: "3"}]', a=int) == [2]


def test_of_a_collection_only_its_key_is_looked_at() -> None:
    needed = [sets(Token("a", (("len", (("ge", 3),)),))), sets(is_("a", 1)), sets(is_("b", 1))]
    assert found(needed, "a: [1]") == found(needed, "a: {b: 1}") == [0, 1]


def test_items_that_are_aliases_are_looked_at() -> None:
    needed = [[frozenset({is_("a[].b", 1)})]]
    assert found(needed, "x: &x {b: 1}\na: [*x]\n") == [0]
    assert found(needed, "x: &x {b: 2}\na: [*x]\n") == []
