"""How many processes the commands of a project make of a program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

PROGRAM = """\
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

model = AutoModelForCausalLM.from_pretrained("Qwen/Qwen3-0.6B", device_map="auto")
Trainer(model=model, args=TrainingArguments(output_dir="out"), train_dataset=rows).train()
"""
SETTINGS = """\
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_machines: {}
num_processes: {}
"""


@pytest.mark.parametrize(
    ("command", "several"),
    [
        ("torchrun --nproc_per_node 2 train.py", True),
        ("torchrun --nproc-per-node=2 ./train.py --lr 1", True),
        ("python -m torch.distributed.run --nproc_per_node 2 train.py", True),
        ("deepspeed --num_gpus 2 train.py", True),
        ("accelerate launch --num_processes 2 train.py", True),
        ("accelerate launch --config_file two.yaml train.py", True),
        ("accelerate launch --config_file spread.yaml train.py", False),
        ("accelerate launch --config_file two.yaml --num_processes 1 train.py", False),
        (
            'OPTIONS="\n    --nproc_per_node 2 \\\n    --nnodes 1\n"\ntorchrun $OPTIONS train.py',
            True,
        ),
        ('N=2\nOPTIONS="--nproc_per_node $N"\ntorchrun ${OPTIONS} train.py', True),
        ('OPTIONS="--nproc_per_node 2"\nOPTIONS+=" -h"\ntorchrun $OPTIONS train.py', False),
        ("accelerate launch train.py", False),
        ("CUDA_VISIBLE_DEVICES=0,1 accelerate launch train.py", True),
        ("CUDA_VISIBLE_DEVICES=0,1 deepspeed train.py --deepspeed z.json", True),
        ("export CUDA_VISIBLE_DEVICES=0,1\ndeepspeed train.py", True),
        ("deepspeed --include localhost:2,3 train.py", True),
        ("CUDA_VISIBLE_DEVICES=0 deepspeed train.py", False),
        ("CUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node=gpu train.py", True),
        ("torchrun --nnodes 2 --nproc_per_node 1 train.py", False),
        ("torchrun --nproc_per_node $N train.py", False),
        ("torchrun --nproc_per_node 2 other.py --with train.py", False),
        ("python train.py", False),
        ("torchrun --nproc_per_node 2 train.py\ntorchrun --nproc_per_node 1 train.py", False),
    ],
)
def test_the_processes_of_every_command_count(tmp_path: Path, command: str, several: bool) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(PROGRAM)
    (tmp_path / "two.yaml").write_text(SETTINGS.format(1, 2))
    (tmp_path / "spread.yaml").write_text(SETTINGS.format(2, 2))
    (tmp_path / "run.sh").write_text(f"{command}\n")
    result = run(str(tmp_path / "train.py"), "--format", "json", "--select", "TRT680")
    found = [hit for file in json.loads(result.out)["files"] for hit in file["diagnostics"]]
    assert [hit["code"] for hit in found] == (["TRT680"] if several else [])


def test_a_page_says_what_may_be_started(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(PROGRAM)
    (tmp_path / "README.md").write_text("    torchrun --nproc_per_node 2 train.py\n")
    result = run(str(tmp_path / "train.py"), "--format", "json", "--select", "TRT680")
    assert json.loads(result.out)["summary"]["error"] == 0


def test_a_program_may_start_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(PROGRAM)
    command = ["accelerate", "launch", "--num_processes", "2", "train.py"]
    (tmp_path / "go.py").write_text(f"import subprocess\nsubprocess.run({command})\n")
    result = run(str(tmp_path / "train.py"), "--format", "json", "--select", "TRT680")
    assert json.loads(result.out)["summary"]["error"] == 1
