"""Words that Hydra lays over a config: which keys they set, to what, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.source.document import Document
from cfglint.source.languages.override_values import NotAValue, Several, quoted, value_of
from cfglint.source.languages.overrides import Overrides
from cfglint.source.languages.shell import Program, Shell, command_of
from cfglint.source.text import SourceText
from cfglint.source.values import Unexpanded, to_python
from tests.draws import each

GRAMMAR = Overrides(frozenset({"engine"}))
SHELL = Shell(lambda words, at: Program("main", GRAMMAR) if words[at].text == "main.py" else None)


def read(words: str, before: str = "") -> Document:
    return SHELL.read(SourceText(f"{before}python main.py {words}\n"))


def problems(words: str) -> list[str]:
    command = command_of(read(words).root)
    assert command is not None
    return [one.kind for one in command.problems]


# The expectations were compared with Hydra 1.3.8, by `tools.framework_parity.verl`.
@each(
    ("text", "value"),
    [
        ("", ""),
        ("1_000", 1000),
        ("007", "007"),
        ("1e-6", 1e-6),
        ("TRUE", True),
        ("null", None),
        ("a/b.c", "a/b.c"),
        ("[a,'b c',[1]]", ["a", "b c", [1]]),
        ("{a:1,b:{c:x}}", {"a": 1, "b": {"c": "x"}}),
        ('"it\'s"', "it's"),
        ("a\\,b", "a,b"),
        ("[]", []),
        ("a b", "a b"),
    ],
)
def test_values(text: str, value: Any) -> None:
    found = value_of(text)
    assert (found, type(found)) == (value, type(value))


@each("text", ["a=b", "run #7", "foo(1)", "[a", '"open', "{a}", "[a]b", "a;b"])
def test_what_is_no_value(text: str) -> None:
    with pytest.raises(NotAValue):
        value_of(text)


@pytest.mark.parametrize("text", ["a,b", "choice(1,2)", "range(1,5)"])
def test_several_values(text: str) -> None:
    with pytest.raises(Several):
        value_of(text)


def test_interpolations_and_casts_are_not_known() -> None:
    assert isinstance(value_of("${a.b}"), Unexpanded)
    assert isinstance(value_of("int(3)"), Unexpanded)


@each("value", [None, True, 3, "text", "a b#", "it's", "null", ["x", 1], {"a": "b"}])
def test_what_is_written_is_read_back(value: Any) -> None:
    assert value_of(quoted(value)) == value


def test_keys_are_below_the_sections_that_they_name() -> None:
    document = read("a.b.c=1 +a.b.d=x 'a.e=[1,2]' ++f=null ~g")
    values = to_python(document.root)
    assert {name: values[name] for name in ("a", "f")} == {
        "a": {"b": {"c": 1, "d": "x"}, "e": [1, 2]},
        "f": None,
    }
    assert "g" not in values


def test_the_mark_of_a_key_is_its_word() -> None:
    document = read('"a.b=$x"', "x=1\n")
    entry = document.entry(("a", "b"))
    assert entry is not None
    assert document.text[entry.key.start : entry.key.end] == "a.b"


def test_a_list_of_bash_has_words_too() -> None:
    document = read('"${MORE[@]}"', "MORE=(\n  a.b=1\n  a.c=2\n)\n")
    assert to_python(document.root)["a"] == {"b": 1, "c": 2}


@each(
    ("words", "kinds"),
    [
        ("a.b 1", ["stray", "stray"]),
        ("--strange", ["stray"]),
        ("a..b=1", ["key"]),
        ("a=b=c", ["value"]),
        ("engine=1", []),  # whether it is a group depends on the release
        ("a=1,2", ["several"]),
        ("--multirun a=1,2", []),
        ("~a a.b= +c/d@e=f", []),
    ],
)
def test_problems(words: str, kinds: list[str]) -> None:
    assert problems(words) == kinds


def test_a_choice_from_a_group_sets_no_key() -> None:
    document = read("engine=fast engine.size=1")
    command = command_of(document.root)
    assert command is not None
    assert command.overrides is not None
    assert [(one.key, one.is_group) for one in command.overrides] == [
        ("engine", True),
        ("engine.size", False),
    ]
    assert to_python(document.root)["engine"] == {"size": 1}


def test_a_word_that_is_not_known_may_be_any() -> None:
    document = read('a.b=1 "$@"')
    assert document.hides_keys
    assert document.hides_inner_keys
    assert isinstance(to_python(read("a.b=$given").root)["a"]["b"], Unexpanded)


@each(
    ("words", "hides"),
    [("a.b=1 c=$LR", False), ("a=1 $MORE", True), ("$KEY=1", True), ("`cat words` a=1", True)],
)
def test_a_word_that_may_be_any_hides_keys(words: str, hides: bool) -> None:
    command = command_of(read(words).root)
    assert command is not None
    assert command.hides_keys is hides
