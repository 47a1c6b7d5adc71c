"""What an entry of `dataset_info.json` lacks, or has under a name that is not read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cfglint.frameworks.llamafactory.checks.dataset_entries import CHECKS
from tests.draws import each
from tests.linting import lint_in, messages
from tests.shipped import codes_of

CONFIG = (
    "model_name_or_path: Qwen/Qwen3-8B\ntemplate: qwen3\ndo_train: true\n"
    "finetuning_type: lora\ncutoff_len: 2048\noutput_dir: ./out\n"
)

CODES = codes_of(CHECKS)


def said(entry: Mapping[str, Any], release: str = "0.9.3") -> list[str]:
    """What is found when a run uses the entry."""
    around = {"data/dataset_info.json": json.dumps({"one": entry})}
    target = (f"llamafactory=={release}",)
    text = f"{CONFIG}dataset: one\n"
    return messages(lint_in(around, text, framework="llamafactory", select=CODES, target=target))


def listed(info: Mapping[str, Any]) -> list[str]:
    """What is found in the list itself."""
    found = lint_in(
        {},
        json.dumps(info),
        name="data/dataset_info.json",
        framework="llamafactory",
        select=CODES,
        target=("llamafactory==0.9.3",),
    )
    return messages(found)


HUB = {"hf_hub_url": "a/b"}
CHAT = {**HUB, "formatting": "sharegpt"}
PAIRS = {**HUB, "ranking": True}


@each(
    ("entry", "expected"),
    [
        (
            {},
            [
                "error: Add the place of the data of `one` to its entry, one of `hf_hub_url`, `ms_hub_url`, `om_hub_url`, `script_url`, `cloud_file_name`, `file_name`."
            ],
        ),
        (
            {"hf_hub": "a/b"},
            [
                "error: Add the place of the data of `one` to its entry, one of `hf_hub_url`, `ms_hub_url`, `om_hub_url`, `script_url`, `cloud_file_name`, `file_name`. `hf_hub` is probably `hf_hub_url`."
            ],
        ),
        (
            {"files_name": "a.json"},
            [
                "error: Add the place of the data of `one` to its entry, one of `hf_hub_url`, `ms_hub_url`, `om_hub_url`, `script_url`, `cloud_file_name`, `file_name`. `files_name` is probably `file_name`."
            ],
        ),
        (HUB, []),
        ({"script_url": "x"}, []),
        ({"cloud_file_name": "x"}, []),
        (
            {**HUB, "formatting": "share_gpt"},
            [
                "error: Use one of `alpaca`, `sharegpt` as the `formatting` of `one`: LLaMA-Factory has no converter for `share_gpt` and refuses it. Did you mean `sharegpt`?"
            ],
        ),
        (
            {**HUB, "formatting": "nothing"},
            [
                "error: Use one of `alpaca`, `sharegpt` as the `formatting` of `one`: LLaMA-Factory has no converter for `nothing` and refuses it."
            ],
        ),
        (
            {**HUB, "formatting": 3},
            [
                "error: Use one of `alpaca`, `sharegpt` as the `formatting` of `one`: LLaMA-Factory has no converter for `3` and refuses it."
            ],
        ),
        (
            {**HUB, "format": "sharegpt"},
            [
                "error: Write `formatting` for `format` in the entry of `one`: LLaMA-Factory does not read `format`."
            ],
        ),
        ({**HUB, "type": "alpaca"}, []),
        (
            {**HUB, "style": "openai", "format": "openai"},
            [
                "error: Write `formatting` for `format`, `formatting` for `style` in the entry of `one`: LLaMA-Factory does not read `format`, `style`."
            ],
        ),
        ({**HUB, "format": "sharegpt", "formatting": "sharegpt"}, []),
        (
            {**HUB, "columns": {"instruction": "a", "output": "b", "prompt": "a", "response": "b"}},
            [],
        ),
        (
            {**HUB, "columns": {"instruction": "a", "output": "b"}},
            [
                "error: Write `columns.prompt` for `columns.instruction`, `columns.response` for `columns.output` in the entry of `one`: LLaMA-Factory does not read `columns.instruction`, `columns.output`."
            ],
        ),
        ({**HUB, "columns": 3}, []),
        (
            {**CHAT, "columns": {"tools": "t"}},
            [
                "error: Name `columns.messages` in the entry of `one`, as the converter looks it up: `columns` replaces all defaults, and does not have it."
            ],
        ),
        ({**CHAT, "columns": {"messages": "m"}}, []),
        (
            {**CHAT, "tags": {"role": "r"}},
            [
                "error: Name `tags.role_tag` in the entry of `one`, as the converter looks it up: `tags` replaces all defaults, and does not have it.",
                "error: Write `tags.role_tag` for `tags.role` in the entry of `one`: LLaMA-Factory does not read `tags.role`.",
            ],
        ),
        (
            {**CHAT, "tags": {"role_tag": "r"}},
            [
                "error: Name `tags.content_tag` in the entry of `one`, as the converter looks it up: `tags` replaces all defaults, and does not have it."
            ],
        ),
        ({**CHAT, "tags": {"role_tag": "r", "content_tag": "c"}}, []),
        (
            {**HUB, "columns": {"prompt": "p", "kto_tag": "k"}},
            [
                "error: Name `columns.response` in the entry of `one`, as the converter looks it up: `columns` replaces all defaults, and does not have it."
            ],
        ),
        ({**HUB, "columns": {"prompt": "p", "response": "r", "kto_tag": "k"}}, []),
        ({**CHAT, "columns": {"messages": "m", "kto_tag": "k"}}, []),
        (
            PAIRS,
            [
                "error: Name `columns.chosen` in the entry of `one`, as the converter looks it up: `columns` does not have it."
            ],
        ),
        (
            {**PAIRS, "columns": {"prompt": "p", "chosen": "c"}},
            [
                "error: Name `columns.rejected` in the entry of `one`, as the converter looks it up: `columns` replaces all defaults, and does not have it."
            ],
        ),
        ({**PAIRS, "columns": {"prompt": "p", "chosen": "c", "rejected": "r"}}, []),
        ({**PAIRS, "columns": {"prompt": "p", "response": "r", "kto_tag": "k"}}, []),
    ],
)
def test_an_entry_that_a_run_uses(entry: Mapping[str, Any], expected: list[str]) -> None:
    assert said(entry) == expected


@each(
    ("entry", "release", "expected"),
    [
        (
            {},
            "0.7.1",
            [
                "error: Add the place of the data of `one` to its entry, one of `hf_hub_url`, `ms_hub_url`, `script_url`, `file_name`."
            ],
        ),
        (
            {**HUB, "formatting": "share_gpt"},
            "0.7.1",
            [
                "warning: Use one of `alpaca`, `sharegpt` as the `formatting` of `one`: LLaMA-Factory has no converter for `share_gpt` and reads it as `sharegpt`. Did you mean `sharegpt`?"
            ],
        ),
        (
            {**HUB, "formatting": "share_gpt"},
            "0.9.0",
            [
                "warning: Use one of `alpaca`, `sharegpt` as the `formatting` of `one`: LLaMA-Factory has no converter for `share_gpt` and reads it as `sharegpt`. Did you mean `sharegpt`?"
            ],
        ),
        (
            {**HUB, "formatting": "openai"},
            "0.9.3",
            [
                "error: Use one of `alpaca`, `sharegpt` as the `formatting` of `one`: LLaMA-Factory has no converter for `openai` and refuses it."
            ],
        ),
        ({**HUB, "formatting": "openai"}, "0.9.4", []),
        ({**CHAT, "columns": {"tools": "t"}}, "0.7.1", []),
    ],
)
def test_releases(entry: Mapping[str, Any], release: str, expected: list[str]) -> None:
    assert said(entry, release) == expected


@each(
    ("info", "expected"),
    [
        (
            {"one": {}, "two": {"hf_hub": "x"}, "three": 3},
            [
                "warning: Add the place of the data of `one` to its entry, one of `hf_hub_url`, `ms_hub_url`, `om_hub_url`, `script_url`, `cloud_file_name`, `file_name`."
            ],
        ),
        (
            {"one": {**HUB, "formatting": "share_gpt"}, "two": {**HUB, "formatting": "nothing"}},
            [
                "warning: Use one of `alpaca`, `sharegpt` as the `formatting` of `one`: LLaMA-Factory has no converter for `share_gpt` and refuses it. Did you mean `sharegpt`?",
                "warning: Use one of `alpaca`, `sharegpt` as the `formatting` of `two`: LLaMA-Factory has no converter for `nothing` and refuses it.",
            ],
        ),
        ({"one": {**HUB, "format": "sharegpt"}, "two": PAIRS}, []),
    ],
)
def test_the_list_itself(info: Mapping[str, Any], expected: list[str]) -> None:
    assert listed(info) == expected


def test_the_format_that_is_meant() -> None:
    info = {"one": {**HUB, "formatting": "share_gpt"}}
    (found,) = lint_in(
        {}, json.dumps(info), name="data/dataset_info.json", framework="llamafactory", select=CODES
    )
    (fix,) = found.fixes
    assert (fix.title, fix.safety) == ("Use sharegpt", "safe")
    assert found.path == ("one", "formatting")
