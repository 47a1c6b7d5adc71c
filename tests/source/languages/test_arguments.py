"""Which words belong to which option, held against `argparse` itself."""

from __future__ import annotations

import argparse
import contextlib
import io
import random

import pytest

from cfglint.source.languages.arguments import Arguments, parsed
from cfglint.source.shell_values import ExpandedWord

TABLE = {"batch_size": "1", "lr": "1", "lr_decay": "1", "quant": "0", "config": "*", "path": "+"}


def words(text: list[str]) -> list[ExpandedWord]:
    return [
        ExpandedWord(one, number * 100, number * 100 + len(one)) for number, one in enumerate(text)
    ]


def read(*text: str) -> tuple[dict[str, list[str]], list[tuple[str, str]]]:
    found, problems = parsed(words(list(text)), Arguments(TABLE))
    return {one.name: [word.text for word in one.words] for one in found}, [
        (one.kind, one.name) for one in problems
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("--lr 1 --quant", {"lr": ["1"], "quant": []}),
        ("--lr=1 --batch 4", {"lr": ["1"], "batch_size": ["4"]}),
        ("--config a b --path c", {"config": ["a", "b"], "path": ["c"]}),
        ("--config --path c d", {"config": [], "path": ["c", "d"]}),
        ("--lr -1 --batch_size -.5", {"lr": ["-1"], "batch_size": ["-.5"]}),
        ("--lr 1 --lr 2", {"lr": ["2"]}),
    ],
)
def test_options_and_their_words(text: str, found: dict[str, list[str]]) -> None:
    assert read(*text.split()) == (found, [])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("--quant 1", ("stray", "1")),
        ("--lr 1 2", ("stray", "2")),
        ("--lr --quant", ("no-value", "lr")),
        ("--path", ("no-value", "path")),
        ("--lr -1e-5", ("no-value", "lr")),
        ("--quant=1", ("switch-with-value", "quant")),
        ("--lr_ 1 --l 1", ("ambiguous", "--l")),
        ("-- 1", ("stray", "--")),
    ],
)
def test_what_is_refused(text: str, problem: tuple[str, str]) -> None:
    assert problem in read(*text.split())[1]


def test_unknown_options_keep_their_names() -> None:
    found, problems = read("--color", "red", "-lr", "1")
    assert found == {"color": ["red"], "-lr": ["1"]}
    assert problems == []


def test_unknown_words_may_hold_any_option() -> None:
    row = [*words(["--lr", "1"]), ExpandedWord("$@", 900, 902, open=True, many=True)]
    found, problems = parsed(row, Arguments(TABLE))
    assert {one.name for one in found if one.kind == "absent"} == set(TABLE) - {"lr"}
    assert problems == []


def test_options_whose_name_is_not_known() -> None:
    for text in ("--$name", "$EXTRA", "--l$x", "`cat options`"):
        row = [
            ExpandedWord("--quant", 0, 7),
            ExpandedWord(text, 8, 20, open=True),
            ExpandedWord("5", 21, 22),
        ]
        found, problems = parsed(
            [*row, ExpandedWord("--lr", 30, 34), ExpandedWord("1", 35, 36)], Arguments(TABLE)
        )
        assert problems == []
        assert {one.name: one.kind for one in found if one.kind != "absent"} == {
            "quant": "switch",
            "lr": "value",
        }
    row = [
        ExpandedWord("--path", 0, 6),
        ExpandedWord("a", 7, 8),
        ExpandedWord("--lr=$x", 9, 16, open=True),
    ]
    found, problems = parsed(row, Arguments(TABLE))
    assert [(one.name, len(one.words)) for one in found] == [("path", 1), ("lr", 1)]


def test_verdicts_are_those_of_argparse() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    for name, arity in TABLE.items():
        if arity == "0":
            parser.add_argument(f"--{name}", action="store_true")
        else:
            parser.add_argument(f"--{name}", nargs=None if arity == "1" else arity)
    chance = random.Random(7)
    pool = [
        *("--lr", "--lr_decay", "--batch", "--b", "--l", "--quant", "--q", "--config", "--path"),
        *(
            "--lr=1",
            "--config=x",
            "--quant=1",
            "--no",
            "-x",
            "-1",
            "-1e5",
            "-",
            "1",
            "a b",
            "--a b",
        ),
        "",
    ]
    for _ in range(4000):
        text = [chance.choice(pool) for _ in range(chance.randrange(1, 6))]
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                parser.parse_args(text)
            refused = False
        except SystemExit:
            refused = True
        found, problems = parsed(words(text), Arguments(TABLE))
        ours = bool(problems) or any(one.name not in TABLE for one in found)
        assert ours == refused, text
