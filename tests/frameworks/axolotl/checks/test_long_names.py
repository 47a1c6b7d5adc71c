"""Names and values of any length: messages have as much of them as a line has room for."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cfglint.frameworks.axolotl.checks import (
    accelerate_pair,
    adapter_folder,
    dataset_file,
    deepspeed_pair,
    launch_line,
    split_entry,
)
from tests.draws import each
from tests.linting import lint_in
from tests.shipped import codes_of

CODES = codes_of(
    [
        *(*accelerate_pair.CHECKS, *adapter_folder.CHECKS, *dataset_file.CHECKS),
        *(*deepspeed_pair.CHECKS, *launch_line.CHECKS, *split_entry.CHECKS),
    ]
)
BASE = (
    "base_model: a/b\nmicro_batch_size: 2\nnum_epochs: 1\nlr_scheduler: cosine\n"
    "datasets:\n  - path: {path}\n    type: alpaca\n"
)
B, C, E = "b" * 200, "c" * 200, "e" * 200


def said(words: str, files: Mapping[str, str], path: str = "x") -> list[str]:
    """Code and message of each finding, with the number of each long run of a letter."""
    text = BASE.format(path=path) + words
    found = lint_in({".git/HEAD": "", **files}, text, select=CODES, target=("axolotl==0.18.0",))
    return sorted(
        re.sub(r"(\w)\1{9,}", lambda run: f"{run[1]}*{len(run[0])}", f"{one.code} {one.message}")
        for one in found
    )


TRAIN = "axolotl train train.yml"


@each(
    ("words", "files", "path", "expected"),
    [
        ("", {"run.sh": f"{TRAIN} --{B} 1\n"}, "x", []),
        (
            "",
            {"run.sh": f"{TRAIN} --micro-batch-size={B}\n"},
            "x",
            ["LCH002 `--micro-batch-size b*59…`: `micro_batch_size` takes a whole number."],
        ),
        (
            "",
            {"run.sh": f"{TRAIN} --sample-packing={B}\n"},
            "x",
            ["LCH003 `--sample-packing` takes no value in 0.18.0: write just `--sample-packing`."],
        ),
        (
            f"deepspeed:\n  zero_optimization: {{stage: 2}}\n  optimizer: {{type: {B}}}\noptimizer: {C}\n",
            {},
            "x",
            [
                "DST556 `optimizer: c*59…` is not used: DeepSpeed's settings bring b*59…, and DeepSpeed builds the optimizer where its settings have one. Remove the section from the file to use yours."
            ],
        ),
        (
            f"deepspeed:\n  zero_optimization: {{stage: 2}}\n  scheduler: {{type: {B}}}\n",
            {},
            "x",
            [
                "DST557 `lr_scheduler: cosine` is not used: DeepSpeed's settings bring b*59…, and DeepSpeed makes the learning rates where its settings have a `scheduler`. Remove the section from the file to use yours."
            ],
        ),
        (
            f"deepspeed:\n  zero_optimization: {{stage: 2}}\n  train_micro_batch_size_per_gpu: {'7' * 100}\n",
            {},
            "x",
            [
                'DST553 `train_micro_batch_size_per_gpu` is 7*59… here but `micro_batch_size: 2` in the config, and the trainer refuses values that differ. Write `"auto"` to use the config\'s.'
            ],
        ),
        (
            "",
            {f"data/{B}.jsonl": '{"instruction": "a"}\n' + f'{{"{C}": 1}}\n'},
            f"data/{B}.jsonl",
            [
                "DAT552 Nothing in b*200.jsonl is called `output`, which is read here; its columns are `instruction`, `c*39…`."
            ],
        ),
        (
            "",
            {f"data/{B}.jsonl": f'{{"{C}": 1, "{E}": 2}}\n'},
            f"data/{B}.jsonl",
            [
                "DAT552 Nothing in b*200.jsonl is called `instruction`, which is read here; its columns are `c*39…`, `e*39…`."
            ],
        ),
        ("", {f"data/{B}.json": "[1, 2\n"}, f"data/{B}.json", []),
        ("", {f"data/{B}.jsonl": ""}, f"data/{B}.jsonl", []),
        (
            "",
            {"data/a.jsonl": "{}\n"},
            f"data/{B}.jsonl",
            ["DAT550 There is no `data/b*200.jsonl`. Its folder holds 1 of the same kind."],
        ),
        (
            "",
            {f"data/{B}.jsonl": "{}\n"},
            f"data/{B[:-1]}.jsonl",
            [
                "DAT550 There is no `data/b*199.jsonl`; there is `b*200.jsonl`. Its folder holds 1 of the same kind."
            ],
        ),
    ],
)
def test_findings(words: str, files: Mapping[str, str], path: str, expected: list[str]) -> None:
    assert said(words, files, path) == expected
