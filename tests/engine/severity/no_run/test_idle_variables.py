"""Settings files whose names scripts keep in variables of which nothing makes use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

START = "accelerate launch train.py\n"


@pytest.mark.parametrize(
    ("run_script", "other", "severity"),
    [
        ("export SETTINGS={}\npython train.py\n", "", "note"),
        # By this one accelerate reads a file of DeepSpeed.
        ("export ACCELERATE_DEEPSPEED_CONFIG_FILE={}\npython train.py\n", "", "error"),
        # It has one of its own.
        ("export SETTINGS={}\npython train.py\n", "SETTINGS=b.yaml\necho $SETTINGS\n", "note"),
        ("export SETTINGS={}\nbash other.sh\n", "echo $SETTINGS\n", "error"),
        ("export SETTINGS={}\nbash other.sh\n", "SETTINGS=${SETTINGS:-b.yaml}\n", "error"),
        ("SETTINGS={}\naccelerate launch --config_file $SETTINGS train.py\n", "", "error"),
        ("SETTINGS={}\nmake F=$(SETTINGS)\n", "", "error"),
    ],
)
def test_a_variable_of_which_nothing_makes_use(
    run_script: str, other: str, severity: str, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text("import accelerate\n")
    (tmp_path / "start.sh").write_text(START)
    (tmp_path / "acc.yaml").write_text(
        "distributed_type: SINGLE\nnum_processes: 1\ncompute_environment: LOCAL_MACHINE\n"
    )
    (tmp_path / "run.sh").write_text(run_script.replace("{}", '"${HERE}/acc.yaml"'))
    (tmp_path / "other.sh").write_text(other)
    done = run("--format", "json", str(tmp_path))
    (file,) = [one for one in json.loads(done.out)["files"] if one["path"].endswith("acc.yaml")]
    assert [one["severity"] for one in file["diagnostics"]] == [severity]
