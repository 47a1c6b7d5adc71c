"""Python programs and notebooks in an editor, beside another server for Python."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from lsprotocol import types as lsp

from tests.server.client import Editor, editor

CALL = 'from trl import SFTConfig\nconfig = SFTConfig(output_dir="o", max_seq_lengthh=4)\n'


def result(folder: Path, name: str, texts: list[str]) -> list[list[tuple[object, ...]]]:
    """The findings in each of some texts, which are shown one after the other."""

    async def story(shown: Editor) -> list[list[tuple[object, ...]]]:
        uri = shown.open(folder / name, texts[0], "python")
        found: list[list[tuple[object, ...]]] = []
        for number, text in enumerate(texts):
            if number:
                shown.change(uri, text)
            published = await shown.findings(uri)
            found.append([(one.code, one.range.start.line) for one in published])
        return found

    async def tell() -> list[list[tuple[object, ...]]]:
        async with editor(folder, options={"target": ["trl==1.0.0"]}) as shown:
            return await story(shown)

    return asyncio.run(tell())


def test_calls_of_a_program_are_checked_also_while_a_line_is_half_typed(tmp_path: Path) -> None:
    half = CALL.replace("config =", "def (\nconfig =")
    whole, typed, clean = result(tmp_path, "train.py", [CALL, half, "import os\n"])
    assert whole == [(whole[0][0], 1)]
    assert typed == [(whole[0][0], 2)]
    assert clean == []


def test_cells_of_a_notebook_are_checked(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": CALL.splitlines(True)}
    text = json.dumps(
        {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1
    )
    (found,) = result(tmp_path, "train.ipynb", [text])
    assert [line for _, line in found] == [text[: text.index("max_seq_lengthh")].count("\n")]


def test_a_program_has_fixes_and_completions_in_its_calls(tmp_path: Path) -> None:
    async def tell() -> tuple[list[str], list[str], int]:
        async with editor(tmp_path, options={"target": ["trl==1.0.0"]}) as shown:
            text = CALL.replace("max_seq_lengthh", "max_lengthh")
            uri = shown.open(tmp_path / "train.py", text, "python")
            everywhere = lsp.Range(lsp.Position(0, 0), lsp.Position(3, 0))
            actions = await shown.actions(uri, everywhere)
            inside = await shown.at(uri, 1, text.splitlines()[1].index("max_l") + 5, "completion")
            outside = await shown.at(uri, 1, 3, "completion")
            offered = [one.label for one in inside.items]
            return [one.title for one in actions], offered, len(outside.items)

    titles, offered, outside = asyncio.run(tell())
    assert any(title.startswith("Rename it to max_length ") for title in titles)
    assert {"max_length", "eval_strategy"} <= set(offered)
    assert "output_dir" not in offered
    assert outside == 0


def test_a_call_inside_another_one_has_its_own_keys(tmp_path: Path) -> None:
    text = (
        "from peft import LoraConfig\nfrom trl import SFTConfig, SFTTrainer\n"
        "SFTTrainer('a/b', args=SFTConfig(learning_rate=1e-4), peft_config=LoraConfig(lora_alpha=8))\n"
    )

    async def tell() -> list[str]:
        async with editor(tmp_path, options={"target": ["trl==1.16.0"]}) as shown:
            uri = shown.open(tmp_path / "train.py", text, "python")
            line = text.splitlines()[2]
            found = [
                await shown.at(uri, 2, line.index(word) + 1, "hover")
                for word in ("learning_rate", "lora_alpha", "peft_config")
            ]
            return [one.contents.value for one in found]

    rate, alpha, config = asyncio.run(tell())
    assert rate.startswith("**`learning_rate`** (`SFTConfig`)\n")
    assert "Default: `2e-05`" in rate
    assert alpha.startswith("**`lora_alpha`** (`LoraConfig`)\n")
    assert config.startswith("**`peft_config`** (`SFTTrainer`)")
