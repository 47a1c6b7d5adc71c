"""Runs over files that are not on the disk: in memory, and in an editor that has not saved them."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from cfglint.engine.files_together.discovery import discover
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.fixes import writing
from cfglint.report.formats.json import render
from cfglint.report.run import RunReport
from cfglint.source.files.base import Files
from cfglint.source.files.disk import Disk
from cfglint.source.files.memory import InMemory
from cfglint.source.files.overlay import Overlay
from tests.cli.files import CLEAN
from tests.fixes.test_writing import dead_pid

CONFIG = CLEAN.replace("./data/train.jsonl", "data/d.jsonl") + (
    "deepspeed: ds.json\nlora_model_dir: ./adapter\nval_set_siz: 0.1\n"
)
RULE = """\
code: TEAM001
name: team-length
summary: Sequences are short
framework: axolotl
severity: warning
confidence: high
bites: silent
upstream: silent
when: {sequence_len: {gt: 1024}}
at: [sequence_len]
message: "`{sequence_len}` is not our length."
cost: nobody finds the run
why: One length for all runs.
examples:
  - bad: |
      base_model: a/b
      sequence_len: 2048  # <- TEAM001
  - good: |
      base_model: a/b
      sequence_len: 1024
"""
PROJECT = {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".gitignore": "left-out.yml\n",
    "configs/train.yml": CONFIG,
    "configs/left-out.yml": CONFIG,
    "ds.json": '{"zero_optimization": {"stage": 3},\n "gradient_clippin": 1,\n'
    ' "train_micro_batch_size_per_gpu": 4}\n',
    "requirements.txt": "axolotl==0.8.0\ntorch==2.5.1\n-r more.txt\n",
    "more.txt": "transformers==4.50.3\n",
    "cfglint.toml": "gpus = 8\nexclude = ['late/']\n",
    "late/train.yml": CONFIG,
    "train.sh": "accelerate launch --num_processes 4 -m axolotl.cli.train configs/train.yml\n",
    "data/d.jsonl": '{"prompt": "a", "answer": "b"}\n',
    "adapter/adapter_config.json": "{}\n",
    ".github/workflows/test.yml": "jobs:\n  x:\n    container: axolotlai/axolotl:main-latest\n",
}


def write(folder: Path, texts: dict[str, str] = PROJECT) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def contents(folder: Path, texts: dict[str, str] = PROJECT) -> dict[str, bytes]:
    return {str(folder / name): text.encode() for name, text in texts.items()}


def report(files: Files, *paths: str, **options: Any) -> str:
    """What `cfglint --format json` prints."""
    runner = Runner(Options(**options), SettingsFinder(files=files))
    run = RunReport([], [], real=files.real)
    failures: list[str] = []

    def excludes(path: str) -> bool:
        return runner.session.settings(path).excludes(path)

    found = list(discover(paths, excludes, failures.append, files))
    runner.in_run = frozenset(files.real(one.path) for one in found)
    for one in found:
        checked = runner.check_file(one.path, named=one.named)
        if checked is not None:
            run.add(checked)
    assert failures == []
    return render(run)


def codes(text: str) -> dict[str, set[str]]:
    return {
        os.path.normpath(file["path"]): {found["code"] for found in file["diagnostics"]}
        for file in json.loads(text)["files"]
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project = tmp_path.resolve() / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    return project


@pytest.mark.parametrize("paths", [(".",), ("configs/train.yml",), ("configs", "ds.json")])
def test_the_same_report_from_memory(folder: Path, paths: tuple[str, ...]) -> None:
    launch = "accelerate launch -m axolotl.cli.train configs/train.yml --no-such 3\n"
    texts = {**PROJECT, "train.sh": launch}
    write(folder, texts)
    expected = report(Disk(), *paths)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    os.chdir(folder)
    assert list(folder.iterdir()) == []
    assert report(InMemory(contents(folder, texts)), *paths) == expected
    assert report(Overlay(contents(folder, texts), Disk()), *paths) == expected
    found = codes(expected)
    # Each of the files has its part in it.
    assert set(found) == {"configs/train.yml", "ds.json", "train.sh"}
    assert "DAT552" in found["configs/train.yml"]
    assert '"from": "requirements.txt line 1"' in expected
    assert '"from": "more.txt line 1"' in expected
    assert '"from": "cfglint.toml"' in expected


def test_an_unsaved_text_counts_for_the_file_and_for_those_that_name_it(folder: Path) -> None:
    write(folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    disk = codes(report(Disk(), "configs/train.yml"))

    mended = {"configs/train.yml": CONFIG.replace("val_set_siz:", "val_set_size:")}
    edited = codes(report(Overlay(contents(folder, mended), Disk()), "configs/train.yml"))
    assert disk["configs/train.yml"] - edited["configs/train.yml"] == {"KEY001"}
    assert edited["ds.json"] == disk["ds.json"]

    # What only the pair tells goes with the text of the other file, and of the config.
    for same in (
        {"ds.json": PROJECT["ds.json"].replace("4", "1")},
        {"configs/train.yml": CONFIG.replace("micro_batch_size: 1", "micro_batch_size: 4")},
    ):
        unsaved = codes(report(Overlay(contents(folder, same), Disk()), "configs/train.yml"))
        assert disk["ds.json"] - unsaved["ds.json"] == {"DST553"}
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_rules_of_a_project_come_from_its_files(folder: Path) -> None:
    texts = {
        "train.yml": CLEAN,
        "cfglint.toml": "rules = ['lint']\n",
        "lint/deep/rule.yaml": RULE,
        "lint/readme.txt": "no rule",
    }
    assert codes(report(InMemory(contents(folder, texts)), "train.yml"))["train.yml"] == {"TEAM001"}
    write(folder, texts)
    assert codes(report(Disk(), "train.yml"))["train.yml"] == {"TEAM001"}


def test_what_does_not_lie_on_the_disk_is_not_written_to_it(folder: Path) -> None:
    text = CLEAN.replace("sequence_len", "sequence_lenn")
    write(folder, {"train.yml": text})
    # What an interrupted run left is cleared away before files of the disk are repaired.
    left = folder / f".train.yml.cfglint-{dead_pid()}-{writing._process_space()}-0123abcd.tmp"
    left.write_text("")
    for files in (
        InMemory(contents(folder, {"train.yml": text})),
        Overlay(contents(folder, {"train.yml": text}), Disk()),
    ):
        runner = Runner(Options(fix=True, unsafe_fixes=True), SettingsFinder(files=files))
        found = runner.check_file("train.yml", named=True)
        assert found is not None
        assert found.fixed_source is not None
        assert found.fixed_source.text == CLEAN
        assert found.not_written is None
        assert (folder / "train.yml").read_text() == text
        assert left.exists()
    on_disk = Runner(Options(fix=True, unsafe_fixes=True), SettingsFinder(files=Disk()))
    on_disk.check_file("train.yml", named=True)
    assert (folder / "train.yml").read_text() == CLEAN
    assert not left.exists()


def test_a_session_forgets_with_its_files(folder: Path) -> None:
    write(folder)
    path = folder / "data" / "d.jsonl"
    status = path.stat()
    first = codes(report(Disk(), "configs/train.yml"))
    # As large and as old as before: only another session can see it.
    path.write_bytes(b'{"instruction":1,"output":"b"}\n')
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert path.stat().st_size == status.st_size
    second = codes(report(Disk(), "configs/train.yml"))
    assert first["configs/train.yml"] - second["configs/train.yml"] == {"DAT552"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
@pytest.mark.parametrize("name", ["cfglint.toml", "pyproject.toml", ".gitignore"])
def test_a_pipe_does_not_stop_the_run(folder: Path, name: str) -> None:
    write(folder, {"train.yml": CLEAN})
    os.mkfifo(folder / name)
    assert codes(report(Disk(), "."))["train.yml"] == set()


def test_a_folder_of_rules_that_is_no_path(folder: Path) -> None:
    from cfglint.engine.session import RunError

    texts = {"train.yml": CLEAN, "cfglint.toml": 'rules = ["a\\u0000b"]\n'}
    write(folder, texts)
    for files in (Disk(), InMemory(contents(folder, texts))):
        with pytest.raises(RunError, match="is not a folder next to or below"):
            report(files, "train.yml")


def test_what_only_folders_tell(folder: Path) -> None:
    config = CONFIG.replace("ds.json", "dss.json").replace("d.jsonl", "e.jsonl")
    config = config.replace("NousResearch/Llama-3.2-1B", "./model") + "sequence_len: 4096\n"
    texts = {**PROJECT, "configs/train.yml": config.replace("sequence_len: 2048\n", "")}
    texts["model/config.json"] = '{"model_type": "llama", "max_position_embeddings": 1024}\n'
    texts["configs/ds.json"] = "{}"
    in_memory = report(InMemory(contents(folder, texts)), "configs/train.yml")
    assert "there is `ds.json`" in in_memory
    write(folder, texts)
    assert report(Disk(), "configs/train.yml") == in_memory
    found = codes(in_memory)["configs/train.yml"]
    assert {"DST550", "DAT550", "HPR351"} <= found


# ------------------------------------------------------------------ who reads a second file

BY_HJSON = '{"train_batch_size": 8, // eight\n "fp16": {"enabled": true, "enabled": false},\n}\n'
ACCELERATE = """\
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_machines: 1
num_processes: 2
deepspeed_config:
  deepspeed_config_file: ds.json
"""


@pytest.mark.parametrize("namer", [CLEAN + "deepspeed: ds.json\n", ACCELERATE])
def test_who_names_a_file_reads_it_with_json_load(namer: str) -> None:
    """DeepSpeed opens a file with hjson, but is handed what others have read."""
    texts = {"a.yml": namer, "ds.json": BY_HJSON, "z.yml": namer}
    files = InMemory({path: text.encode() for path, text in texts.items()})

    def severities(*paths: str) -> dict[str, tuple[str, str]]:
        runner = Runner(Options(select=("JSN",)), SettingsFinder(files=files))
        runner.in_run = frozenset(files.real(path) for path in paths)
        reports = [runner.check_file(path, named=True) for path in paths]
        run = RunReport([one for one in reports if one is not None], [], real=files.real)
        found = [d for one in run.files if one.path == "ds.json" for d in one.diagnostics]
        assert len({d.code for d in found}) == len(found)
        return {d.code: (d.severity, d.upstream) for d in found}

    alone = {
        "JSN002": ("warning", "silent"),
        "JSN003": ("warning", "silent"),
        "JSN020": ("error", "rejects"),
    }
    assert severities("ds.json") == alone
    named = {
        "JSN002": ("error", "rejects"),
        "JSN003": ("error", "rejects"),
        "JSN020": ("warning", "silent"),
    }
    assert severities("a.yml") == named
    assert severities("a.yml", "ds.json") == named
    assert severities("ds.json", "z.yml") == named
