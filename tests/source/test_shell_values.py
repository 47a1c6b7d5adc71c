"""What the words of a script stand for."""

from __future__ import annotations

import pytest

from cfglint.source.shell_values import ExpandedWord, ShellVariables
from cfglint.source.shell_words import read


def last(text: str) -> list[ExpandedWord]:
    """The words of the last command."""
    script = read(text)
    return ShellVariables(script, text).expanded(script.statements[-1])


def test_a_variable_that_is_set_once_is_followed() -> None:
    text = "lr='5e-5'\nrun --lr \"$lr\" ${lr} out/$lr/x"
    words = last(text)
    assert [word.text for word in words] == ["run", "--lr", "5e-5", "5e-5", "out/5e-5/x"]
    assert not any(word.open or word.many for word in words)
    assert [word.origin and text[slice(*word.origin)] for word in words] == [
        None,
        None,
        "'5e-5'",
        "'5e-5'",
        None,
    ]


def test_variables_of_variables() -> None:
    assert last("a=1\nb=x$a\nrun $b")[1].text == "x1"
    words = last('b="$1 conf.json"\nrun "$b"')
    assert (words[1].text, words[1].open, words[1].many) == ("$1 conf.json", True, False)


@pytest.mark.parametrize(
    "text",
    [
        "run $x",
        "x=1\nx=2\nrun $x",
        "x=1\nx+=2\nrun $x",
        "if a; then x=1; fi\nrun $x",
        "a && x=1\nrun $x",
        "f() { x=1; }\nrun $x",
        "for x in 1 2; do\nrun $x",
        "x=1\nread x\nrun $x",
        "x=1\nunset x\nrun $x",
        "x=1\neval $y\nrun $x",
        "x=1\nsource env.sh\nrun $x",
        "x=1\n. env.sh\nrun $x",
        "x=$(nproc)\nrun $x",
        "x=${y:-1}\nrun $x",
        ": ${x:=1}\nx=2\nrun $x",
        "x=(1 2)\nrun $x",
        "x[0]=1\nrun $x",
        "x=1 other\nrun $x",
        "x=1\nlet x=2\nrun $x",
        "x=1\n((x++))\nrun $x",
        "x=1\n(( x = 2 ))\nrun $x",
    ],
)
def test_what_is_not_known(text: str) -> None:
    (word,) = last(text)[1:]
    assert word.open


def test_what_is_set_later_is_not_known() -> None:
    text = "run $x\nx=1\n"
    script = read(text)
    assert ShellVariables(script, text).expanded(script.statements[0])[1].open


@pytest.mark.parametrize(
    "text",
    [
        "source env.sh\nx=1\nrun $x",
        "export x=1\nrun $x",
        "local x=1\nrun $x",
        "x=1 y=2\nrun $x",
        "for i in 1 2; do x=1; run $x",
        "a && x=1 && run $x",
        "if a; then x=1; if b; then run $x",
    ],
)
def test_what_is_known(text: str) -> None:
    assert [word.text for word in last(text)] == ["run", "1"]


def test_a_variable_without_quotes_is_split() -> None:
    assert [word.text for word in last('x="a b"\nrun $x "$x" p$x"q"')] == [
        *("run", "a", "b", "a b", "pa", "bq"),
    ]
    assert [word.text for word in last('x=\nrun $x "$x"')] == ["run", ""]


def test_words_that_may_be_several() -> None:
    words = last('run $x "$x" "$@" *.json {a,b} "*" "${y[@]}"')
    assert [word.many for word in words] == [False, True, False, True, True, True, False, True]


def test_long_values_are_not_followed() -> None:
    assert last(f"x={'a' * 5000}\nrun $x")[1].open
    chain = "a0=xx\n" + "".join(f"a{i}=$a{i - 1}$a{i - 1}\n" for i in range(1, 60))
    assert last(chain + "run $a59")[1].open
