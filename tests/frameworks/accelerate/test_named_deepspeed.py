"""The DeepSpeed file that accelerate's file names, on this machine or on another one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cfglint import lint_file
from tests.cli.running import run

CONFIG = """\
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_machines: 1
num_processes: 16
deepspeed_config:
  deepspeed_config_file: {}
  zero3_init_flag: false
"""
SETTINGS = (
    '{"train_batch_size": 8, "train_micro_batch_size_per_gpu": 1, "gradient_accumulation_steps": 8}'
)


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("examples/deepspeed/ds.json", True),
        ("/mnt/other/project/examples/deepspeed/ds.json", True),
        ("/deepspeed/ds.json", False),
        ("/mnt/other/ds.json", False),
        ("/mnt/other/configs/ds.json", False),
    ],
)
def test_a_path_of_another_machine(tmp_path: Path, written: str, found: bool) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "examples" / "deepspeed").mkdir(parents=True)
    (tmp_path / "examples" / "deepspeed" / "ds.json").write_text(SETTINGS)
    (tmp_path / "ds.json").write_text(SETTINGS)
    path = tmp_path / "accelerate.yaml"
    path.write_text(CONFIG.format(written))
    codes = [one.code for one in lint_file(path, select=["DST612"]).diagnostics]
    assert codes == (["DST612"] if found else [])


def test_a_long_value_is_cut_and_shows_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    betas = {"type": "AdamW", "params": {"betas": [0.9, *range(30)]}}
    (tmp_path / "ds.json").write_text(json.dumps({"optimizer": betas}))
    (tmp_path / "accelerate.yaml").write_text(CONFIG.format("ds.json"))
    (tmp_path / "requirements.txt").write_text("trl==0.24.0\n")
    start = "accelerate launch --config_file accelerate.yaml -m trl.scripts.sft --config sft.yaml\n"
    (tmp_path / "run.sh").write_text(start)
    path = tmp_path / "sft.yaml"
    path.write_text(
        "model_name_or_path: a/b\ndataset_name: a/c\nper_device_train_batch_size: 4\noutput_dir: o\nadam_beta1: 0.9\nadam_beta2: 0.999\n"
    )
    printed = run(str(path), "--select", "DST613").out
    assert re.search(r"is \[0\.9, [\d, \n]+… here", printed)
