"""JSON files that a program of the project loads by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

CONFIG = (
    '{"model_name_or_path": "a/b", "output_dir": "out", "per_device_train_batch_size": 2, "learning_rate": 1e-5,'
    ' "num_train_epochs": 1, "max_seq_length": 4096, "packing": true}'
)
LOADS = 'import json\nwith open("cpt.json") as file:\n    config = json.load(file)\n'


@pytest.fixture(autouse=True)
def config(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("trl==0.29.0\n")
    path = tmp_path / "cpt.json"
    path.write_text(CONFIG)
    return path


def codes(path: Path) -> set[str]:
    return {one.code for one in lint_file(path, framework="trl").diagnostics}


def test_it_is_not_trl_s(config: Path) -> None:
    assert {"KEY005", "TRL037"} <= codes(config)
    (config.parent / "train.py").write_text(LOADS)
    assert codes(config) == set()


@pytest.mark.parametrize(
    "program",
    [
        LOADS.replace("cpt.json", "other.json"),
        LOADS.replace("json.load", "str"),
        f"from trl import TrlParser\n{LOADS}",
    ],
)
def test_nothing_shows_that_a_program_loads_it(config: Path, program: str) -> None:
    (config.parent / "train.py").write_text(program)
    assert "KEY005" in codes(config)


def test_yaml_is_read_by_trl_s_parser(config: Path) -> None:
    path = config.with_suffix(".yaml")
    path.write_text(CONFIG)
    (config.parent / "train.py").write_text(LOADS.replace("cpt.json", "cpt.yaml"))
    assert "KEY005" in codes(path)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        # Nothing here is about TRL: the keys are those of any training.
        ("rows = json.load(file)\n", False),
        ("from trl import SFTTrainer\nrows = json.load(file)\n", True),
        ("parser = HfArgumentParser(Own)\nrows = json.load(file)\n", True),
        ("print(1)\n", True),
    ],
)
def test_a_project_without_trl_has_json_of_its_own(
    config: Path, program: str, expected: bool
) -> None:
    (config.parent / "requirements.txt").write_text("peft\n")
    (config.parent / "train.py").write_text(program)
    assert bool(codes(config)) is expected
