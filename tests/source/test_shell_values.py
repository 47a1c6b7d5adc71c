"""What the words of a script stand for."""

from __future__ import annotations

import subprocess

import pytest

from cfglint.source.shell_values import ExpandedWord, ShellVariables
from cfglint.source.shell_words import read
from tests.draws import each


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


@each(
    "text",
    [
        "run $x",
        "x=1\nx=2\nrun $x",
        "declare -i x=1\nx+=2\nrun $x",
        "x=1\nif a; then\nx+=2\nfi\nrun $x",
        'x=1\nx="$y"\nrun $x',
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


@each(
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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A=(x 'y z')\nrun \"${A[@]}\"", ["x", "y z"]),
        ("A=(x)\nA+=(y)\nrun ${A[@]}", ["x", "y"]),
        ('B=1\nA=($B)\nA=(z "$B")\nrun "${A[@]}" end', ["z", "1", "end"]),
    ],
)
def test_lists_are_expanded(text: str, words: list[str]) -> None:
    script = read(text)
    found = ShellVariables(script, text).expanded(script.statements[-1])
    assert [(one.text, one.open) for one in found[1:]] == [(word, False) for word in words]


@each(
    "text",
    [
        'if x; then\nA=(x)\nfi\nrun "${A[@]}"',
        'if x; then\nA=(x)\nfi\nA+=(y)\nrun "${A[@]}"',
        'A=(x)\nif x; then\nA=(y)\nfi\nrun "${A[@]}"',
        'A+=(x)\nrun "${A[@]}"',
        'A=(x)\nsource other.sh\nrun "${A[@]}"',
        "A=('x y')\nrun ${A[@]}",
        'run "${A[@]}"\nA=(x)',
    ],
)
def test_lists_that_are_not_known(text: str) -> None:
    script = read(text)
    statement = next(one for one in script.statements if text[one.words[0].start :][:3] == "run")
    (word,) = ShellVariables(script, text).expanded(statement)[1:]
    assert word.open


def test_words_that_some_cases_alone_add_to_a_list_may_be_any() -> None:
    text = 'A=(x)\nif z; then\nA+=(--y 1)\nfi\nA+=(end)\nrun "${A[@]}"'
    found = last(text)[1:]
    assert [(one.text, one.open and one.many) for one in found] == [
        ("x", False),
        ("${A[@]}", True),
        ("end", False),
    ]
    # In the same case, they are known.
    text = 'A=(x)\nif z; then\nA+=(y)\nrun "${A[@]}"\nfi'
    assert [one.text for one in last(text)[1:]] == ["x", "y"]


def test_lists_of_lists_take_no_longer_than_they_are() -> None:
    text = "A0=(x)\n" + "".join(
        f'A{n}=("${{A{n - 1}[@]}}" "${{A{n - 1}[@]}}")\n' for n in range(1, 3000)
    )
    script = read(text + 'run "${A3[@]}"\nrun "${A2999[@]}"\n')
    variables = ShellVariables(script, text + 'run "${A3[@]}"\nrun "${A2999[@]}"\n')
    known, unknown = (variables.expanded(one) for one in script.statements[-2:])
    assert [one.text for one in known] == ["run", *["x"] * 8]
    assert unknown[1].open
    assert read("a=(" * 5000).statements


def test_words_read_from_a_here_document_have_their_places_in_it() -> None:
    text = (
        "n=4\nread -r -d '' words <<EOF\nmodule \\\n  --out ck/$n/\\\nx \\\n --say \"a b\" --key=\\$HOME $q\nEOF\n"
        "if [ $1 ]; then\n  run --module $words\nfi"
    )
    words = last(text)[2:]
    assert [word.text for word in words] == [
        *("module", "--out", "ck/4/x", "--say", '"a', 'b"', "--key=$HOME", "$q")
    ]
    assert [word.open for word in words] == [False] * 7 + [True]
    assert text[words[1].start : words[1].end] == "--out"
    assert text[words[2].start : words[2].end] == "ck/$n/\\\nx"


@each(
    "text",
    [
        "read -r -d '' x <<'EOF'\n--lr 1\nEOF\nrun $x",
        "read -r x <<EOF\n--lr 1\nEOF\nrun $x",
        "read -r -d '' x y <<EOF\n--lr 1\nEOF\nrun $x",
        "read -r -d '' x <<EOF\n--lr 1\nEOF\nread -r -d '' x <<EOF\n--lr 2\nEOF\nrun $x",
        "read -r -d '' x <<EOF\n--lr 1\nEOF\nx=2\nrun $x",
        "x=2\nread -r -d '' x <<EOF\n--lr 1\nEOF\nrun $x",
        "read -r -d '' x <<EOF\n--lr 1\nEOF\nunset x\nrun $x",
        "if a; then\nread -r -d '' x <<EOF\n--lr 1\nEOF\nfi\nrun $x",
        "read -r -d '' x <<A <<B\n--lr 1\nA\n--lr 2\nB\nrun $x",
        "read -r -d '' x <<EOF\n--lr 1\nEOF\nrun \"$x\"",
    ],
)
def test_a_here_document_that_is_not_known_word_by_word(text: str) -> None:
    (word,) = last(text)[1:]
    assert (word.text, word.open) == ("$x", True)


def test_bash_finds_the_same_words_of_here_documents() -> None:
    texts = [
        "a \\\n b c\\\nd",
        "a\t'b c' \"d\" \\\\ \\x \\`",
        "$v x$v/y ${v}z",
        "\n\n  a \n # b \\\n\\\n c",
    ]
    for one in texts:
        text = f"v=1\nread -r -d '' words <<EOF\n{one}\nEOF\nprintf '%s\\0' $words"
        done = subprocess.run(["bash", "-c", text], check=True, capture_output=True, text=True)
        assert [word.text for word in last(text)[2:]] == done.stdout.split("\0")[:-1]


def test_a_stored_command_with_unknown_words() -> None:
    words = last('x="run --nodes $N --lr 1"\nsrun $x --seed 2')
    assert [word.text for word in words] == [
        "srun",
        "run",
        "--nodes",
        "$N",
        "--lr",
        "1",
        "--seed",
        "2",
    ]
    assert [word.open and word.many for word in words] == [word.text == "$N" for word in words]
    # What is computed may have blanks that divide nothing, and quotes keep all of it together.
    for text in ('x="run $(a b) c"\nsrun $x', 'x="run $N c"\nsrun "$x"'):
        (word,) = last(text)[1:]
        assert word.open


def test_a_variable_that_is_set_very_often_is_not_followed() -> None:
    (word,) = last("x=a\n" + 'x="$x b"\n' * 3000 + "run $x")[1:]
    assert word.open
