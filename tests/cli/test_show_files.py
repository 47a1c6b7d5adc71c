"""What a search leaves out: counted in the summary, listed by `--show-files`."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.cli.files import CLEAN, FOREIGN, MISSPELT
from tests.cli.running import run

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "json-report.schema.json"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    files = {
        "train.yml": f"{MISSPELT}deepspeed: ds.json\n",
        "ds.json": '{"zero_optimization": {"stage": 2}}\n',
        "compose.yml": FOREIGN["compose.yml"],
        "binary.yml": "\0\1",
        "run.sh": "echo\n",
        "tool.py": "import os\n",
        "out/x.yml": CLEAN,
        "drafts/x.yml": CLEAN,
        "old/x.yml": CLEAN,
        ".github/x.yml": "a: 1\n",
        "venv/x.yml": CLEAN,
        ".gitignore": "out/\nsecret.yml\n",
        "secret.yml": CLEAN,
        "notes.txt": "x\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_the_list() -> None:
    result = run(".", "--show-files", "--exclude", "drafts/")
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines() == [
        ".github/: left out: hidden folder",
        "binary.yml: left out: not recognized: it contains NUL characters, as UTF-16 and binary"
        " files do",
        "compose.yml: left out: not recognized: it has no key of a framework that cfglint knows",
        "drafts/x.yml: left out: excluded by the settings or an option",
        "ds.json: DeepSpeed",
        "old/: left out: folder out of use",
        "out/: left out: ignored by git",
        "run.sh: left out: no settings of its own; the options that it gives to a config are checked with that config",
        "secret.yml: left out: ignored by git",
        "tool.py: left out: no call of a class that cfglint knows",
        "train.yml: Axolotl",
        "venv/: left out: folder of packages or results",
    ]


def test_the_list_for_programs() -> None:
    answer = json.loads(run("train.yml", "--show-files", "--format", "json").out)
    assert answer == {
        "version": 1,
        "files": [
            {"path": "ds.json", "checked_as": "DeepSpeed, named by train.yml", "left_out": None},
            {"path": "train.yml", "checked_as": "Axolotl", "left_out": None},
        ],
    }


def test_a_named_file_is_listed_with_the_reason(here: Path) -> None:
    result = run("compose.yml", "no.yml", "--show-files")
    assert result.code == 2
    assert "no.yml: no such file or folder" in result.err
    out = run("train.yml", "--exclude", "train.yml", "--force-exclude", "--show-files")
    assert out.out == "train.yml: left out: excluded by the settings or an option\n"
    assert "no file is checked" in out.err


def test_nothing_is_done_besides(here: Path) -> None:
    before = (here / "train.yml").read_bytes()
    for option in ("--fix", "--diff", "--add-ignores", "--write-baseline"):
        result = run(".", "--show-files", option)
        assert (result.code, result.out) == (2, "")
        assert "--show-files lists files and does nothing else" in result.err
    assert run("-", "--show-files", stdin=b"a: 1").code == 2
    assert (here / "train.yml").read_bytes() == before


def test_the_summary_counts() -> None:
    text = " ".join(run(".", "--exclude", "drafts/").out.split())
    assert (
        "Left out of the search: 4 (no training config), 2 (ignored by git), 1 (folder out of use),"
        " 1 (excluded by the settings or an option); --show-files lists them." in text
    )
    assert "Left out" not in run("train.yml").out
    assert "Left out" not in run(".", "-q").out


def test_the_report_for_programs_counts() -> None:
    answer = json.loads(run(".", "--format", "json").out)
    jsonschema.validate(answer, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert answer["left_out"] == {
        "no training config": 4,
        "ignored by git": 2,
        "folder out of use": 1,
    }
    assert all("copy_of" not in file for file in answer["files"])
