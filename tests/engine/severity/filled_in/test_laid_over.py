"""Values that a program of the project sets after it has loaded a file, of whatever framework that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

FACTORY = """\
model_name_or_path: Qwen/Qwen3-0.6B
stage: sft
do_train: true
finetuning_type: lora
template: qwen3
dataset: mine
output_dir: out
learning_rate: [1]
"""
SETS = """\
import yaml

config = yaml.safe_load(open("train.yaml"))
config["learning_rate"] = 1.0e-5
"""
AXOLOTL = """\
base_model: Qwen/Qwen3-0.6B
datasets: [{path: a/b, type: alpaca}]
output_dir: out
micro_batch_size: 1
learning_rate: [1]
"""


@pytest.mark.parametrize("file", [FACTORY, AXOLOTL])
def test_a_value_that_no_run_sees(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("train.yaml").write_text(file, encoding="utf-8")

    def found() -> list[tuple[object, ...]]:
        return [
            one.path
            for one in lint_file("train.yaml").diagnostics
            if one.path == ("learning_rate",) and one.severity != "note"
        ]

    assert found()
    Path("make.py").write_text(SETS, encoding="utf-8")
    assert not found()
    # Another key does not hang on it.
    Path("make.py").write_text(SETS.replace("learning_rate", "seed"), encoding="utf-8")
    assert found()
