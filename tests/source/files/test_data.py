"""The first rows of data files, and what they say about a config."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cfglint
from cfglint.source.files.data import MAX_BYTES, MAX_ROWS, format_of, sample
from cfglint.source.files.disk import Disk
from cfglint.source.files.memory import InMemory
from tests.cli.files import CLEAN
from tests.draws import each
from tests.test_imports import _CHECK, imported

ROW = '{"instruction": "a", "output": "b"}'


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "data").mkdir()
    return tmp_path


def found(repo: Path, config: str = CLEAN) -> list[tuple[str, str, int]]:
    """(code, file, line)"""
    (repo / "train.yml").write_text(config)
    report = cfglint.lint_file(repo / "train.yml", select=["DAT55"])
    return [
        (d.code, Path(one.path).name, one.source.position(d.span.start).line)
        for one in (report, *report.elsewhere)
        for d in one.diagnostics
    ]


def data(repo: Path, content: str | bytes, name: str = "train.jsonl") -> Path:
    path = repo / "data" / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_layouts(repo: Path) -> None:
    rows = [{"a": 1}, {"b": [2]}]
    for text in (
        json.dumps(rows),
        json.dumps(rows, indent=2),
        "\n".join(map(json.dumps, rows)),
        "\ufeff" + "\r\n".join(map(json.dumps, rows)) + "\r\n\r\n",
    ):
        read = sample(str(data(repo, text)), "json", Disk())
        assert read is not None
        assert list(read.rows) == rows
        assert read.broken is None
    read = sample(str(data(repo, '"a b",c\n1,2\n')), "csv", Disk())
    assert read is not None
    assert read.columns == ("a b", "c")


def test_only_the_beginning_is_read(repo: Path) -> None:
    lines = f"{ROW}\n" * 5000 + "broken"
    read = sample(str(data(repo, lines)), "json", Disk())
    assert read is not None
    assert (len(read.rows), read.broken) == (MAX_ROWS, None)
    assert len(read.source.text) <= MAX_BYTES
    long = json.dumps({"instruction": "x" * 50_000, "output": "é" * 50_000}, ensure_ascii=False)
    assert found(repo) == []
    data(repo, long + "\n" + long)
    assert found(repo) == []


@pytest.mark.parametrize(
    "content",
    ["", "\n", "{", "[", "[1]", "[{", "3", "null\n{}", b"\xff\xfe", "\x00", "[" * 100_000, '{"a":' * 9999,
     "{\n" + '"a": 1\n}', '{"a": 1}\n[1]', "{}\n" + "1" * 50_000],
)  # fmt: skip
def test_files_of_another_layout_are_not_examined(repo: Path, content: str | bytes) -> None:
    data(repo, content, "train.json")
    config = CLEAN.replace("train.jsonl", "train.json").replace("alpaca", "other")
    assert found(repo, config) == []


def test_a_broken_line_is_shown_in_its_file(repo: Path) -> None:
    data(repo, f"{ROW}\n\n{ROW[:-1]}\n{ROW}\n")
    assert found(repo) == [("DAT551", "train.jsonl", 3)]
    # pandas and others write a list, or one object over several lines, under this ending, too.
    data(repo, "{\n" + ROW[1:])
    assert found(repo) == []


def test_the_columns_of_types(repo: Path) -> None:
    data(repo, '{"instruction": "a"}\n' * 3)
    assert found(repo) == [("DAT552", "train.yml", 4)]
    data(repo, '{"instruction": "a"}\n' * 3 + ROW)
    assert found(repo) == []
    data(repo, '{"input_ids": [1], "labels": [1], "attention_mask": [1]}')
    assert found(repo) == []
    data(repo, '{"x": 1}')
    for kind in ("alpaca_chat.load_qa", "sharegpt", "alpaca:chat", "own.module", "[1]", "{a: 1}"):
        assert found(repo, CLEAN.replace("type: alpaca", f"type: {kind}")) == []
    for line in ("rl: dpo", "reward_model: true", "process_reward_model: true"):
        assert found(repo, CLEAN + line + "\n") == []


def test_preference_columns(repo: Path) -> None:
    config = CLEAN.replace("type: alpaca", "type: chat_template.default") + "rl: dpo\n"
    data(repo, '{"messages": [], "chosen": {}, "rejected": {}}')
    assert found(repo, config) == []
    data(repo, '{"prompt": "a", "chosen": {}, "rejected": {}}')
    assert found(repo, config) == [("DAT552", "train.yml", 4)]


def test_older_releases_read_other_columns(repo: Path) -> None:
    data(repo, '{"conversations": [{"from": "human", "value": "x"}]}')
    config = CLEAN.replace("type: alpaca", "type: chat_template")
    assert found(repo, config) == [("DAT552", "train.yml", 4)]
    (repo / "train.yml").write_text(config)
    old = cfglint.lint_file(repo / "train.yml", select=["DAT55"], target=["axolotl==0.6.0"])
    assert old.diagnostics == ()


@pytest.mark.parametrize(
    "entry",
    [
        "datasets: 3\n",
        "datasets: [a.jsonl, [b.jsonl], {path: [c.jsonl]}, {path: ''}, {}]\n",
        "datasets: {path: data/train.jsonl}\n",
        "datasets:\n  - {path: data/train.jsonl, type: alpaca, data_files: [x.json]}\n",
        "datasets:\n  - {path: data/train.jsonl, type: alpaca, ds_type: text}\n",
        "datasets:\n  - {path: data/train.jsonl, type: chat_template, field_messages: [1]}\n",
        "datasets:\n  - {path: ../../../../etc/x.json, type: alpaca}\n",
        "test_datasets:\n  - {path: /etc/passwd.json, type: alpaca}\n",
    ],
)
def test_odd_entries(repo: Path, entry: str) -> None:
    data(repo, '{"x": 1}')
    head, _, _ = CLEAN.partition("datasets:")
    assert found(repo, head + entry) == []


def test_images_leave_settings_out(repo: Path) -> None:
    config = CLEAN.replace("NousResearch/Llama-3.2-1B", "Qwen/Qwen2.5-VL-7B-Instruct")
    head, _, rest = config.partition("datasets:\n")
    rest = rest[rest.index("\n", rest.index("type:")) + 1 :]
    entry = "  - path: ./data/train.jsonl\n    type: chat_template.default\n"
    row = '{"messages": [], "chosen": {}, "rejected": {}, "images": ["a.png"]}'
    more = "rl: dpo\nprocessor_type: AutoProcessor\npad_to_multiple_of: 64\n"

    def codes(text: str) -> int:
        (repo / "train.yml").write_text(text)
        report = cfglint.lint_file(repo / "train.yml", select=["DAT800"])
        return len(report.diagnostics)

    data(repo, row)
    own = entry + "    chat_template: chatml\n"
    assert codes(f"{head}datasets:\n{own}{rest}{more}") == 2
    assert codes(f"{head}datasets:\n{entry}{rest}{more}") == 1
    assert codes(f"{head}datasets:\n{entry}{rest}{more.replace('dpo', 'grpo')}") == 0
    assert codes(f"{head}datasets:\n{own}{rest}chat_template: chatml\nrl: dpo\n") == 0
    data(repo, row.replace("images", "notes"))
    assert codes(f"{head}datasets:\n{own}{rest}{more}") == 0


def test_a_missing_file_needs_others_in_its_folder(repo: Path) -> None:
    assert found(repo) == []
    data(repo, ROW, "notes.txt")
    assert found(repo) == []
    data(repo, ROW, "unlike.jsonl")
    assert found(repo) == [("DAT550", "train.yml", 3)]
    data(repo, ROW)
    assert found(repo) == []


def test_formats() -> None:
    assert format_of("a.JSONL", None) == "json"
    assert format_of("a.parquet", None) is None
    assert format_of("a.txt", "json") == "json"
    assert format_of("a.json", ["json"]) is None


def test_data_on_the_hub_imports_nothing_of_this(repo: Path) -> None:
    (repo / "train.yml").write_text(CLEAN.replace("./data/train.jsonl", "org/data"))
    modules, _ = imported(_CHECK.format(arguments=[str(repo / "train.yml")]))
    assert "cfglint.source.files.data" not in modules
    assert "cfglint.frameworks.axolotl.checks.dataset_file" not in modules


@each(
    ("kind", "text", "rows"),
    [
        ("json", '{"a": 1}\n{"b": 2}\n', [{"a": 1}, {"b": 2}]),
        ("json", '[{"a": 1}, {"b": 2}]', [{"a": 1}, {"b": 2}]),
        ("json", '\n [\n\t{"a": 1},\r\n{"b": 2}', [{"a": 1}, {"b": 2}]),
        ("json", "[1, 2]", []),
        ("json", "[]", []),
        ("json", "[" + ",".join(['{"a": 1}'] * 30) + "]", [{"a": 1}] * MAX_ROWS),
        ("json", '{"a": 1}\n' * 30, [{"a": 1}] * MAX_ROWS),
        ("json", "words", None),
        ("json", "", None),
        ("csv", "a,b\n1,2\n", [{"a": None, "b": None}]),
        ("csv", '"a ""x""",b\n', [{'a "x"': None, "b": None}]),
        ("csv", ",".join(f"c{n}" for n in range(500)), "many"),
        ("csv", ",".join(f"c{n}" for n in range(501)), None),
        ("csv", "\n1,2\n", None),
    ],
)
def test_the_first_rows(kind: str, text: str, rows: list[object] | str | None) -> None:
    one = sample("x", kind, InMemory({"x": text.encode()}))
    if rows == "many":
        assert one is not None
        assert len(one.columns) == 500
    else:
        assert (None if one is None else [*one.rows]) == rows


def test_what_is_no_file_of_rows() -> None:
    assert sample("gone", "json", InMemory({})) is None
    assert sample("p", "json", InMemory({"p/x": b"{}"})) is None
    assert sample("x", "json", InMemory({"x": b"\xff{}"})) is None


def test_columns_and_messages() -> None:
    message = {"role": "user", "content": "a"}
    rows = [
        {"m": [message, {"role": "tool", "name": "b"}], "n": [1], "t": "text"},
        {"m": [message], "n": [], "e": []},
    ]
    one = sample("x", "json", InMemory({"x": json.dumps(rows).encode()}))
    assert one is not None
    assert one.columns == ("m", "n", "t", "e")
    assert (one.has("e"), one.has("x")) == (True, False)
    assert one.message_keys("m") == {"role", "content", "name"}
    assert [one.message_keys(name) for name in ("n", "t", "e", "x", 5)] == [set()] * 5
    assert one.roles("m", "role") == ["user", "tool"]
    assert [
        one.roles(*pair) for pair in (("m", "x"), ("n", "role"), ("t", "role"), (5, "role"))
    ] == [[]] * 4


def test_of_a_long_conversation_the_beginning_is_looked_at() -> None:
    messages = [{"role": f"r{n}", f"k{n}": 1} for n in range(60)]
    one = sample("x", "json", InMemory({"x": json.dumps([{"m": messages}]).encode()}))
    assert one is not None
    assert one.roles("m", "role") == [f"r{n}" for n in range(50)]
    assert one.message_keys("m") == {"role", *(f"k{n}" for n in range(50))}


@each(
    ("path", "stated", "expected"),
    [
        ("a.json", None, "json"),
        ("a.JSONL", None, "json"),
        ("a.csv", None, "csv"),
        ("a.parquet", None, None),
        ("a", None, None),
        ("a.csv", "json", "json"),
        ("a.json", "csv", "csv"),
        ("a.json", "parquet", None),
        ("a.json", 5, None),
    ],
)
def test_how_a_file_is_read(path: str, stated: object, expected: str | None) -> None:
    assert format_of(path, stated) == expected
