"""Files of data that a program hands to a trainer of TRL as they are."""

from __future__ import annotations

from pathlib import Path

from cfglint import Linter
from cfglint.source.files.disk import Disk
from tests.draws import each

PROGRAM = """\
from datasets import load_dataset
from trl import DPOConfig, DPOTrainer

rows = load_dataset("json", data_files="data/rows.jsonl", split="train")
trainer = DPOTrainer(model="gpt2", args=DPOConfig(output_dir="out"), train_dataset=rows)
"""
PLAIN = '{"question": "a", "answer": "b"}\n'


def found(folder: Path, text: str, rows: str) -> list[int]:
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data" / "rows.jsonl").write_text(rows, encoding="utf-8")
    program = folder / "train.py"
    program.write_text(text, encoding="utf-8")
    linter = Linter(settings=False, select=["TRP876"], files=Disk())
    return [one.start.line for one in linter.lint_file(program).diagnostics]


@each(
    ("old", "new", "lines"),
    [
        ("", "", [5]),
        ("DPO", "KTO", [5]),
        ("DPO", "GRPO", [5]),
        ("DPO", "SFT", [5]),
        ('split="train")', 'split="train").shuffle()', []),
        ("trainer =", "rows = rows.map(pairs)\ntrainer =", []),
        ("trainer =", "if flag:\n    rows = other()\ntrainer =", []),
        ("=rows)", '=rows["train"])', [5]),
        ("=rows)", "=pairs(rows))", []),
        ("=rows)", "=rows, **options)", []),
        ('data_files="data/rows.jsonl"', "data_files=path", []),
        ('data_files="data/rows.jsonl"', 'data_files="data/others.jsonl"', []),
        ('"json"', '"parquet"', []),
    ],
)
def test_columns_that_are_not_there(tmp_path: Path, old: str, new: str, lines: list[int]) -> None:
    assert found(tmp_path, PROGRAM.replace(old, new) if old else PROGRAM, PLAIN) == lines


@each(
    ("trainer", "rows", "lines"),
    [
        ("DPO", '{"chosen": "a", "rejected": "b"}\n', []),
        ("KTO", '{"chosen": "a", "rejected": "b"}\n', []),
        ("KTO", '{"prompt": "a", "completion": "b"}\n', [5]),
        ("GRPO", '{"prompt": "a"}\n', []),
        ("SFT", '{"messages": []}\n', []),
        ("SFT", '{"prompt": "a", "completion": "b"}\n', []),
        ("SFT", '{"prompt": "a", "response": "b"}\n', [5]),
    ],
)
def test_columns_that_are_there(tmp_path: Path, trainer: str, rows: str, lines: list[int]) -> None:
    assert found(tmp_path, PROGRAM.replace("DPO", trainer), rows) == lines


@each(
    ("config", "lines"),
    [
        ('output_dir="out", dataset_text_field="answer"', []),
        ('output_dir="out", dataset_text_field="reply"', [5]),
        ('output_dir="out", dataset_text_field=name', []),
        ('output_dir="out", dataset_kwargs={"skip_prepare_dataset": True}', []),
    ],
)
def test_the_column_of_texts(tmp_path: Path, config: str, lines: list[int]) -> None:
    text = PROGRAM.replace("DPO", "SFT").replace('output_dir="out"', config)
    assert found(tmp_path, text, PLAIN) == lines


@each(
    ("old", "new", "lines"),
    [
        ("split=", "field='rows', split=", []),
        ("split=", "column_names=['a'], split=", []),
        ('"data/rows.jsonl"', '["data/rows.jsonl"]', [5]),
        ('"data/rows.jsonl"', '["data/rows.jsonl", "more.jsonl"]', []),
        ('"data/rows.jsonl"', '{"train": "data/rows.jsonl"}', [5]),
        ('"data/rows.jsonl"', '{"train": ["data/rows.jsonl"]}', [5]),
        ('"data/rows.jsonl"', '{"train": "data/rows.jsonl", "test": "data/rows.jsonl"}', []),
        ('"data/rows.jsonl"', '"data/*.jsonl"', []),
        ('data_files="data/rows.jsonl"', 'data_dir="data"', []),
        ("train_dataset=rows", "eval_dataset=rows", [5]),
        ("train_dataset=rows", "train_dataset=more, eval_dataset=rows", [5]),
    ],
)
def test_ways_to_name_the_file(tmp_path: Path, old: str, new: str, lines: list[int]) -> None:
    assert found(tmp_path, PROGRAM.replace(old, new), PLAIN) == lines


def test_what_is_said_of_them(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "rows.jsonl").write_text(PLAIN, encoding="utf-8")
    program = tmp_path / "train.py"
    program.write_text(PROGRAM, encoding="utf-8")
    linter = Linter(settings=False, select=["TRP876"], files=Disk())
    (one,) = linter.lint_file(program).diagnostics
    assert "`question` and `answer`" in one.message
    assert " rows.jsonl " in one.message
    assert "DPOTrainer" in one.message
    assert [PROGRAM[at.span.start : at.span.end] for at in one.related] == ["load_dataset"]


CHATS = '{"conversations": [{"role": "user", "content": "a"}]}\n'
UNSLOTH = "import unsloth\n" + PROGRAM.replace("DPO", "SFT")


def pinned(folder: Path, *packages: str) -> Path:
    (folder / "requirements.txt").write_text("\n".join(packages), encoding="utf-8")
    return folder


def test_unsloth_takes_no_conversations(tmp_path: Path) -> None:
    assert found(tmp_path, UNSLOTH, CHATS) == [6]
    assert not found(tmp_path, UNSLOTH.replace("import unsloth", ""), CHATS)
    assert not found(tmp_path, UNSLOTH, '{"text": "a"}\n')
    assert not found(tmp_path, UNSLOTH, '{"input_ids": [1]}\n')
    assert not found(tmp_path, UNSLOTH.replace("=rows)", "=rows, formatting_func=shape)"), CHATS)
    late = UNSLOTH.replace("import unsloth\n", "") + "import unsloth\n"
    assert not found(tmp_path, late, CHATS)
    assert not found(pinned(tmp_path, "unsloth==2025.2.15"), UNSLOTH, CHATS)


def test_a_release_of_unsloth_does_not_say_which_zoo_prepares_the_rows(tmp_path: Path) -> None:
    for rows in ('{"prompt": "a", "completion": "b"}\n', '{"messages": []}\n'):
        assert not found(tmp_path, UNSLOTH, rows)
        assert not found(pinned(tmp_path, "unsloth==2025.9.11"), UNSLOTH, rows)
