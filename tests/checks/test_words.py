"""The words of a command that belong to no option."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.fixes.applying import apply_edits
from tests.draws import each
from tests.linting import lint_in

USUAL = "torchrun src/train.py --stage sft --do_train --model_name_or_path a/b --dataset c"


def stray(folder: Path, options: str) -> list[str]:
    """What is said of the words, without what the program does about them."""
    script = folder / "run.sh"
    script.write_text(f"{USUAL} --template qwen3 --output_dir out {options}\n")
    found = lint_file(script, framework="llamafactory").diagnostics
    return [
        one.message.replace(": LLaMA-Factory accepts options only", "")
        for one in found
        if one.code == "LCH810"
    ]


@pytest.mark.parametrize(
    ("options", "messages"),
    [
        ("--bf16 True 8", ["`8` does not belong to any option."]),
        (
            "--default_system You help --bf16 True",
            ["`help` does not belong to any option."],
        ),
        (
            "--default_system You help people. --bf16 True",
            [
                "`help` and 1 more word do not belong to any option."
                " Put quotes around the value of `--default_system`."
            ],
        ),
        (
            "--default_system=You help all people. --bf16 True 8",
            [
                "`help` and 2 more words do not belong to any option."
                " Put quotes around the value of `--default_system`.",
                "`8` does not belong to any option.",
            ],
        ),
        ("--default_system 'You help people.' --bf16 True", []),
        # On a line of its own, a word is a slip of its own.
        (
            "--bf16 True a \\\n  b \\\n  --seed 1",
            ["`a` does not belong to any option.", "`b` does not belong to any option."],
        ),
    ],
)
def test_one_missing_pair_of_quotes_is_one_finding(
    tmp_path: Path, options: str, messages: list[str]
) -> None:
    assert stray(tmp_path, options) == messages


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ("<RUN NAME>", []),
        ("out/<RUN NAME>", []),
        ("my run", ["`run` does not belong to any option."]),
    ],
)
def test_a_blank_of_several_words_stands_for_one(
    tmp_path: Path, value: str, messages: list[str]
) -> None:
    script = tmp_path / "run.sh"
    script.write_text(
        f'NAME="{value}"\n{USUAL} --template qwen3 --output_dir out --run_name $NAME\n'
    )
    found = lint_file(script, framework="llamafactory").diagnostics
    said = [one.message.partition(":")[0] for one in found if one.severity != "note"]
    assert said == [one.rstrip(".") for one in messages]


@pytest.mark.parametrize(
    ("head", "is_offered"),
    [
        ("#!/bin/bash\n", True),
        ("#!/usr/bin/env bash\n", True),
        ("#!/usr/bin/zsh\n", True),
        ("#!/bin/sh\n", False),
        ("#!/usr/bin/env python\n", False),
        ("", False),
        ("\n#!/bin/bash\n", False),
        ("# bash\n", False),
        ("#!/bin/bash\r\n", False),
    ],
)
def test_pipefail_is_offered_behind_the_name_of_a_shell_that_has_it(
    tmp_path: Path, head: str, is_offered: bool
) -> None:
    script = tmp_path / "run.sh"
    start = "torchrun main_finetune.py --llama_type llama --llama_config params.json --batch_size 1"
    script.write_bytes(f"{head}{start} 2>&1 | tee log\n".encode())
    found = lint_file(script, framework="accessory").diagnostics
    (hidden,) = [one for one in found if one.name == "pipe-hides-exit-code"]
    edits = [(edit.start, edit.text) for fix in hidden.fixes for edit in fix.edits]
    assert edits == ([(len(head), "set -eo pipefail\n")] if is_offered else [])


ACCESSORY = "torchrun main_finetune.py --llama_type llama --llama_config p.json --tokenizer_path t "
LLAMAFACTORY = (
    "llamafactory-cli train --stage sft --do_train --model_name_or_path a/b --dataset c"
    " --template qwen --output_dir o "
)
#: Rules about the words of commands, of both frameworks.
OF_WORDS = frozenset(
    {
        *("stray-argument", "stray-word", "option-without-value", "option-without-word"),
        *("repeated-option", "option-given-twice", "switch-with-value", "ambiguous-option"),
        *("ambiguous-abbreviation", "options-cut-off", "lines-not-joined", "pipe-cut-off"),
        *("pipe-hides-exit-code",),
    }
)


def told(options: str, framework: str = "accessory") -> list[tuple[str, str, str, str, list[str]]]:
    """(rule, severity, what the program does, the words, titles of fixes) of what is found in a command."""
    start = ACCESSORY if framework == "accessory" else LLAMAFACTORY
    text = f"#!/bin/bash\n{start}{options}\n"
    return [
        (
            one.name,
            one.severity,
            one.upstream,
            text[one.span.start : one.span.end],
            [fix.title for fix in one.fixes],
        )
        for one in lint_in({}, text, name="run.sh", framework=framework)
        if one.name in OF_WORDS
    ]


END = "End the line above with `\\`"
TWICE, CUT_OFF, PIPE = "repeated-option", "options-cut-off", "pipe-hides-exit-code"
PIPEFAIL = ["Add `set -eo pipefail`"]


@each(
    ("options", "expected"),
    [
        ("--batch_size 1 --epochs 2", []),
        ("x --batch_size 1", [("stray-argument", "error", "rejects", "x", [])]),
        # An option that is given again.
        ("--batch_size 1 --batch_size 2", [(TWICE, "warning", "silent", "--batch_size 1", [])]),
        (
            "--lr 1 --batch_size 1 --lr 2 --batch_size 2 --lr 3",
            [
                (TWICE, "warning", "silent", "--lr 1", []),
                (TWICE, "warning", "silent", "--batch_size 1", []),
                (TWICE, "warning", "silent", "--lr 2", []),
            ],
        ),
        ("--epochs 1 --batch_size", [("option-without-value", "error", "rejects", "--batch_size", [])]),
        # Several blanks are to be filled in.
        (
            "--batch_size --epochs",
            [
                ("option-without-value", "note", "rejects", "--batch_size", []),
                ("option-without-value", "note", "rejects", "--epochs", []),
            ],
        ),
        (
            "--no_visual=true",
            [("switch-with-value", "error", "rejects", "--no_visual=true", ["Write --no_visual"])],
        ),
        (
            "--no_visual='YES'",
            [("switch-with-value", "error", "rejects", "--no_visual='YES'", ["Write --no_visual"])],
        ),
        ("--no_visual=false", [("switch-with-value", "error", "rejects", "--no_visual=false", [])]),
        # A line of options that is a command of its own.
        ("--batch_size 1\n  --epochs 2", [(CUT_OFF, "error", "silent", "--epochs", [END])]),
        ("--batch_size 1 \\ \n  --epochs 2", [(CUT_OFF, "error", "rejects", "--epochs", ["Remove the space"])]),
        ("--batch_size 1 # why\n  --epochs 2", [(CUT_OFF, "error", "silent", "--epochs", [])]),
        ("--batch_size 1\necho --epochs 2", []),
        # The result of the script is that of the last command of a pipe.
        ("--batch_size 1 | tee log", [(PIPE, "note", "silent", "main_finetune.py", PIPEFAIL)]),
        ("--batch_size 1 | tee log\nexit ${PIPESTATUS[0]}", []),
        ("--batch_size 1 > log", []),
        ("--batch_size 1 # c\n  2>&1 | tee log", [("pipe-cut-off", "warning", "silent", "2>&1 | tee", [])]),
        ("--batch_size 1\n  2>&1 | tee log", [("pipe-cut-off", "warning", "silent", "2>&1 | tee", [])]),
    ],
)  # fmt: skip
def test_words_of_a_command(
    options: str, expected: list[tuple[str, str, str, str, list[str]]]
) -> None:
    assert sorted(told(options)) == sorted(expected)


@each(
    ("options", "expected"),
    [
        ("--bf16 True --bf16 False", [("option-given-twice", "warning", "silent", "--bf16 True", [])]),
        # The same value twice is no matter.
        ("--seed 1 --seed 1", []),
        ("--seed '1' --seed 1", []),
        # Without the value that it needs it ends the command.
        ("--deepspeed --deepspeed d.json", [("option-without-word", "error", "rejects", "--deepspeed", [])]),
        # A switch is on with its word and without.
        ("--bf16 --bf16 True", []),
        ("--bf16 --bf16 False", [("option-given-twice", "warning", "silent", "--bf16", [])]),
        # Only the place of what a run writes is another one.
        ("--output_dir p", [("option-given-twice", "note", "silent", "--output_dir o", [])]),
        ("--deepspeed --seed 1", [("option-without-word", "error", "rejects", "--deepspeed", [])]),
        # What only a person knows.
        (
            "--resume_from_checkpoint",
            [("option-without-word", "note", "rejects", "--resume_from_checkpoint", [])],
        ),
        ("--val 1", [("ambiguous-abbreviation", "error", "rejects", "--val", [])]),
        ("--val_s 1", []),
        ("--seed 1\n --lora_rank 8", [("lines-not-joined", "error", "silent", "--lora_rank", [END])]),
        (
            "--bf16 True \\ \n --seed 1",
            [("lines-not-joined", "error", "rejects", "--seed", ["Remove the space"])],
        ),
    ],
)  # fmt: skip
def test_words_of_a_command_with_other_options(
    options: str, expected: list[tuple[str, str, str, str, list[str]]]
) -> None:
    assert sorted(told(options, "llamafactory")) == sorted(expected)


def test_the_option_that_counts_is_shown() -> None:
    text = f"{LLAMAFACTORY}--seed 1 --lora_rank 2 --seed 3\n"
    (one,) = [
        one
        for one in lint_in({}, text, name="run.sh", framework="llamafactory")
        if one.name == "option-given-twice"
    ]
    (beside,) = one.related
    assert text[beside.span.start :].startswith("--seed 3")
    assert beside.note == "this one counts"


def test_options_of_variables_may_be_replaced() -> None:
    text = f'OPTS="--seed 1 --lora_rank 2"\n{LLAMAFACTORY}$OPTS --seed 3\n'
    found = lint_in({}, text, name="run.sh", framework="llamafactory")
    twice = [one.severity for one in found if one.name == "option-given-twice"]
    assert twice == ["note"]


@each(
    ("options", "fixed"),
    [
        ("--no_visual=true --lr 1", "--no_visual --lr 1"),
        ("--lr 1 --no_visual='1'", "--lr 1 --no_visual"),
        ("--lr 1\n  --epochs 2", "--lr 1 \\\n  --epochs 2"),
        ("--lr 1 \\  \n  --epochs 2", "--lr 1 \\\n  --epochs 2"),
    ],
)
def test_what_is_mended(options: str, fixed: str) -> None:
    text = f"{ACCESSORY}{options}\n"
    (one,) = [
        one
        for one in lint_in({}, text, name="run.sh", framework="accessory")
        if one.name in OF_WORDS
    ]
    (fix,) = one.fixes
    assert fix.safety == "safe"
    assert apply_edits(text, fix.edits) == f"{ACCESSORY}{fixed}\n"


def test_several_words_are_one_place() -> None:
    (one,) = told("x y  z", "llamafactory")
    assert one == ("stray-word", "error", "rejects", "x y  z", [])
