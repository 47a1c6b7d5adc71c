"""Options of launchers that are misspelt, in scripts of any framework."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint.knowledge.marks import launchers
from cfglint.runs.starts.launcher_options import meant_option, program_at, unknown_options
from tests.cli.running import run

TRL = "trl/scripts/sft.py --model_name_or_path Qwen/Qwen3-0.6B --dataset_name a/b --output_dir o\n"
ACCELERATE, TORCHRUN = (
    next(one for one in launchers() if one.name == name) for name in ("accelerate", "torchrun")
)


def found(path: Path) -> list[str]:
    done = run(str(path), "--format", "json", "--select", "LCH")
    hits = [hit for file in json.loads(done.out)["files"] for hit in file["diagnostics"]]
    return [hit["message"].split("`")[-2] for hit in hits if hit["code"] == "LCH819"]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        (f"accelerate launch --zero_stag 3 {TRL}", ["--zero_stage"]),
        (f"accelerate launch --num-proceses=2 {TRL}", ["--num-processes"]),
        (f"accelerate launch --zero_stag 3 --num_proceses 2 {TRL}", ["--zero_stage", "--num_processes"]),
        (f"accelerate launch --num_processes 2 {TRL}", []),
        # One of another kind, that a later release may have.
        (f"accelerate launch --frobnicate 2 {TRL}", []),
        (f"accelerate launch {TRL.strip()} --zero_stag 3\n", []),
        ("torchrun --nproc_per_nodes=8 -m verl.trainer.fsdp_sft_trainer data.train_batch_size=8\n", ["--nproc_per_node"]),
        ("torchrun --nproc_per_nodes 8 -m openrlhf.cli.train_sft --pretrain a/b --dataset c\n", ["--nproc_per_node"]),
        (f"accelerate launch $OPTIONS --{{zero_stag}} 3 {TRL}", []),
        ("deepspeed --num_gpu 2 src/train.py --stage sft --do_train --model_name_or_path m\n", []),
    ],
)  # fmt: skip
def test_options_before_the_program(tmp_path: Path, line: str, meant: list[str]) -> None:
    (tmp_path / "run.sh").write_text(line)
    assert found(tmp_path / "run.sh") == meant


def test_each_command_of_a_script_has_its_own(tmp_path: Path) -> None:
    line = f"accelerate launch --zero_stag 3 {TRL}"
    (tmp_path / "run.sh").write_text(line + line.replace("stag ", "stage ") + line)
    assert found(tmp_path / "run.sh") == ["--zero_stage"] * 2


def test_a_slip_is_mended(tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_text(f"torchrun --nproc_per_nodes 8 {TRL}")
    assert run(str(path), "--fix", "--select", "LCH").code == 0
    assert path.read_text() == f"torchrun --nproc_per_node 8 {TRL}"


def test_words_behind_a_launcher() -> None:
    words = ["--zero_stag", "3", "--multi_gpu", "-m", "a.b", "--zero_stag", "1"]
    assert list(unknown_options(words, ACCELERATE)) == [0]
    assert words[program_at(words, ACCELERATE)] == "a.b"
    assert program_at(["--multi_gpu"], ACCELERATE) == 1
    # torchrun takes what is short and clear.
    assert list(unknown_options(["--nproc_per", "2", "a.py"], TORCHRUN)) == []
    assert meant_option("--zero_stag", ACCELERATE) == "zero_stage"
    assert meant_option("--frobnicate", ACCELERATE) == ""


def in_project(folder: Path, name: str, text: str, line: str) -> list[tuple[str, str, int]]:
    (folder / ".git").mkdir()
    (folder / name).write_text(text)
    (folder / "run.sh").write_text(f"#!/bin/bash\n{line}\n")
    done = run(str(folder / name), "--format", "json", "--select", "LCH819")
    return [
        (Path(file["path"]).name, hit["code"], hit["range"]["start"]["line"])
        for file in json.loads(done.out)["files"]
        for hit in file["diagnostics"]
    ]


PROGRAM = "from trl import SFTConfig, SFTTrainer\nSFTTrainer('a/b', SFTConfig('o'), None, rows)\n"
CONFIG = "base_model: a/b\ndatasets: [{path: a/b, type: alpaca}]\nlearning_rate: 0.1\n"


@pytest.mark.parametrize(
    ("name", "text", "line", "count"),
    [
        ("train.py", PROGRAM, "accelerate launch --num_proceses 2 train.py", 1),
        ("train.py", PROGRAM, "accelerate launch --num_processes 2 train.py", 0),
        ("train.py", PROGRAM, "accelerate launch --num_proceses 2 other.py", 0),
        ("train.yml", CONFIG, "accelerate launch --num_proceses 2 -m axolotl.cli.train train.yml", 1),
        ("train.yml", CONFIG, "axolotl train train.yml --num_proceses 2", 0),
    ],
)  # fmt: skip
def test_the_command_that_starts_a_program_or_a_config(
    tmp_path: Path, name: str, text: str, line: str, count: int
) -> None:
    assert in_project(tmp_path, name, text, line) == [("run.sh", "LCH819", 2)] * count
