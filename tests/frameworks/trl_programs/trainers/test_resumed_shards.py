"""Loops that resume from a sharded state, by what their commands and their requirements say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

SETTINGS = """\
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
fsdp_config:
  fsdp_state_dict_type: SHARDED_STATE_DICT
  fsdp_version: 2
num_processes: 8
"""
PROGRAM = """\
from accelerate import Accelerator

accelerator = Accelerator()
model, optimizer = accelerator.prepare(model, optimizer)
accelerator.load_state("checkpoint")
"""
LINE = "accelerate launch --config_file fsdp.yaml train.py\n"


@pytest.mark.parametrize(
    ("pin", "settings", "line", "is_found"),
    [
        ("accelerate==1.12.0", SETTINGS, LINE, True),
        ("accelerate==1.13.0", SETTINGS, LINE, False),
        ("accelerate", SETTINGS, LINE, False),
        ("accelerate==1.13.0", SETTINGS.replace("version: 2", "version: 1"), LINE, True),
        ("accelerate==1.6.0", SETTINGS.replace("version: 2", "version: 1"), LINE, False),
        ("accelerate==1.12.0", SETTINGS.replace("SHARDED", "FULL"), LINE, False),
        (
            "accelerate==1.12.0",
            SETTINGS,
            LINE.replace(" train", " --fsdp_state_dict_type FULL_STATE_DICT train"),
            False,
        ),
    ],
)
def test_releases(tmp_path: Path, pin: str, settings: str, line: str, is_found: bool) -> None:
    assert ("TRP832" in found(tmp_path, pin, settings, line, PROGRAM)) is is_found


def found(tmp_path: Path, pin: str, settings: str, line: str, program: str) -> list[str]:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text(f"{pin}\n", encoding="utf-8")
    (tmp_path / "fsdp.yaml").write_text(settings, encoding="utf-8")
    (tmp_path / "train.py").write_text(program, encoding="utf-8")
    (tmp_path / "go.sh").write_text(line, encoding="utf-8")
    report = json.loads(run(str(tmp_path / "train.py"), "--format", "json").out)
    return [one["code"] for file in report["files"] for one in file["diagnostics"]]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Accelerator()", "Accelerator(fsdp_plugin=plugin)"),
        ("Accelerator()", "Accelerator(**settings)"),
        ("model, optimizer = accelerator.prepare(model, optimizer)", "model = prepared(model)"),
        ("prepare(model, optimizer)", "prepare(model)"),
    ],
)
def test_not_of_programs_that_may_lose_nothing(tmp_path: Path, old: str, new: str) -> None:
    assert old in PROGRAM
    codes = found(tmp_path, "accelerate==1.12.0", SETTINGS, LINE, PROGRAM.replace(old, new))
    assert "TRP832" not in codes
