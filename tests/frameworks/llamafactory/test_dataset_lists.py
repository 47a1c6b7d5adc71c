"""`dataset_info.json`: whose file it is, and what is found in it, alone and beside a config."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run

CONFIG = """\
model_name_or_path: Qwen/Qwen2-7B
template: qwen
stage: sft
do_train: true
finetuning_type: lora
dataset: tickets
cutoff_len: 2048
output_dir: out
bf16: true
"""
ROWS = [{"instruction": "Say hello", "input": "", "output": "Hello"}]
CHATS = [{"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello"}]}]


def project(folder: Path, entries: dict[str, Any], **files: Any) -> Path:
    """A config that names `tickets`, the list, and data files (`name__json`)."""
    (folder / "data").mkdir()
    (folder / ".git").mkdir()
    (folder / "train.yaml").write_text(CONFIG, encoding="utf-8")
    (folder / "data/dataset_info.json").write_text(json.dumps(entries, indent=1), encoding="utf-8")
    for name, rows in files.items():
        path = folder / "data" / name.replace("__", ".")
        path.write_text(json.dumps(rows), encoding="utf-8")
    return folder


def found(*arguments: object, release: str = "0.9.5") -> list[tuple[str, str, int]]:
    """Code, severity and line of the findings in lists of datasets."""
    target = f"llamafactory=={release}"
    result = run(*map(str, arguments), "--format", "json", "--target", target)
    files = json.loads(result.out)["files"]
    return [
        (one["code"], one["severity"], one["range"]["start"]["line"])
        for file in files
        if file["path"].endswith("dataset_info.json")
        for one in file["diagnostics"]
    ]


def test_a_key_that_belongs_in_the_entry_itself(tmp_path: Path) -> None:
    entry = {"file_name": "tickets.json", "tags": {"formatting": "alpaca", "role_tag": "from"}}
    path = project(tmp_path, {"tickets": entry}, tickets__json=ROWS) / "data/dataset_info.json"
    result = run(str(path), "--target", "llamafactory==0.9.5", "--select", "KEY003")
    assert "`tickets.tags.formatting` belongs in `tickets`;" in result.out
    assert "unsafe fix: Move it into `tickets`" in result.out


def test_a_list_is_recognized_by_its_name(tmp_path: Path) -> None:
    folder = project(tmp_path, {"tickets": {"file_nam": "tickets.json"}}, tickets__json=ROWS)
    path = folder / "data/dataset_info.json"
    assert found(path) == [("KEY001", "error", 3)]
    result = run(str(path), "--target", "llamafactory==0.9.5")
    assert "has a key `file_nam` in `tickets`" in result.out.replace("\n  ", " ")
    run(str(path), "--fix", "--target", "llamafactory==0.9.5")
    assert json.loads(path.read_text("utf-8")) == {"tickets": {"file_name": "tickets.json"}}
    assert found(folder) == []


def test_a_list_of_what_a_program_made_is_its_own(tmp_path: Path) -> None:
    folder = project(tmp_path, {"split": "test", "number": 350, "files": {"a.jsonl": 350}})
    assert found(folder / "data") == []


def test_a_list_of_a_benchmark_is_its_own(tmp_path: Path) -> None:
    entries = {"2Y46": {"weather": "rain", "split": "train", "num_samples": 8}}
    where = project(tmp_path, entries)
    (where / "train.yaml").unlink()
    assert found(where) == []


def test_names_of_datasets_may_have_dots(tmp_path: Path) -> None:
    entries = {"tickets": {"hf_hub_url": "a/b"}, "v1.2.zh": {"hf_hub_url": "a/c", "colums": {}}}
    assert found(project(tmp_path, entries) / "data/dataset_info.json") == [("KEY001", "error", 7)]


def test_files_of_that_name_of_the_library_datasets_are_left_alone(tmp_path: Path) -> None:
    saved = {
        "citation": "",
        "description": "",
        "features": {"a": {"dtype": "string"}},
        "splits": {},
    }
    (tmp_path / "dataset_info.json").write_text(json.dumps(saved), encoding="utf-8")
    result = run(str(tmp_path), "--isolated")
    assert "No training configs found" in result.out


def test_what_a_config_names_is_an_error_and_the_rest_a_warning(tmp_path: Path) -> None:
    entries = {"tickets": {"ranking": False}, "others": {"ranking": False}}
    folder = project(tmp_path, entries)
    expected = [("LLF200", "error", 2), ("LLF200", "warning", 5)]
    assert found(folder / "train.yaml") == expected
    # In whichever order the two are checked.
    assert found(folder / "train.yaml", folder / "data/dataset_info.json") == expected
    assert found(folder / "data/dataset_info.json", folder / "train.yaml") == expected


@pytest.mark.parametrize(
    ("entry", "release", "codes"),
    [
        ({"hf_hub_url": "a/b"}, "0.9.5", []),
        ({"om_hub_url": "a/b"}, "0.9.5", []),
        # Not read before 0.9.1, so it is asked for a file name.
        ({"om_hub_url": "a/b"}, "0.9.0", ["LLF200", "KEY006"]),
        ({"cloud_file_name": "s3://a/b.json"}, "0.9.3", []),
        ({"script_url": "loading.py"}, "0.8.3", []),
        ({"hf_hub_url": "a/b", "file_sha1": "3f"}, "0.9.5", []),
        ({"hf_hub_url": "a/b", "formatting": "openai"}, "0.9.4", []),
        ({"hf_hub_url": "a/b", "formatting": "openai"}, "0.9.3", ["LLF201"]),
        ({"hf_hub_url": "a/b", "num_samples": "10"}, "0.9.5", ["TYP001"]),
        ({"hf_hub_url": "a/b", "columns": {"mesages": "m"}}, "0.9.5", ["KEY001"]),
        ({"hf_hub_url": "a/b", "tags": {"role_tga": "m"}}, "0.9.5", ["KEY001"]),
        # The section has the other tags' defaults no more.
        (
            {"hf_hub_url": "a/b", "formatting": "sharegpt", "tags": {"role_tag": "role"}},
            "0.9.5",
            ["LLF202"],
        ),
        # Up to 0.9.1 the tags of other formats are not read.
        (
            {"hf_hub_url": "a/b", "formatting": "chatml", "tags": {"role_tag": "role"}},
            "0.9.1",
            ["LLF201"],
        ),
        (
            {"hf_hub_url": "a/b", "formatting": "chatml", "columns": {"tools": "tools"}},
            "0.9.1",
            ["LLF201", "LLF202"],
        ),
        ({"hf_hub_url": "a/b", "columns": {"kto_tag": "good"}}, "0.9.5", ["LLF202"]),
    ],
)
def test_entries_of_a_hub(
    tmp_path: Path, entry: dict[str, Any], release: str, codes: list[str]
) -> None:
    path = project(tmp_path, {"tickets": entry}) / "train.yaml"
    assert sorted(code for code, _, _ in found(path, release=release)) == sorted(codes)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"file_name": "tickets.json"}, []),
        ({"file_name": "../data/tickets.json"}, []),
        ({"file_name": "ticket.json"}, [("LLF203", "error", 3)]),
        ({"file_name": "../ticket.json"}, []),
        # Outside of the project nothing is looked for.
        ({"file_name": "/nowhere/ticket.json"}, []),
        ({"file_name": "../../../ticket.json"}, []),
        ({"file_name": "tickets.json", "columns": {"prompt": "text"}}, [("LLF205", "error", 5)]),
        ({"file_name": "tickets.json", "formatting": "sharegpt"}, [("LLF205", "error", 2)]),
        (
            {"file_name": "chats.json", "formatting": "sharegpt", "tags": {"role_tag": "from"}},
            [("LLF202", "error", 5)],
        ),
    ],
)
def test_entries_with_a_file(
    tmp_path: Path, entry: dict[str, Any], expected: list[tuple[str, str, int]]
) -> None:
    path = project(tmp_path, {"tickets": entry}, tickets__json=ROWS, chats__json=CHATS)
    assert found(path / "train.yaml") == expected


@pytest.mark.parametrize(
    ("other", "ignored", "expected"),
    [
        ("chats.json", "", ["LLF203"]),
        # It belongs to another entry.
        ("./tickets.json", "", []),
        # It is not in git on purpose.
        ("chats.json", "data/tick*\n", []),
        ("chats.json", "data/chat*\n", ["LLF203"]),
    ],
)
def test_a_file_that_is_not_there(
    tmp_path: Path, other: str, ignored: str, expected: list[str]
) -> None:
    entries = {"tickets": {"file_name": "ticket.json"}, "others": {"file_name": other}}
    folder = project(tmp_path, entries, tickets__json=ROWS, chats__json=ROWS)
    (folder / ".gitignore").write_text(ignored, encoding="utf-8")
    assert [code for code, _, _ in found(folder / "train.yaml")] == expected


def test_each_file_that_is_not_there_is_looked_at(tmp_path: Path) -> None:
    entries = {"made": {"file_name": "made.json"}, "tickets": {"file_name": "ticket.json"}}
    folder = project(tmp_path, entries, tickets__json=ROWS)
    config = CONFIG.replace("dataset: tickets", "dataset: made, tickets")
    (folder / "train.yaml").write_text(config, encoding="utf-8")
    assert [code for code, _, _ in found(folder / "train.yaml")] == ["LLF203"]


def test_a_column_that_only_some_rows_may_have_needs_the_whole_file(tmp_path: Path) -> None:
    """Of a long file the first rows are read, and a later one may have the column."""
    row = {"instruction": "Say hello", "output": "Hello"}
    entries = {"tickets": {"file_name": "tickets.json"}, "others": {"file_name": "few.json"}}
    folder = project(tmp_path, entries, tickets__json=[row] * 30, few__json=[row] * 3)
    assert found(folder / "train.yaml") == [("LLF205", "warning", 5)]


def test_a_list_of_another_shape(tmp_path: Path) -> None:
    shapes: list[Any] = [[], {"tickets": 3}, {"tickets": {"file_name": 3, "columns": []}}, {}, 3]
    for entries in shapes:
        path = tmp_path / "dataset_info.json"
        path.write_text(json.dumps(entries), encoding="utf-8")
        assert "CFG003" not in run(str(path), "--isolated").out


def test_a_name_without_an_ending_may_be_a_folder_that_is_not_there(tmp_path: Path) -> None:
    entries = {"tickets": {"file_name": "tickets"}, "others": {"file_name": "others.xlsx"}}
    folder = project(tmp_path, entries)
    assert found(folder / "data/dataset_info.json") == [("LLF204", "warning", 6)]
    (folder / "data/tickets").write_text("a", encoding="utf-8")
    assert len(found(folder / "data/dataset_info.json")) == 2


def test_a_fork_reads_places_of_its_own(tmp_path: Path) -> None:
    entries = {"tickets": {"lance_files": "a.lance"}, "others": {"formatting": "alpaca"}}
    folder = project(tmp_path, entries)
    source = folder / "src/llamafactory"
    (source / "hparams").mkdir(parents=True)
    (source / "data").mkdir()
    (source / "hparams/data_args.py").write_text("", encoding="utf-8")
    parser = 'def of(entry):\n    return entry["formatting"], entry[%r]\n'
    (source / "data/parser.py").write_text(parser % "lance_files", encoding="utf-8")
    assert found(folder / "data/dataset_info.json") == [("LLF200", "warning", 5)]
    (source / "data/parser.py").write_text(parser % "file_name", encoding="utf-8")
    assert ("LLF200", "warning", 2) in found(folder / "data/dataset_info.json")


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"prompt": "instruction", "response": "output"}, []),
        ({"messages": "conversations"}, ["KEY003"]),
    ],
)
def test_a_format_that_nothing_reads_beside_columns(
    tmp_path: Path, columns: dict[str, str], expected: list[str]
) -> None:
    entry = {"file_name": "a.json", "columns": columns, "tags": {"formatting": "sharegpt"}}
    folder = project(tmp_path, {"tickets": entry}, a__json=ROWS)
    codes = [code for code, _, _ in found(folder / "data/dataset_info.json")]
    assert [code for code in codes if code == "KEY003"] == expected
