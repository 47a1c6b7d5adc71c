"""What is found in the settings of a launcher that no command calls."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

SETTINGS = "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU\nmodel_parallel: 2\n"
PROGRAM = "from accelerate import dispatch_model\n"
START = "torchrun --nproc_per_node 2 train.py\n"
MADE = 'CONFIG=./acc.yaml\naccelerate config --config_file "$CONFIG"\necho "made ./acc.yaml"\n'


def severity(folder: Path, **files: str) -> str:
    """That of the key which accelerate refuses; `run_dot_sh` is the file `run.sh`."""
    (folder / ".git").mkdir()
    texts = {"acc_dot_yaml": SETTINGS, "train_dot_py": PROGRAM, "set_up_dot_sh": MADE, **files}
    for name, text in texts.items():
        (folder / name.replace("_dot_", ".")).write_text(text)
    reports = json.loads(run("--format", "json", str(folder)).out)["files"]
    found = [one for file in reports if "acc.yaml" in file["path"] for one in file["diagnostics"]]
    severity: str = next(one["severity"] for one in found if one["code"] == "KEY001")
    return severity


def test_nothing_reads_it(tmp_path: Path) -> None:
    assert severity(tmp_path, run_dot_sh=START) == "note"


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"run_dot_sh": "python train.py\n"},
        {"run_dot_sh": START, "more_dot_sh": "accelerate launch $OPTIONS train.py\n"},
        {"run_dot_sh": START, "go_dot_py": 'run(["accelerate", "launch", path])\n'},
        {"run_dot_sh": START, "more_dot_sh": "axolotl train x.yml\n"},
        {"run_dot_sh": START, "README_dot_md": "The settings are in acc.yaml.\n"},
        {"run_dot_sh": START, "load_dot_py": 'x = load("acc.yaml")\n'},
        {"run_dot_sh": START, "big_dot_sh": "x" * 1_000_001},
    ],
)
def test_something_may_read_it(tmp_path: Path, files: dict[str, str]) -> None:
    assert severity(tmp_path, **files) == "error"


def test_what_runs_have_kept_need_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "runs" / "one" / "backup").mkdir(parents=True)
    (tmp_path / "runs" / "one" / "backup" / "big.py").write_text("x" * 1_000_001)
    assert severity(tmp_path, run_dot_sh=START) == "note"
