"""The DeepSpeed file that accelerate's file names, on this machine or on another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

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
