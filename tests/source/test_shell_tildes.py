"""Tildes in what a script assigns, as bash takes them."""

from __future__ import annotations

import os
import subprocess

from cfglint.source.shell_values import ShellVariables
from cfglint.source.shell_words import read
from tests.draws import each


def value(text: str) -> str:
    """What `x` stands for behind an assignment."""
    text = f'{text}\nrun "$x"'
    script = read(text)
    return ShellVariables(script, text).expanded(script.statements[-1])[1].text


@each(
    ("text", "expected"),
    [
        *(("x=~/data/a", "$HOME/data/a"), ("x=~", "$HOME"), ("export x=~/a", "$HOME/a")),
        *(("x=a:~/b:~", "a:$HOME/b:$HOME"), ('x=~/"a b"', "$HOME/a b")),
        *(('x="~/a"', "~/a"), ("x='~/a'", "~/a"), ("x=\\~/a", "~/a"), ("x=a~/b", "a~/b")),
        *(('x=~"/a"', "~/a"), ("x=/a/~/b", "/a/~/b"), ('x="a:"~/b', "a:~/b")),
    ],
)
def test_a_tilde_is_the_home_folder(text: str, expected: str) -> None:
    assert value(text) == expected
    home = {**os.environ, "HOME": "$HOME"}
    done = subprocess.run(
        ["bash", "-c", f'{text}\nprintf %s "$x"'],
        env=home,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == expected


def test_the_home_folder_of_somebody_is_not_known() -> None:
    text = "x=~ann/a\nrun $x"
    script = read(text)
    assert ShellVariables(script, text).expanded(script.statements[-1])[1].open


def test_a_home_folder_that_the_script_sets() -> None:
    assert value("HOME=/data\nx=~/a") == "/data/a"
