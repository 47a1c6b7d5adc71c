"""Variables that a command has and its script sets nowhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

LINE = "swift sft --model Qwen/Qwen3-0.6B --dataset a --learning_rate"


def found(folder: Path, text: str) -> list[str]:
    (folder / "run.sh").write_text(text)
    report = json.loads(run(str(folder / "run.sh"), "--format", "json").out)
    hits = [hit for file in report["files"] for hit in file["diagnostics"]]
    return [hit["message"].split("`")[1] for hit in hits if hit["code"] == "LCH818"]


@pytest.mark.parametrize(
    ("own", "used"),
    [
        ("LERNING_RATE", "$LEARNING_RATE"),
        ("LEARNIGN_RATE", '"${LEARNING_RATE}"'),
        ("Learning_Rate", "$LEARNING_RATE"),
    ],
)
def test_slips(tmp_path: Path, own: str, used: str) -> None:
    assert found(tmp_path, f"{own}=1e-5\n{LINE} {used}\n") == [f"${own}"]


@pytest.mark.parametrize(
    "text",
    [
        f"{LINE} $LEARNING_RATE\n",
        f"BATCH_SIZE=4\n{LINE} $LEARNING_RATE\n",
        f"LERNING_RATE=1e-5\n{LINE} ${{LEARNING_RATE:-1e-4}}\n",
        f"LERNING_RATE=1e-5\necho $LERNING_RATE\n{LINE} $LEARNING_RATE\n",
        f"LERNING_RATE=1e-5 {LINE} $LEARNING_RATE\n",
        f"LERNING_RATE=1e-5\nread LEARNING_RATE\n{LINE} $LEARNING_RATE\n",
        f"LERNING_RATE=1e-5\nsource env.sh\n{LINE} $LEARNING_RATE\n",
        f"LEARNING_RATE_1=1e-5\n{LINE} $LEARNING_RATE_2\n",
        f"LERNING_RATE=1e-5\n{LINE} 1\necho $LEARNING_RATE\n",
    ],
)
def test_what_may_be_meant(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == []


def test_an_exported_variable_of_nearly_the_name(tmp_path: Path) -> None:
    text = f"export LERNING_RATE=1e-5\n{LINE} $LEARNING_RATE\n"
    assert found(tmp_path, text) == ["$LERNING_RATE"]
    # Of what a command alone gets, the shell has nothing.
    assert found(tmp_path, f"export OTHER=1\n{LINE} $LEARNING_RATE\n") == []
