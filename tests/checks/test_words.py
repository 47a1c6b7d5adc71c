"""The words of a command that belong to no option."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

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
