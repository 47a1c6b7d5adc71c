"""What is found in the settings of `accelerate launch` where no program uses accelerate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

SETTINGS = (
    "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\nnum_processes: 8\n"
    "deepspeed_config:\n  deepspeed_config_file: ds.json\nmixed_precision: bf16\n"
)
#: A loop of its own, of which a text says how it may be started.
LOOP = (
    '"""Usage:\n    accelerate launch --config_file acc.yaml train.py\n"""\n'
    "import torch\nfrom transformers import AutoModelForCausalLM\n# no Accelerator here\n"
)


def severities(folder: Path, settings: str = SETTINGS, **files: str) -> dict[str, str]:
    """Code -> severity; `run_dot_sh` is the file `run.sh`."""
    (folder / ".git").mkdir()
    for name, text in {"acc_dot_yaml": settings, "train_dot_py": LOOP, **files}.items():
        (folder / name.replace("_dot_", ".")).write_text(text, encoding="utf-8")
    reports = json.loads(run("--format", "json", str(folder)).out)["files"]
    return {
        one["code"]: one["severity"]
        for file in reports
        if "acc.yaml" in file["path"]
        for one in file["diagnostics"]
    }


def test_it_is_not_carried_out(tmp_path: Path) -> None:
    start = "torchrun --nproc_per_node 8 train.py\n"
    assert severities(tmp_path, run_dot_sh=start) == {"ACC031": "note"}


@pytest.mark.parametrize(
    "files",
    [
        {"train_dot_py": LOOP + "from accelerate import Accelerator\n"},
        {"train_dot_py": LOOP + "from transformers import Trainer, TrainerCallback\n"},
        {"train_dot_py": LOOP + "from transformers import (\n    Trainer,\n)\n"},
        {"train_dot_py": LOOP + "from optimum.habana import GaudiTrainer\n"},
        {"train_dot_py": LOOP + "args = OwnTrainingArguments()\n"},
        {"more_dot_py": "import trl\n", "run_dot_sh": "torchrun train.py acc.yaml\n"},
        {"run_dot_sh": "accelerate launch $CONFIG train.py\n"},
        {"run_dot_sh": "axolotl train x.yml\n"},
        {"start_dot_py": 'subprocess.run(["accelerate", "launch", "--config_file", name])\n'},
    ],
)
def test_others(tmp_path: Path, files: dict[str, str]) -> None:
    assert severities(tmp_path, **files) == {"ACC031": "error"}


def test_the_launcher_reads_the_keys(tmp_path: Path) -> None:
    assert severities(tmp_path, f"{SETTINGS}num_machine: 1\n")["KEY001"] == "error"
