"""Which words of a command an argument of a class takes."""

from __future__ import annotations

from typing import Any

from cfglint.knowledge.keys.word_judge import CLASS_WORDS, CODE_WORDS
from cfglint.source.values import Unexpanded
from tests.draws import each


@each(
    ("kinds", "choices", "value", "taken"),
    [
        (("int",), (), "5", True),
        (("int",), (), "x", False),
        (("float",), (), "1e-5", True),
        (("bool",), (), "maybe", False),
        (("str",), (), "anything", True),
        (("int", "null"), (), "5", True),
        # Nothing is no word.
        (("null",), (), "null", False),
        (("int", "null"), (), "none", False),
        (("literal",), ("a", 2), "a", True),
        (("literal",), ("a", 2), "2", True),
        (("literal",), ("a", 2), "3", False),
        (("literal",), (), "3", True),
        (("enum:Own",), ("a",), "b", False),
        (("enum:Own",), ("a",), "a", True),
        (("list<int>",), (), ["1", "2"], True),
        (("list<int>",), (), ["1", "x"], False),
        (("list<int|literal>",), ("x",), ["1", "x"], True),
        (("list<int|literal>",), ("x",), ["y"], False),
        (("int",), (), [], True),
        # Types of code are what their code makes of a word.
        (("ext:torch.dtype",), (), "x", True),
        (("model:Own",), (), "x", True),
        (("any",), (), "x", True),
        # A switch, or a word that is not known.
        (("int",), (), True, True),
        (("int",), (), None, True),
        (("int",), (), Unexpanded("$X"), True),
    ],
)
def test_words(kinds: tuple[str, ...], choices: tuple[Any, ...], value: Any, taken: bool) -> None:
    for judge in (CLASS_WORDS, CODE_WORDS):
        assert judge.takes(kinds, choices, {}, value) is taken


def test_words_for_nothing() -> None:
    for word in ("none", "Null"):
        assert CLASS_WORDS.takes(("int", "null"), (), {"words_for_nothing": True}, word)
        assert not CLASS_WORDS.takes(("int", "null"), (), {"words_for_nothing": False}, word)
    assert not CLASS_WORDS.takes(("int", "null"), (), {"words_for_nothing": True}, "x")


def test_a_text_or_a_number_is_a_number_in_a_class() -> None:
    for kinds in (("int", "str"), ("str", "int")):
        assert not CLASS_WORDS.takes(kinds, (), {}, "x")
        assert CODE_WORDS.takes(kinds, (), {}, "x")
        assert CLASS_WORDS.takes((*kinds, "null"), (), {}, "x")


@each(
    ("bounds", "value", "broken"),
    [
        ({"ge": 1}, "0", ("ge", 1)),
        ({"ge": 1}, "1", None),
        ({"ge": 1, "lt": 5}, "5", ("lt", 5)),
        ({}, "0", None),
        ({"ge": 1}, "x", None),
        # What is not known, and what is no word, breaks nothing.
        ({"ge": 1}, Unexpanded("$X"), None),
        ({"ge": 1}, 0, None),
        ({"ge": 1}, ["0"], None),
        ({"ge": 1}, None, None),
    ],
)
def test_bounds(bounds: dict[str, Any], value: Any, broken: tuple[str, Any] | None) -> None:
    assert CLASS_WORDS.broken_bound(("int",), bounds, value) == broken
