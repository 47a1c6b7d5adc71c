"""DeepSpeed's files that only settings of a launcher name, which start their runs in another way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

DEEPSPEED = '{"zero_optimization": {"stage": 2, "overlap_com": true}, "train_batch_size": 8}\n'
HEAD = "compute_environment: LOCAL_MACHINE\nnum_processes: 2\n"
NAMES = "deepspeed_config:\n  deepspeed_config_file: conf/ds.json\n"
OTHER = f"{HEAD}distributed_type: MULTI_GPU\n{NAMES}"
OWN = f"{HEAD}distributed_type: DEEPSPEED\n{NAMES}"
LAUNCH = "accelerate launch --config_file conf/acc.yaml"


def _severity(folder: Path, **files: str) -> tuple[str, str]:
    """The severity of the error in DeepSpeed's file, and the end of its message."""
    (folder / ".git").mkdir()
    (folder / "conf").mkdir()
    for name, text in {"conf/ds.json": DEEPSPEED, "train.py": "print()\n", **files}.items():
        (folder / name.replace("_dot_", ".")).write_text(text)
    done = run("--format", "json", str(folder))
    for file in json.loads(done.out)["files"]:
        if file["path"].endswith("ds.json"):
            (one,) = [one for one in file["diagnostics"] if one["code"] == "KEY001"]
            return one["severity"], one["message"].partition("Only settings of a launcher")[2]
    raise AssertionError(done.out)


@pytest.mark.parametrize(
    ("settings", "script", "shown"),
    [
        (OTHER, f"{LAUNCH} train.py\n", "`distributed_type: MULTI_GPU`"),
        (OTHER.replace("MULTI_GPU", "FSDP"), f"{LAUNCH} train.py\n", "`distributed_type: FSDP`"),
        (OWN, f"{LAUNCH} --multi_gpu train.py\n", "`--multi_gpu`"),
    ],
)
def test_what_no_run_reads_has_notes(
    tmp_path: Path, settings: str, script: str, shown: str
) -> None:
    files = {"conf/acc.yaml": settings, "run.sh": script}
    severity, reason = _severity(tmp_path, **files)
    assert severity == "note"
    assert shown in reason


@pytest.mark.parametrize(
    ("settings", "script"),
    [
        (OWN, f"{LAUNCH} train.py\n"),
        # a command that waits in a comment
        (OWN, f"{LAUNCH} --multi_gpu train.py\n# {LAUNCH} train.py\n"),
        # one of the runs reads it
        (OWN, f"{LAUNCH} --multi_gpu train.py\n{LAUNCH} train.py\n"),
        (OWN, f"CONF=conf/acc.yaml\n{LAUNCH} --multi_gpu train.py\n"),
        (OTHER, f"{LAUNCH} --use_deepspeed train.py\n"),
        (OTHER, f"{LAUNCH} train.py --deepspeed conf/ds.json\n"),
        # a kind of devices for which that is not known
        (OTHER.replace("MULTI_GPU", "MULTI_NPU"), f"{LAUNCH} train.py\n"),
    ],
)
def test_what_a_run_may_read_stays(tmp_path: Path, settings: str, script: str) -> None:
    assert _severity(tmp_path, **{"conf/acc.yaml": settings, "run.sh": script}) == ("error", "")
