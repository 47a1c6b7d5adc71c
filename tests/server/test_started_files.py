"""A script that only starts a file, in an editor: findings, repairs and hover for the words of its commands."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from tests.engine.files_together.test_other_files import CONFIG
from tests.server.client import editor

LF = (
    "model_name_or_path: Qwen/Qwen2.5-0.5B\nstage: sft\ndo_train: true\nfinetuning_type: lora\n"
    "dataset: alpaca_en_demo\ntemplate: qwen\noutput_dir: out\n"
)
AXOLOTL = "axolotl train train.yml --optimizer=adamw_trch\n"
FACTORY = "llamafactory-cli train lf.yaml lora_rnk=16 learning_rate=1e-4\n"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.yml").write_text(CONFIG)
    (tmp_path / "lf.yaml").write_text(LF)


def asked(folder: Path, text: str, at: int) -> tuple[list[str], list[str], Any]:
    """(codes of the findings, titles of the actions, hover) of a script that is not on the disk."""

    async def tell() -> tuple[list[str], list[str], Any]:
        async with editor(folder) as shown:
            uri = shown.open(folder / "run.sh", text, "shellscript")
            found = await shown.findings(uri)
            line = lsp.Range(lsp.Position(0, 0), lsp.Position(0, len(text) - 1))
            actions = await shown.actions(uri, line)
            hover = await shown.at(uri, 0, at, "hover")
            return [str(one.code) for one in found], [one.title for one in actions], hover

    return asyncio.run(tell())


@pytest.mark.parametrize(
    ("text", "code", "title", "key"),
    [
        (AXOLOTL, "OPT451", "Write adamw_torch", "optimizer"),
        (FACTORY, "KEY001", "Rename it to lora_rank", "learning_rate"),
    ],
)
def test_words_of_a_command(tmp_path: Path, text: str, code: str, title: str, key: str) -> None:
    codes, titles, hover = asked(tmp_path, text, text.index(key) + 2)
    assert code in codes
    assert any(one.startswith(title) for one in titles)
    assert f"**`{key}`**" in hover.contents.value


def test_a_script_that_starts_nothing_known(tmp_path: Path) -> None:
    assert asked(tmp_path, "axolotl train other.yml --seed 3\n", 20) == ([], [], None)


def offered(folder: Path, text: str) -> dict[str, str]:
    """Label and text of what may be written at the end of a script's first line."""

    async def ask() -> dict[str, str]:
        async with editor(folder) as shown:
            uri = shown.open(folder / "run.sh", text, "shellscript")
            found = await shown.at(uri, 0, len(text.split("\n", maxsplit=1)[0]), "completion")
            return {one.label: one.text_edit.new_text for one in found.items}

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("text", "label", "written"),
    [
        ("axolotl train train.yml --optimizer=", "ao_adamw_4bit", "ao_adamw_4bit"),
        ("axolotl train train.yml --rl ", "dpo", "dpo"),
        ("axolotl train train.yml --rl=", "kto", "kto"),
        ("axolotl train train.yml --optimizer ", "ao_adamw_8bit", "ao_adamw_8bit"),
        ("axolotl train train.yml --lr-", "lr-scheduler", "lr-scheduler"),
        ("llamafactory-cli train lf.yaml finetuning_type=", "full", "full"),
        ("llamafactory-cli train lf.yaml lora_", "lora_rank", "lora_rank="),
        ("llamafactory-cli train lf.yaml sta", "stage", "stage="),
    ],
)
def test_what_may_be_written_in_a_command(
    tmp_path: Path, text: str, label: str, written: str
) -> None:
    assert offered(tmp_path, text + "\n").get(label) == written


@pytest.mark.parametrize(
    "text",
    [
        "axolotl train other.yml --optimizer=",
        "axolotl train train.yml # --optimizer=",
        "echo axolotl train train.yml --optimizer=",
    ],
)
def test_nothing_may_be_written_for_a_file_that_is_not_started(tmp_path: Path, text: str) -> None:
    assert offered(tmp_path, text + "\n") == {}
