"""Names of any length in datasets: messages have as much of them as a line has room for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from cfglint.frameworks.llamafactory.checks import dataset_data, dataset_entries, dataset_info
from tests.draws import each
from tests.linting import lint_in
from tests.shipped import codes_of

CODES = codes_of([*dataset_data.CHECKS, *dataset_entries.CHECKS, *dataset_info.CHECKS])
CONFIG = (
    "model_name_or_path: Qwen/Qwen3-8B\ntemplate: qwen3\nstage: sft\ndo_train: true\n"
    "finetuning_type: lora\ncutoff_len: 2048\noutput_dir: ./out\ndataset: "
)
A, B, C, E = ("a" * 200, "b" * 200, "c" * 200, "e" * 200)


def said(name: str, entry: Mapping[str, Any], files: Mapping[str, str]) -> list[str]:
    """Code and message of each finding, with the number of each long run of a letter."""
    around = {f"data/{path}": text for path, text in files.items()}
    around["data/dataset_info.json"] = json.dumps({A: entry} if entry else {"other": {}})
    target = ("llamafactory==0.9.3",)
    found = lint_in(around, CONFIG + name, framework="llamafactory", select=CODES, target=target)
    return [
        re.sub(r"(\w)\1{9,}", lambda run: f"{run[1]}*{len(run[0])}", f"{one.code} {one.message}")
        for one in found
    ]


@each(
    ("name", "entry", "files", "expected"),
    [
        (
            B,
            {},
            {},
            [
                "LLF053 Add `b*79…` to `data/dataset_info.json`, which has no such dataset, or correct the name."
            ],
        ),
        (
            A,
            {"file_nam": "x"},
            {},
            [
                "LLF200 Add the place of the data of `a*79…` to its entry, one of `hf_hub_url`, `ms_hub_url`, `om_hub_url`, `script_url`, `cloud_file_name`, `file_name`. `file_nam` is probably `file_name`."
            ],
        ),
        (
            A,
            {f"file_nam{'e' * 60}": "x"},
            {},
            [
                "LLF200 Add the place of the data of `a*79…` to its entry, one of `hf_hub_url`, `ms_hub_url`, `om_hub_url`, `script_url`, `cloud_file_name`, `file_name`."
            ],
        ),
        (
            A,
            {"hf_hub_url": "x", "formatting": C},
            {},
            [
                "LLF201 Use one of `alpaca`, `sharegpt` as the `formatting` of `a*79…`: LLaMA-Factory has no converter for `c*39…` and refuses it."
            ],
        ),
        (
            A,
            {"hf_hub_url": "x", "formatting": "sharegpt", "columns": {"tools": "t"}},
            {},
            [
                "LLF202 Name `columns.messages` in the entry of `a*79…`, as the converter looks it up: `columns` replaces all defaults, and does not have it."
            ],
        ),
        (
            A,
            {"hf_hub_url": "x", "ranking": True},
            {},
            [
                "LLF054 `a*79…` has pairs of a better and a worse answer (`ranking` in dataset_info.json), which `stage: sft` does not take.",
                "LLF202 Name `columns.chosen` in the entry of `a*79…`, as the converter looks it up: `columns` does not have it.",
            ],
        ),
        (
            A,
            {"hf_hub_url": "x", "format": "sharegpt"},
            {},
            [
                "LLF210 Write `formatting` for `format` in the entry of `a*79…`: LLaMA-Factory does not read `format`."
            ],
        ),
        (
            A,
            {"file_name": f"{B}.yml"},
            {},
            [
                "LLF204 Convert `b*119…` to one of `.arrow`, `.csv`, `.json`, `.jsonl`, `.parquet`, `.txt` for `a*79…`: the loader takes no other."
            ],
        ),
        (
            A,
            {"file_name": f"{B}.json"},
            {f"{B}.jsonl": "{}"},
            ["LLF203 Write `b*119…` in the entry of `a*79…`: there is no file `b*119…`."],
        ),
        (
            A,
            {"file_name": f"data/{B}.json"},
            {},
            [
                "LLF208 Write `b*119…` for `data/b*114…`: paths in `dataset_info.json` are relative to `data`, its own folder, which is looked up twice."
            ],
        ),
        (
            A,
            {"file_name": B},
            {f"{B}/{C}.md": "x", f"{B}/a.json": "{}"},
            [
                "LLF204 Convert `c*59…` in the folder `b*79…` to one of `.arrow`, `.csv`, `.json`, `.jsonl`, `.parquet`, `.txt` for `a*79…`: all files of a folder must be of one of these kinds."
            ],
        ),
        (
            A,
            {"file_name": f"{B}.txt", "columns": {"prompt": C}},
            {f"{B}.txt": "x"},
            [
                "LLF209 Rename `b*79…` after what it contains (`.json`, `.jsonl`, `.csv`): a `.txt` file is read as plain text, each line a row with the one column `text`, and the entry `a*79…` asks for `c*79…`."
            ],
        ),
        (
            A,
            {"file_name": f"{B}.json", "columns": {"prompt": C}},
            {f"{B}.json": json.dumps({E: 1})},
            [
                "LLF205 Set `columns.prompt` in the entry of `a*79…` to a column of `b*79…`: `columns.prompt` is `c*79…`, which no row of `b*79…` has (they have `e*39…`)."
            ],
        ),
        (
            A,
            {"file_name": f"{B}.json"},
            {f"{B}.json": json.dumps({"messages": [{"role": "a", "content": "b"}]})},
            [
                "LLF205 Set `formatting: sharegpt` and `columns.messages: messages` in the entry of `a*79…`: `columns.prompt` is `instruction`, which no row of `b*79…` has (they have `messages`)."
            ],
        ),
        (
            A,
            {
                "file_name": f"{B}.json",
                "formatting": "sharegpt",
                "tags": {"role_tag": C, "content_tag": "value"},
            },
            {f"{B}.json": json.dumps({"conversations": [{E: "a", "value": "b"}]})},
            [
                "LLF206 Set `tags.role_tag` in the entry of `a*79…` to a key of the messages in `b*79…`: it is `c*59…`, which none has (they have `e*39…`, `value`)."
            ],
        ),
        (
            A,
            {"file_name": "a.json", "columns": {"prompt": "p"}},
            {"a.json": json.dumps({f"k{number}": 1 for number in range(12)})},
            [
                "LLF205 Set `columns.prompt` in the entry of `a*79…` to a column of `a.json`: `columns.prompt` is `p`, which no row of `a.json` has (they have `k0`, `k1`, `k2`, `k3`, `k4`, `k5`, `k6`, `k7`)."
            ],
        ),
    ],
)
def test_findings(
    name: str, entry: Mapping[str, Any], files: Mapping[str, str], expected: list[str]
) -> None:
    assert said(name, entry, files) == expected
