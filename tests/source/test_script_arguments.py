"""A script as it is when it is called without arguments, or with some."""

from __future__ import annotations

import os
import subprocess

from cfglint.source.script_arguments import arguments_in, with_arguments, without_arguments
from tests.draws import each

SHOWN = 'printf "<%s>" run'


@each(
    "text",
    [
        f'{SHOWN} --a 1 "$@"',
        f"{SHOWN} --a 1 $@ --b",
        f'{SHOWN} --a 1 \\\n  "${{@:2}}" \\\n  --b',
        f'more=(--a "$@" --b)\n{SHOWN} "${{more[@]}}"',
        f'MORE="$@"\n{SHOWN} $MORE --b',
        f"MORE=$*\n{SHOWN} $MORE --b",
    ],
)
def test_bash_gives_the_same_words_without_arguments(text: str) -> None:
    alone = without_arguments(text)
    assert len(alone) == len(text)
    assert arguments_in(alone) == ""
    assert ran(alone) == ran(text)


def ran(text: str, *arguments: str) -> str:
    done = subprocess.run(
        ["bash", "-c", text, "run.sh", *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ),
    )
    return done.stdout


@each(
    "text",
    [
        'run() {\n  train "$@"\n}\nrun --a 1',
        'function run {\n  train "$@"\n}\nrun --a 1',
        'set -- --a 1\ntrain "$@"',
        "train '$@' x\"$@\"",
        'train "$1" "${more[@]}"',
    ],
)
def test_those_of_functions_and_other_words_stay(text: str) -> None:
    assert without_arguments(text) == text


@each(
    "text",
    [
        f"{SHOWN} $1 ${{2}} ${{3:-c}} '$1'",
        f'CFG="${{1:-x.yml}}"\n{SHOWN} "$CFG" "configs/$2.yml"',
        f'CFG="$1"\nshift\n{SHOWN} "$CFG" "$1"',
        f'while [ $# -gt 0 ]; do {SHOWN} "$1"; shift; done',
        f'run() {{\n  {SHOWN} "$1"\n}}\nrun z',
    ],
)
def test_bash_gives_the_same_words_with_arguments(text: str) -> None:
    given = ["a/b.yml", "k=2"]
    assert ran(with_arguments(text, given), *given) == ran(text, *given)


def test_arguments_take_their_places() -> None:
    assert with_arguments('A=${1:-x}\ntrain "$A" "$2"', ["y"]) == 'A=y\ntrain "$A" "$2"'
    assert with_arguments("shift\ntrain $1", ["y"]) == "shift\ntrain $1"
    assert with_arguments("train $1", ["y z"]) == "train $1"
