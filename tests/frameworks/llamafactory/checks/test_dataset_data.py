"""What an entry of `dataset_info.json` and the file that it names say of each other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cfglint.frameworks.llamafactory.checks.dataset_data import CHECKS
from tests.draws import each
from tests.linting import lint_in
from tests.shipped import codes_of

CONFIG = (
    "model_name_or_path: Qwen/Qwen3-8B\ntemplate: qwen3\nstage: sft\ndo_train: true\n"
    "finetuning_type: lora\ndataset: one\ncutoff_len: 2048\noutput_dir: ./out\n"
)
CODES = codes_of(CHECKS)


def said(entry: Mapping[str, Any], files: Mapping[str, str], release: str = "0.9.3") -> list[str]:
    """Code and message of what is found, with the errors of a run that uses the entry."""
    around = {f"data/{name}": text for name, text in files.items()}
    around["data/dataset_info.json"] = json.dumps({"one": entry})
    target = (f"llamafactory=={release}",)
    found = lint_in(around, CONFIG, framework="llamafactory", select=CODES, target=target)
    assert {one.severity for one in found} <= {"error"}
    return [f"{one.code} {one.message}" for one in found]


ROW = '{"instruction": "a", "input": "b", "output": "c"}\n'
CONVERSATION = '{"conversations": [{"from": "human", "value": "x"}]}\n'
MESSAGES = '{"messages": [{"role": "user", "content": "x"}]}\n'
MANY = ROW * 2_000


@each(
    ("entry", "files", "expected"),
    [
        ({"file_name": "a.json"}, {"a.json": ROW}, []),
        ({"file_name": "a.json"}, {"b.json": ROW}, []),
        (
            {"file_name": "a.json"},
            {"a_.json": ROW},
            ["LLF203 Write `a_.json` in the entry of `one`: there is no file `a.json`."],
        ),
        (
            {"file_name": "in/a.json"},
            {"in/a.jsonl": ROW},
            ["LLF203 Write `in/a.jsonl` in the entry of `one`: there is no file `in/a.json`."],
        ),
        ({"file_name": "in/a.json"}, {"in/a.yml": ROW}, []),
        (
            {"file_name": "a.yml"},
            {"a.yml": ROW},
            [
                "LLF204 Convert `a.yml` to one of `.arrow`, `.csv`, `.json`, `.jsonl`, `.parquet`, `.txt` for `one`: the loader takes no other."
            ],
        ),
        ({"file_name": "a.parquet"}, {"a.parquet": ROW}, []),
        (
            {"file_name": "../a.yml"},
            {},
            [
                "LLF204 Convert `../a.yml` to one of `.arrow`, `.csv`, `.json`, `.jsonl`, `.parquet`, `.txt` for `one`: the loader takes no other."
            ],
        ),
        ({"file_name": "made"}, {}, []),
        (
            {"file_name": "dir"},
            {"dir/a.json": ROW, "dir/b.csv": "x"},
            [
                "LLF204 Convert `b.csv` in the folder `dir` to one of `.arrow`, `.csv`, `.json`, `.jsonl`, `.parquet`, `.txt` for `one`: all files of a folder must be of one of these kinds."
            ],
        ),
        (
            {"file_name": "dir"},
            {"dir/a.json": ROW, "dir/README.md": "x"},
            [
                "LLF204 Convert `README.md` in the folder `dir` to one of `.arrow`, `.csv`, `.json`, `.jsonl`, `.parquet`, `.txt` for `one`: all files of a folder must be of one of these kinds."
            ],
        ),
        ({"file_name": "dir"}, {"dir/a.json": ROW, "dir/b.jsonl": ROW}, []),
        (
            {"file_name": "data/a.json"},
            {"a.json": ROW},
            [
                "LLF208 Write `a.json` for `data/a.json`: paths in `dataset_info.json` are relative to `data`, its own folder, which is looked up twice."
            ],
        ),
        (
            {"file_name": "./data/in/a.json"},
            {"in/a.json": ROW},
            [
                "LLF208 Write `in/a.json` for `./data/in/a.json`: paths in `dataset_info.json` are relative to `data`, its own folder, which is looked up twice."
            ],
        ),
        ({"file_name": "data/"}, {"a.json": ROW}, []),
        ({"file_name": "data/a.json"}, {"data/a.json": ROW}, []),
        (
            {"file_name": "a.txt"},
            {"a.txt": "x"},
            [
                "LLF209 Rename `a.txt` after what it contains (`.json`, `.jsonl`, `.csv`): a `.txt` file is read as plain text, each line a row with the one column `text`, and the entry `one` asks for `instruction`."
            ],
        ),
        ({"file_name": "a.txt", "columns": {"prompt": "text"}}, {"a.txt": "x"}, []),
        (
            {"file_name": "a.txt", "columns": {"prompt": "text", "response": "r"}},
            {"a.txt": "x"},
            [
                "LLF209 Rename `a.txt` after what it contains (`.json`, `.jsonl`, `.csv`): a `.txt` file is read as plain text, each line a row with the one column `text`, and the entry `one` asks for `r`."
            ],
        ),
        (
            {"file_name": "a.json"},
            {"a.json": '{"question": "a", "answer": "b"}\n'},
            [
                "LLF205 Set `columns.prompt` in the entry of `one` to a column of `a.json`: `columns.prompt` is `instruction`, which no row of `a.json` has (they have `question`, `answer`)."
            ],
        ),
        (
            {"file_name": "a.json"},
            {"a.json": CONVERSATION},
            [
                "LLF205 Set `formatting: sharegpt` in the entry of `one`: `columns.prompt` is `instruction`, which no row of `a.json` has (they have `conversations`)."
            ],
        ),
        (
            {"file_name": "a.json"},
            {"a.json": MESSAGES},
            [
                "LLF205 Set `formatting: sharegpt` and `columns.messages: messages` in the entry of `one`: `columns.prompt` is `instruction`, which no row of `a.json` has (they have `messages`)."
            ],
        ),
        ({"file_name": "a.json", "formatting": "sharegpt"}, {"a.json": CONVERSATION}, []),
        (
            {"file_name": "a.json", "formatting": "sharegpt"},
            {"a.json": MESSAGES},
            [
                "LLF205 Set `columns.messages` in the entry of `one` to a column of `a.json`: `columns.messages` is `conversations`, which no row of `a.json` has (they have `messages`)."
            ],
        ),
        (
            {"file_name": "a.json", "formatting": "sharegpt", "columns": {"messages": "messages"}},
            {"a.json": MESSAGES},
            [
                "LLF206 Set `tags.role_tag` in the entry of `one` to a key of the messages in `a.json`: it is `from`, which none has (they have `content`, `role`)."
            ],
        ),
        (
            {
                "file_name": "a.json",
                "formatting": "sharegpt",
                "columns": {"messages": "messages"},
                "tags": {"role_tag": "role", "content_tag": "content"},
            },
            {"a.json": MESSAGES},
            [],
        ),
        (
            {
                "file_name": "a.json",
                "formatting": "sharegpt",
                "columns": {"messages": "messages"},
                "tags": {"role_tag": "role", "content_tag": "text"},
            },
            {"a.json": MESSAGES},
            [
                "LLF206 Set `tags.content_tag` in the entry of `one` to a key of the messages in `a.json`: it is `text`, which none has (they have `content`, `role`)."
            ],
        ),
        (
            {"file_name": "a.json", "columns": {"prompt": "instruction", "images": "pics"}},
            {"a.json": ROW},
            [
                "LLF205 Set `columns.images` in the entry of `one` to a column of `a.json`: `columns.images` is `pics`, which no row of `a.json` has (they have `instruction`, `input`, `output`)."
            ],
        ),
        (
            {"file_name": "a.json", "columns": {"prompt": "instruction", "kto_tag": "k"}},
            {"a.json": ROW},
            [
                "LLF205 Set `columns.kto_tag` in the entry of `one` to a column of `a.json`: `columns.kto_tag` is `k`, which no row of `a.json` has (they have `instruction`, `input`, `output`)."
            ],
        ),
        (
            {
                "file_name": "a.json",
                "ranking": True,
                "columns": {"prompt": "p", "chosen": "c", "rejected": "r"},
            },
            {"a.json": '{"p": "a", "c": "x"}'},
            [
                "LLF205 Set `columns.rejected` in the entry of `one` to a column of `a.json`: `columns.rejected` is `r`, which no row of `a.json` has (they have `p`, `c`)."
            ],
        ),
        (
            {
                "file_name": "a.json",
                "ranking": False,
                "columns": {"prompt": "p", "chosen": "c", "response": "r"},
            },
            {"a.json": '{"p": "a", "r": "x"}'},
            [],
        ),
        (
            {
                "file_name": "a.json",
                "formatting": "sharegpt",
                "ranking": True,
                "columns": {
                    "messages": "conversations",
                    "chosen": "c",
                    "rejected": "r",
                    "system": "s",
                },
            },
            {"a.json": CONVERSATION},
            [
                "LLF205 Set `columns.chosen` in the entry of `one` to a column of `a.json`: `columns.chosen` is `c`, which no row of `a.json` has (they have `conversations`)."
            ],
        ),
        ({"file_name": "/abs/a.yml"}, {}, []),
        ({"file_name": "../../a.yml"}, {}, []),
        ({"file_name": ""}, {}, []),
        ({"file_name": 3}, {}, []),
        ({"hf_hub_url": "a/b", "file_name": "a.yml"}, {}, []),
        ({"file_name": "a.csv"}, {"a.csv": "instruction,input,output\na,b,c\n"}, []),
        (
            {"file_name": "a.csv"},
            {"a.csv": "instruction,output\na,c\n"},
            [
                "LLF205 Set `columns.query` in the entry of `one` to a column of `a.csv`: `columns.query` is `input`, which no row of `a.csv` has (they have `instruction`, `output`)."
            ],
        ),
    ],
)
def test_findings(entry: Mapping[str, Any], files: Mapping[str, str], expected: list[str]) -> None:
    assert said(entry, files) == expected


def test_of_a_long_file_only_the_columns_of_every_row_are_known() -> None:
    some = {"file_name": "a.json", "columns": {"prompt": "instruction", "images": "pics"}}
    every = {"file_name": "a.json", "columns": {"prompt": "question", "images": "pics"}}
    assert said(some, {"a.json": ROW * 3}) != []
    assert said(some, {"a.json": MANY}) == []
    assert said(every, {"a.json": MANY}) != []


def test_the_converters_of_a_release_before_are_not_followed() -> None:
    assert said({"file_name": "a.json"}, {"a.json": MESSAGES}, "0.7.1") == []


def test_what_no_run_uses_is_a_warning() -> None:
    """In the list itself, where a file may be missing."""
    info = {"one": {"file_name": "a.json"}, "two": {"file_name": "c.json"}}
    found = lint_in(
        {"data/b.json": ROW, "data/a.json": MESSAGES},
        json.dumps(info),
        name="data/dataset_info.json",
        framework="llamafactory",
        select=CODES,
        target=("llamafactory==0.9.3",),
    )
    assert [(one.code, one.severity, one.path) for one in found] == [
        ("LLF205", "warning", ("one",))
    ]


def test_a_name_that_another_entry_has_is_not_meant() -> None:
    around = {"data/a_.json": ROW}
    for others, codes in (({}, ["LLF203"]), ({"two": {"file_name": "a_.json"}}, [])):
        around["data/dataset_info.json"] = json.dumps({"one": {"file_name": "a.json"}, **others})
        found = lint_in(
            around, CONFIG, framework="llamafactory", select=CODES, target=("llamafactory==0.9.3",)
        )
        assert [one.code for one in found] == codes
