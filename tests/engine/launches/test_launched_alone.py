"""Commands whose configs are not in the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run

_WORDS = (
    "llamafactory-cli train ../elsewhere/train.yaml --resume_from_checkpoint out/checkpoint-5\n"
)
_CONFIG = (
    "model_name_or_path: Qwen/Qwen3-8B\ntemplate: qwen3\nstage: sft\ndo_train: true\n"
    "finetuning_type: lora\ndataset: tickets\noutput_dir: out\n"
)


def found(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    (folder / "run.sh").write_text(script, encoding="utf-8")
    monkeypatch.chdir(folder)
    lines = run(".", "--format", "concise").out.splitlines()
    return [line.partition(": ")[0] + " " + line.split()[2] for line in lines if ": " in line]


def test_the_command_is_examined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(tmp_path, _WORDS, monkeypatch) == ["run.sh:1:48 LLF180"]


def test_each_command_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rank = "NNODES=2 RANK=1 MASTER_ADDR=10.0.0.1 llamafactory-cli train /data/b.yaml\n"
    codes = [one.split()[1] for one in found(tmp_path, _WORDS + rank, monkeypatch)]
    assert codes == ["LLF180", "LLF181"]


def test_nothing_is_known_of_the_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(tmp_path, "llamafactory-cli train /data/b.yaml do_train=true\n", monkeypatch) == []
    assert found(tmp_path, "llamafactory-cli train $CONFIG --x 1\n", monkeypatch) == []


def test_a_config_that_is_there_is_checked_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "train.yaml").write_text(_CONFIG, encoding="utf-8")
    words = _WORDS.replace("../elsewhere/", "")
    assert len(found(tmp_path, words, monkeypatch)) == 1
