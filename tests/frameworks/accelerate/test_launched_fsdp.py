"""Which FSDP the commands that start a program, or a recipe, switch on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

FSDP = """\
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
fsdp_config:
  fsdp_version: 2
num_processes: 8
"""
PROGRAM = """\
from transformers import Trainer, TrainingArguments

args = TrainingArguments(output_dir="out", optim="adamw_bnb_8bit")
Trainer(model=model, args=args, train_dataset=rows).train()
"""


def found(tmp_path: Path, line: str, settings: str = FSDP) -> list[str]:
    (tmp_path / ".git").mkdir(exist_ok=True)
    (tmp_path / "fsdp.yaml").write_text(settings, encoding="utf-8")
    (tmp_path / "train.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "go.sh").write_text(line, encoding="utf-8")
    report = json.loads(run(str(tmp_path / "train.py"), "--format", "json").out)
    shown = [one for file in report["files"] for one in file["diagnostics"]]
    return [one["code"] for one in shown if one["code"] == "TRL836"]


@pytest.mark.parametrize(
    ("line", "settings", "codes"),
    [
        ("accelerate launch --config_file fsdp.yaml train.py\n", FSDP, ["TRL836"]),
        (
            "accelerate launch --config_file fsdp.yaml train.py\n",
            FSDP.replace("version: 2", "version: 1"),
            [],
        ),
        ("accelerate launch --config_file fsdp.yaml --multi_gpu train.py\n", FSDP, []),
        ("accelerate launch --use_fsdp --fsdp_version 2 train.py\n", FSDP, ["TRL836"]),
        ("accelerate launch --use_fsdp --fsdp_version $V train.py\n", FSDP, []),
        ("accelerate launch --config_file fsdp.yaml --fsdp_version 1 train.py\n", FSDP, []),
        ("accelerate launch --config_file other.yaml train.py\n", FSDP, []),
        ("torchrun --nproc_per_node 8 train.py\n", FSDP, []),
        ("accelerate launch --config_file fsdp.yaml train.py\n", "a: [\n", []),
    ],
)
def test_by_command(tmp_path: Path, line: str, settings: str, codes: list[str]) -> None:
    assert found(tmp_path, line, settings) == codes


LOOP = """\
from accelerate import Accelerator  # with DeepSpeedPlugin or fsdp

accelerator = Accelerator()
if accelerator.is_main_process:
    state = accelerator.get_state_dict(model)
"""
ZERO = "distributed_type: DEEPSPEED\ndeepspeed_config: {{zero_stage: {}}}\n"


@pytest.mark.parametrize(
    ("line", "settings", "waits"),
    [
        ("accelerate launch --config_file fsdp.yaml train.py\n", ZERO.format(2), False),
        ("accelerate launch --config_file fsdp.yaml train.py\n", ZERO.format(3), True),
        (
            "accelerate launch --config_file fsdp.yaml train.py\n",
            "distributed_type: MULTI_GPU\n",
            False,
        ),
        ("accelerate launch --config_file fsdp.yaml train.py\n", FSDP, True),
        (
            "accelerate launch --config_file fsdp.yaml --zero_stage 3 train.py\n",
            ZERO.format(2),
            True,
        ),
        (
            "accelerate launch --config_file fsdp.yaml --zero_stage 1 train.py\n",
            ZERO.format(3),
            False,
        ),
        # Where a command leaves it open, or there is none, any may be meant.
        (
            "accelerate launch --config_file fsdp.yaml --zero_stage $Z train.py\n",
            ZERO.format(2),
            True,
        ),
        ("torchrun train.py\n", ZERO.format(2), True),
        ("", ZERO.format(2), True),
    ],
)
def test_a_state_that_each_process_has_is_collected_from_none(
    tmp_path: Path, line: str, settings: str, waits: bool
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "fsdp.yaml").write_text(settings, encoding="utf-8")
    (tmp_path / "train.py").write_text(LOOP, encoding="utf-8")
    (tmp_path / "go.sh").write_text(line, encoding="utf-8")
    out = run(str(tmp_path / "train.py"), "--select", "TRP862").out
    assert ("TRP862" in out) is waits
