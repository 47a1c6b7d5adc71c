"""Images, videos and sounds of a dataset, and their places in its texts."""

from __future__ import annotations

import json
from typing import Any

from tests.draws import each
from tests.linting import lint_in

CONFIG = """\
model_name_or_path: Qwen/Qwen2-VL-7B-Instruct
stage: sft
do_train: true
finetuning_type: lora
template: qwen2_vl
dataset: own
dataset_dir: data
output_dir: out
"""
IMAGES: dict[str, Any] = {
    "columns": {
        "prompt": "instruction",
        "query": "input",
        "response": "output",
        "images": "pictures",
    }
}
CHATS: dict[str, Any] = {
    "formatting": "sharegpt",
    "columns": {"messages": "talk", "images": "pictures", "videos": "films"},
}


def found(entry: dict[str, Any], rows: list[dict[str, Any]], release: str = "0.9.4") -> list[str]:
    files = {
        "data/dataset_info.json": json.dumps({"own": {"file_name": "own.json", **entry}}),
        "data/own.json": json.dumps(rows),
    }
    target = [f"llamafactory=={release}"]
    result = lint_in(files, CONFIG, name="train.yaml", target=target, framework="llamafactory")
    return [one.message for one in result if one.name == "dataset-media-without-places"]


def row(text: str, *pictures: str, **fields: Any) -> dict[str, Any]:
    return {"instruction": text, "output": "b", "pictures": [*pictures], **fields}


@each(
    ("rows", "expected"),
    [
        ([row("<image> a", "x.png")], ()),
        ([row("a", "x.png")], ("Row 1", "1", "0")),
        ([row("<image><image> a", "x.png")], ("Row 1", "1", "2")),
        ([row("<image> a", "x.png"), row("<image> a", "x.png", "y.png")], ("Row 2", "2", "1")),
        # Each text of a row may have it.
        ([row("a", "x.png", input="<image>")], ()),
        ([row("a", "x.png", output="<image>")], ()),
        ([row("a", "x.png", system="<image>")], ("1", "1", "0")),
        ([row("a")], ()),
        ([row("<image>")], ("1", "0", "1")),
        ([row("a", pictures="x.png")], ()),
    ],
)
def test_rows_of_alpaca(rows: list[dict[str, Any]], expected: tuple[str, ...]) -> None:
    messages = found(IMAGES, rows)
    assert len(messages) == bool(expected)
    for message in messages:
        assert all(part.lower() in message.lower() for part in expected)


@each(
    ("row", "number"),
    [
        ({"talk": [{"from": "human", "value": "<image>"}], "pictures": ["x"]}, 0),
        ({"talk": [{"from": "human", "value": "a"}], "pictures": ["x"]}, 1),
        ({"talk": [{"value": "<video>"}], "pictures": [], "films": ["y"]}, 0),
        ({"talk": [{"value": "<image>"}], "pictures": [], "films": ["y"]}, 2),
        ({"talk": [{"value": ["<image>", 7]}], "pictures": ["x"]}, 0),
    ],
)
def test_conversations(row: dict[str, Any], number: int) -> None:
    assert len(found(CHATS, [row])) == number


def test_what_is_not_counted() -> None:
    rows = [row("a", "x.png")]
    assert found(IMAGES, rows, "0.9.0") != []
    assert found(IMAGES, rows, "0.8.3") == []
    assert found({}, rows) == []
    ranked = {**IMAGES, "ranking": True}
    assert found(ranked, [row("a", "x.png", chosen="b", rejected="c")]) == []
