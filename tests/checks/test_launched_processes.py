"""More processes than the GPUs that a command lets them see."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

PROGRAM = "from trl import SFTConfig, SFTTrainer\nSFTTrainer('a/b', SFTConfig('o'), None, rows)\n"
LLF = "--stage sft --do_train --model_name_or_path m --dataset a --template default --output_dir o"
SWIFT = "swift sft --model Qwen/Qwen3-0.6B --dataset a"


def lines(path: Path) -> list[tuple[str, int]]:
    done = run(str(path), "--format", "json", "--select", "LCH820")
    return [
        (Path(file["path"]).name, hit["range"]["start"]["line"])
        for file in json.loads(done.out)["files"]
        for hit in file["diagnostics"]
    ]


@pytest.mark.parametrize(
    ("script", "found"),
    [
        (f"CUDA_VISIBLE_DEVICES=0,1 NPROC_PER_NODE=4 {SWIFT}", [1]),
        (f"CUDA_VISIBLE_DEVICES=0,1,2,3 NPROC_PER_NODE=4 {SWIFT}", []),
        (f"CUDA_VISIBLE_DEVICES=$IDS NPROC_PER_NODE=4 {SWIFT}", []),
        (f"NPROC_PER_NODE=4 {SWIFT}", []),
        (f"export CUDA_VISIBLE_DEVICES=0\ntorchrun --nproc_per_node 2 src/train.py {LLF}", [1]),
        (f"CUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node gpu src/train.py {LLF}", []),
        (f"CUDA_VISIBLE_DEVICES=0,1 torchrun --nnodes 2 --nproc_per_node 2 src/train.py {LLF}", []),
        # Each command of a script has its own number, and its own GPUs.
        (f"CUDA_VISIBLE_DEVICES=0 deepspeed --num_gpus 4 src/train.py {LLF}\nCUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node 4 src/train.py {LLF}", [2]),
        (f"CUDA_VISIBLE_DEVICES=0 torchrun --nproc_per_node 1 src/train.py {LLF}\nCUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node 4 src/train.py {LLF}", [2]),
        # DeepSpeed's launcher goes by its own number.
        (f"CUDA_VISIBLE_DEVICES=0,1 deepspeed --num_gpus 4 src/train.py {LLF}", []),
        # With a single GPU it starts no others.
        (f"CUDA_VISIBLE_DEVICES=0 NPROC_PER_NODE=4 llamafactory-cli train {LLF}", []),
        (f"CUDA_VISIBLE_DEVICES=0,1 NPROC_PER_NODE=4 llamafactory-cli train {LLF}", [1]),
        # The processes of all machines together.
        (f"CUDA_VISIBLE_DEVICES=0,1 accelerate launch --num_machines 2 --num_processes 4 src/train.py {LLF}", []),
        (f"CUDA_VISIBLE_DEVICES=0,1 accelerate launch --num_processes 4 src/train.py {LLF}", [1]),
    ],
)  # fmt: skip
def test_scripts(tmp_path: Path, script: str, found: list[int]) -> None:
    (tmp_path / "run.sh").write_text(f"{script}\n")
    assert lines(tmp_path / "run.sh") == [("run.sh", line) for line in found]


def test_the_command_that_starts_a_program(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(PROGRAM)
    (tmp_path / "run.sh").write_text(
        "#!/bin/bash\nCUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node 4 train.py\n"
    )
    assert lines(tmp_path / "train.py") == [("run.sh", 2)]
