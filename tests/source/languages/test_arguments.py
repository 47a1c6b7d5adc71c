"""Which words belong to which option, held against `argparse` itself."""

from __future__ import annotations

import argparse
import contextlib
import io
import random

from cfglint.source.languages.arguments import Arguments, parsed
from cfglint.source.shell_values import ExpandedWord
from tests.draws import each

TABLE = {
    "batch_size": "1",
    "lr": "1",
    "lr_decay": "1",
    "quant": "0",
    "config": "*",
    "path": "+",
    "range": "2",
}


def words(text: list[str]) -> list[ExpandedWord]:
    return [
        ExpandedWord(one, number * 100, number * 100 + len(one)) for number, one in enumerate(text)
    ]


def read(*text: str) -> tuple[dict[str, list[str]], list[tuple[str, str]]]:
    found, problems, _ = parsed(words(list(text)), Arguments(TABLE))
    return {one.name: [word.text for word in one.words] for one in found}, [
        (one.kind, one.name) for one in problems
    ]


@each(
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


@each(
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


def test_behind_two_dashes_all_is_stray() -> None:
    assert read("--quant", "--", "--lr", "1", "--path") == ({"quant": []}, [("stray", "--")])


def test_words_of_other_kinds() -> None:
    options = Arguments(
        {"on": "?", "no_on": "0", "sure": "1", "two": "2"},
        {"no_on": "on"},
        frozenset({"no_on"}),
        truths=frozenset({"sure"}),
    )
    found, problems, _ = parsed(
        words(
            ["--on", "--on", "yes", "--no_on", "--sure", "x", "--two=1", "-a", "-b", "c", "-", "-5"]
        ),
        options,
    )
    assert [(one.name, one.kind, [word.text for word in one.words]) for one in found] == [
        ("on", "switch", []),
        ("on", "truth", ["yes"]),
        ("on", "off", []),
        ("sure", "truth", ["x"]),
        ("two", "list", ["1"]),
        ("-a", "switch", []),
        ("-b", "list", ["c", "-", "-5"]),
    ]
    assert [(one.kind, one.name, one.others) for one in problems] == [("no-value", "two", ("2",))]


def test_unknown_options_keep_their_names() -> None:
    found, problems = read("--color", "red", "-lr", "1")
    assert found == {"color": ["red"], "-lr": ["1"]}
    assert problems == []


def test_unknown_words_may_hold_any_option() -> None:
    row = [*words(["--lr", "1"]), ExpandedWord("$@", 900, 902, open=True, many=True)]
    found, problems, hiding = parsed(row, Arguments(TABLE))
    assert [one.name for one in found] == ["lr"]
    assert (problems, hiding) == ([], row[-1])
    assert parsed(row[:-1], Arguments(TABLE)).hiding is None


def test_options_whose_name_is_not_known() -> None:
    for text in ("--$name", "$EXTRA", "--l$x", "`cat options`"):
        row = [
            ExpandedWord("--quant", 0, 7),
            ExpandedWord(text, 8, 20, open=True),
            ExpandedWord("5", 21, 22),
        ]
        found, problems, hiding = parsed(
            [*row, ExpandedWord("--lr", 30, 34), ExpandedWord("1", 35, 36)], Arguments(TABLE)
        )
        assert (problems, hiding) == ([], row[1])
        assert {one.name: one.kind for one in found} == {
            "quant": "switch",
            "lr": "value",
        }
    row = [
        ExpandedWord("--path", 0, 6),
        ExpandedWord("a", 7, 8),
        ExpandedWord("--lr=$x", 9, 16, open=True),
    ]
    found, problems, _ = parsed(row, Arguments(TABLE))
    assert [(one.name, len(one.words)) for one in found] == [("path", 1), ("lr", 1)]


def test_a_switch_may_have_a_word_and_its_opposite_sets_the_same_key() -> None:
    options = Arguments(
        {"bf16": "?", "no_bf16": "0", "no-bf16": "0", "lora_r": "1", "lora-r": "1"},
        {"no_bf16": "bf16", "no-bf16": "bf16", "lora-r": "lora_r"},
        frozenset({"no_bf16", "no-bf16"}),
    )

    def kinds(text: str) -> list[tuple[str, str, int]]:
        found = parsed(words(text.split()), options)
        assert found.problems == []
        return [(one.name, one.kind, len(one.words)) for one in found.found]

    assert kinds("--bf16 --lora-r 8") == [("bf16", "switch", 0), ("lora_r", "value", 1)]
    assert kinds("--bf16 False") == [("bf16", "truth", 1)]
    assert kinds("--no_bf16 --bf16=1") == [("bf16", "off", 0), ("bf16", "truth", 1)]
    assert kinds("--lora_ 8 --no-b") == [("lora_r", "value", 1), ("bf16", "off", 0)]


def test_an_abbreviation_that_fits_two_spellings_is_ambiguous() -> None:
    options = Arguments(
        {"lora_r": "1", "lora-r": "1", "lora_dim": "1", "lora-dim": "1", "lr": "1"},
        {"lora-r": "lora_r", "lora-dim": "lora_dim"},
    )

    def others(text: str) -> list[tuple[str, ...]]:
        return [one.others for one in parsed(words(text.split()), options).problems]

    assert others("--lora_d 8 --lora-d 8 --l 1") == [("lora_r", "lora_dim", "lr")]
    assert others("--lora 8") == [("lora_r", "lora_dim")]
    alone = Arguments({"lora_r": "1", "lora-r": "1"}, {"lora-r": "lora_r"})
    assert parsed(words(["--lo", "8"]), alone).problems[0].others == ("lora_r", "lora-r")


def test_an_option_may_need_its_word_for_true_or_false() -> None:
    options = Arguments({"lazy": "1", "lr": "1"}, truths=frozenset({"lazy"}))
    found, problems, _ = parsed(words(["--lazy", "false", "--lr", "1", "--lazy"]), options)
    assert [(one.kind, len(one.words)) for one in found] == [
        ("truth", 1),
        ("value", 1),
        ("truth", 0),
    ]
    assert [(one.kind, one.name) for one in problems] == [("no-value", "lazy")]


def test_words_behind_a_switch_may_be_options() -> None:
    options = Arguments({"bf16": "?", "lr": "1"})
    open_word = ExpandedWord("$EXTRA", 8, 14, open=True, many=True)
    assert parsed([*words(["--bf16"]), open_word], options).hiding == open_word
    assert parsed([*words(["--lr"]), open_word], options).hiding is None


def test_verdicts_are_those_of_argparse() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    for name, arity in TABLE.items():
        # As transformers' parser does it: `dict.fromkeys` leaves one out where both are the same.
        spellings = [f"--{one}" for one in dict.fromkeys((name, name.replace("_", "-")))]
        if arity == "0":
            parser.add_argument(*spellings, action="store_true")
        else:
            nargs = None if arity == "1" else int(arity) if arity.isdigit() else arity
            parser.add_argument(*spellings, nargs=nargs)
    dashed = {name.replace("_", "-"): name for name in TABLE if "_" in name}
    options = Arguments({**TABLE, **{one: TABLE[name] for one, name in dashed.items()}}, dashed)
    chance = random.Random(7)
    pool = [
        *(
            "--lr",
            "--lr_decay",
            "--lr-d",
            "--batch",
            "--batch-",
            "--b",
            "--l",
            "--quant",
            "--q",
            "--config",
            "--path",
        ),
        *("--range", "--range", "--range=1"),
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
        found, problems, _ = parsed(words(text), options)
        ours = bool(problems) or any(one.name not in TABLE for one in found)
        assert ours == refused, text
