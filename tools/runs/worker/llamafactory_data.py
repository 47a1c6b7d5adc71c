"""Tiny datasets for LLaMA-Factory, with the columns that a stage reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tools.runs.worker import tiny

Info = dict[str, Any]

#: LLaMA-Factory's names for the parts of a turn, and those that OpenAI's chats have instead.
_SHAREGPT = {
    "role_tag": "from",
    "content_tag": "value",
    "user_tag": "human",
    "assistant_tag": "gpt",
}
_OPENAI = {
    "role_tag": "role",
    "content_tag": "content",
    "user_tag": "user",
    "assistant_tag": "assistant",
}
_RANKED: Info = {
    "ranking": True,
    "formatting": "sharegpt",
    "columns": {"messages": "conversations", "chosen": "chosen", "rejected": "rejected"},
}
_JUDGED: Info = {
    "formatting": "sharegpt",
    "columns": {"messages": "messages", "kto_tag": "label"},
    "tags": _OPENAI,
}
_TOOLS: Info = {
    "formatting": "sharegpt",
    "columns": {"messages": "conversations", "tools": "tools"},
}
_TEXT: Info = {"columns": {"prompt": "text"}}
#: The examples that LLaMA-Factory comes with, by their shapes.
_KNOWN: dict[str, Info] = {
    "identity": {},
    "alpaca_en_demo": {},
    "alpaca_zh_demo": {},
    "glaive_toolcall_en_demo": _TOOLS,
    "glaive_toolcall_zh_demo": _TOOLS,
    "dpo_en_demo": _RANKED,
    "dpo_zh_demo": _RANKED,
    "kto_en_demo": _JUDGED,
    "c4_demo": _TEXT,
    "wiki_demo": _TEXT,
}
_OF_STAGE = {"pt": _TEXT, "rm": _RANKED, "dpo": _RANKED, "kto": _JUDGED}
_ROWS = 24
#: Sentences in a text for pretraining, so that a few texts fill a few blocks.
_SENTENCES = 80


def named(value: Any) -> list[str]:
    """The datasets that a value of `dataset` names."""
    if isinstance(value, str):
        return [name.strip() for name in value.split(",")]
    if isinstance(value, list):
        return [name for name in value if isinstance(name, str)]
    return []


def known(name: str) -> bool:
    """Whether the shape of a dataset is known, so that only its rows are made up."""
    return name in _KNOWN


def write(names: list[str], stage: Any, folder: Path) -> None:
    """Write `dataset_info.json` and the datasets' files."""
    folder.mkdir(parents=True, exist_ok=True)
    infos: dict[str, Info] = {}
    for name in dict.fromkeys(names):
        info = _KNOWN.get(name, _OF_STAGE.get(str(stage), {}))
        file = f"{len(infos)}.json"
        rows = [_row(info, stage, number) for number in range(_ROWS)]
        (folder / file).write_text(json.dumps(rows), encoding="utf-8")
        infos[name] = {**info, "file_name": file}
    (folder / "dataset_info.json").write_text(json.dumps(infos), encoding="utf-8")


def _row(info: Info, stage: Any, number: int) -> dict[str, Any]:
    columns = info.get("columns", {})
    asked = tiny.sentence(number)
    good, bad = tiny.sentence(number + 1000), tiny.sentence(number + 2000)
    if "prompt" in columns:
        parts = range(_SENTENCES if stage == "pt" else 1)
        return {columns["prompt"]: " ".join(tiny.sentence(number * 100 + part) for part in parts)}
    if info.get("formatting") != "sharegpt":
        return {"instruction": asked, "input": "", "output": good}
    tags = {**_SHAREGPT, **info.get("tags", {})}

    def message(who: str, text: str) -> dict[str, str]:
        return {tags["role_tag"]: tags[who], tags["content_tag"]: text}

    turns = [message("user_tag", asked)]
    row: dict[str, Any] = {columns["messages"]: turns}
    if info.get("ranking"):
        row[columns["chosen"]] = message("assistant_tag", good)
        row[columns["rejected"]] = message("assistant_tag", bad)
    else:
        turns.append(message("assistant_tag", good))
    if "tools" in columns:
        row[columns["tools"]] = "[]"
    if "kto_tag" in columns:
        row[columns["kto_tag"]] = number % 2 == 0
    return row
