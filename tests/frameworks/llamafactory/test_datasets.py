"""Which datasets a config names, where their list is, and what an entry becomes."""

from __future__ import annotations

from typing import Any

from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.frameworks.for_files import for_path
from cfglint.frameworks.llamafactory.datasets import (
    LIST,
    attributes,
    dataset_folder,
    formats,
    list_path,
    named_datasets,
    sources,
)
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.roles.framework import load_framework
from cfglint.source.document import Document
from cfglint.source.files.memory import InMemory
from cfglint.source.text import SourceText
from tests.draws import each


def config(text: str) -> Document:
    return load_framework("llamafactory").language.read(SourceText(text))


@each(
    ("text", "expected"),
    [
        ("dataset: a\n", [("dataset", "a")]),
        ("dataset: a, b ,,c\n", [("dataset", "a"), ("dataset", "b"), ("dataset", "c")]),
        ("dataset: [a, ' b', 3, '']\n", [("dataset", "a"), ("dataset", "b")]),
        ("eval_dataset: a\ndataset: b\n", [("dataset", "b"), ("eval_dataset", "a")]),
        ("dataset: $(cat names, more)\n", []),
        ("dataset: a,${MORE}\n", [("dataset", "a")]),
        ("dataset: '{{data}}'\n", []),
        ("dataset: 3\n", []),
        ("dataset:\n", []),
        ("other: a\n", []),
    ],
)
def test_named_datasets(text: str, expected: list[tuple[str, str]]) -> None:
    assert list(named_datasets(config(text))) == expected


@each(
    ("written", "folder"),
    [
        ("stage: sft\n", "data"),
        ("dataset_dir: own\n", "own"),
        ("dataset_dir: own/\n", "own"),
        ("dataset_dir: ''\n", "data"),
        ("dataset_dir: 3\n", "data"),
    ],
)
def test_the_folder(written: str, folder: str) -> None:
    assert dataset_folder(config(written)) == folder


@each(
    ("text", "path"),
    [
        ("dataset: a\n", "data/dataset_info.json"),
        ("eval_dataset: a\n", "data/dataset_info.json"),
        ("dataset: a\ndataset_dir: own/\n", "own/dataset_info.json"),
        ("dataset: a\ndataset_dir: other\n", ""),
        ("stage: sft\n", ""),
        ("dataset: a\ndataset_dir: ONLINE\n", ""),
        ("dataset: a\ndataset_dir: REMOTE:a/b\n", ""),
        # Where the tokens are there already, the datasets are not read.
        ("dataset: a\ntokenized_path: x\n", ""),
        ("dataset: a\ntokenized_path: ''\n", "data/dataset_info.json"),
    ],
)
def test_the_list(text: str, path: str) -> None:
    there = ("data", "own", "ONLINE", "REMOTE:a/b")
    files = InMemory({f"p/{folder}/dataset_info.json": b"{}" for folder in there})
    around = Surroundings(Memory(), files, folder="p")
    found = list_path(config(text), around)
    assert (found or "").replace("\\", "/").endswith(path)
    assert bool(found) is bool(path)


def keys_of(release: str) -> ReleaseKeys:
    return for_path(load_framework("llamafactory"), f"data/{LIST}").release_keys(release)


@each(
    ("entry", "source", "is_file"),
    [
        ({"file_name": "a.json"}, "file_name", True),
        ({"file_name": "a.json", "hf_hub_url": "a/b"}, "hf_hub_url", False),
        ({"script_url": "a"}, "script_url", False),
        ({"formatting": "alpaca"}, None, False),
    ],
)
def test_where_the_data_is(entry: dict[str, Any], source: str | None, is_file: bool) -> None:
    found = attributes(entry, keys_of("0.9.3"))
    assert (found.source, found.is_file) == (source, is_file)


@each(
    ("entry", "names"),
    [
        ({}, {"prompt": "instruction", "query": "input", "response": "output", "history": None}),
        # A section takes the place of all defaults.
        ({"columns": {"prompt": "q"}}, {"prompt": "q", "query": None, "response": None}),
        ({"columns": {"prompt": "q"}}, {"messages": None, "user_tag": "human"}),
        ({"columns": {"chosen": "c", "other": "o"}}, {"chosen": "c", "other": None}),
        ({"columns": "text"}, {"prompt": "instruction"}),
        (
            {"formatting": "sharegpt", "tags": {"user_tag": "u"}},
            {"user_tag": "u", "role_tag": None},
        ),
        ({"formatting": "sharegpt", "tags": {"user_tag": "u"}}, {"messages": "conversations"}),
    ],
)
def test_names_of_columns_and_tags(entry: dict[str, Any], names: dict[str, Any]) -> None:
    found = attributes(entry, keys_of("0.9.3")).names
    assert {name: found.get(name) for name in names} == names


@each(
    ("release", "formatting", "tag"),
    [
        ("0.9.1", "alpaca", "human"),
        ("0.9.1", "sharegpt", "u"),
        ("0.9.2", "alpaca", "u"),
        ("0.9.2", "sharegpt", "u"),
    ],
)
def test_releases_that_read_tags(release: str, formatting: str, tag: str) -> None:
    entry = {"formatting": formatting, "tags": {"user_tag": "u"}}
    assert attributes(entry, keys_of(release)).names["user_tag"] == tag


def test_defaults_of_an_entry() -> None:
    found = attributes({"file_name": "x"}, keys_of("0.9.3"))
    assert (found.formatting, found.ranking) == ("alpaca", False)
    ranked = attributes({"formatting": "sharegpt", "ranking": True}, keys_of("0.9.3"))
    assert (ranked.formatting, ranked.ranking) == ("sharegpt", True)


def test_what_a_release_knows() -> None:
    assert sources(keys_of("0.9.3"))[-1] == "file_name"
    assert sources(keys_of("0.9.3"))[0] == "hf_hub_url"
    assert "sharegpt" in formats(keys_of("0.9.3"))
