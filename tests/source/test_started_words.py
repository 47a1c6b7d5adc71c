"""The words of what a command starts."""

from __future__ import annotations

import subprocess

from cfglint.source.shell_values import ExpandedWord, ShellVariables
from cfglint.source.shell_words import read
from cfglint.source.started_words import started
from tests.draws import each


def last(text: str) -> list[ExpandedWord]:
    """The words of the last command."""
    script = read(text)
    return ShellVariables(script, text).expanded(script.statements[-1])


@each(
    "text",
    [
        "x='a b'\nx+=' c'\nx=\"$x d\"\nshow $x",
        'x=a\ny=$x\nx="$x b"\nshow $y $x',
        'x="show a"\nx="$x b"\n$x',
        'x="show a b"\neval "$x"',
        'x="show a b"\nbash -c "$x"',
        'x="show a b"\n/bin/sh -c "$x"',
        "sh -c 'show a  b'",
    ],
)
def test_bash_runs_the_same_words_of_stored_commands(text: str) -> None:
    given = "show() { printf '%s\\0' \"$@\"; }; export -f show\n"
    shown = text.replace("/bin/sh", "/bin/bash").replace("sh -c 's", "bash -c 's")
    done = subprocess.run(["bash", "-c", given + shown], check=True, capture_output=True, text=True)
    words = [word.text for word in started(last(text))]
    assert words == ["show", *done.stdout.split("\0")[:-1]]


def test_a_file_of_an_installed_package() -> None:
    text = """at=$(python -c 'import a; print(a.__path__[0])')\nrun $at/b.py $at"""
    assert [word.text for word in started(last(text))][:2] == ["run", "a/b.py"]


@each(
    ("text", "expected"),
    [
        ("${TOOL:-tool} go", ["tool", "go"]),
        ('TOOL="${TOOL:-tool}"\n"$TOOL" go --a ${A:-b}', ["tool", "go", "--a", "${A:-b}"]),
        ('py --n 2 "${FILE:-a/b.py}" ${A:-b}', ["py", "--n", "2", "a/b.py", "${A:-b}"]),
        ("X=1 ${TOOL-'tool'} go", ["X=1", "tool", "go"]),
        ("${TOOL:-$(find tool)} go", ["${TOOL:-$(find tool)}", "go"]),
        ("${TOOL:-tool --x} go", ["${TOOL:-tool --x}", "go"]),
    ],
)
def test_a_program_that_a_variable_has_by_default(text: str, expected: list[str]) -> None:
    assert [word.text for word in started(last(text))] == expected


def test_a_default_in_a_command_of_its_own() -> None:
    text = ': "${TOOL:=tool}"\n$TOOL go $TOOL --a $TOOL'
    script = read(text)
    variables = ShellVariables(script, text)
    words = started(variables.expanded(script.statements[-1]), variables.defaults)
    assert [word.text for word in words] == ["tool", "go", "tool", "--a", "$TOOL"]
