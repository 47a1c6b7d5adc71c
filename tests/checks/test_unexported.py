"""Variables that a script sets and does not export."""

from __future__ import annotations

import pytest

from cfglint import Linter
from tests.draws import each

SWIFT = "swift sft --model Qwen/Qwen3-0.6B --dataset a\n"
LLAMAFACTORY = "llamafactory-cli train --stage sft --model_name_or_path a/b --dataset a --template qwen3 --output_dir o\n"
VERL = "python3 -m verl.trainer.main_ppo data.train_batch_size=8\n"
OPENRLHF = "deepspeed --module openrlhf.cli.train_sft --pretrain a\n"
RAY = "ray job submit --address=x -- "
TORCHRUN = LLAMAFACTORY.replace("llamafactory-cli train", "torchrun src/train.py")


def found(text: str) -> list[tuple[int, str]]:
    report = Linter(settings=False, select=["LCH816"]).lint(text, "run.sh")
    return [(one.start.line, one.message.split("`")[1]) for one in report.diagnostics]


@each(
    ("text", "line"),
    [
        ("CUDA_VISIBLE_DEVICES=0,1\n" + SWIFT, 1),
        ("NPROC_PER_NODE=2\n" + SWIFT, 1),
        ("NCCL_P2P_DISABLE=1\n" + SWIFT, 1),
        ("x=1 NPROC_PER_NODE=2\n" + SWIFT, 1),
        ("NPROC_PER_NODE=2 && " + SWIFT, 1),
        ("# export NPROC_PER_NODE=2\nNPROC_PER_NODE=2 # $NPROC_PER_NODE\n" + SWIFT, 2),
        ("NPROC_PER_NODE=1\nNPROC_PER_NODE=2\n" + SWIFT, 1),
        ("NPROC_PER_NODE=2\nif true; then\n" + SWIFT + "fi\n", 1),
        ("#SBATCH --gpus=2\nNPROC_PER_NODE=2\n" + SWIFT, 2),
        ("PYTORCH_CUDA_ALLOC_CONF=a:b\n" + VERL, 1),
        ("PYTORCH_CUDA_ALLOC_CONF=a:b\n" + OPENRLHF, 1),
    ],
)
def test_a_program_does_not_get_what_the_shell_keeps(text: str, line: int) -> None:
    assert [at for at, _ in found(text)] == [line]


@each(
    "text",
    [
        "export NPROC_PER_NODE=2\n" + SWIFT,
        "NPROC_PER_NODE=2\nexport NPROC_PER_NODE\n" + SWIFT,
        "export CUDA_VISIBLE_DEVICES NPROC_PER_NODE\nNPROC_PER_NODE=2\n" + SWIFT,
        "declare -x NPROC_PER_NODE=2\n" + SWIFT,
        "NPROC_PER_NODE=2 " + SWIFT,
        "NPROC_PER_NODE=2 \\\n" + SWIFT,
        "NPROC_PER_NODE=2\nNPROC_PER_NODE=$NPROC_PER_NODE " + SWIFT,
        "set -a\nNPROC_PER_NODE=2\n" + SWIFT,
        "set -ea\nNPROC_PER_NODE=2\n" + SWIFT,
        "set -o allexport\nNPROC_PER_NODE=2\n" + SWIFT,
        "#!/bin/bash -a\nNPROC_PER_NODE=2\n" + SWIFT,
        "NPROC_PER_NODE=2\necho ${!name}\n" + SWIFT,
        # Set afterwards, in another branch, in a function, or not at all.
        SWIFT + "NPROC_PER_NODE=2\n",
        "if true; then\nNPROC_PER_NODE=2\nfi\n" + SWIFT,
        "f() {\nNPROC_PER_NODE=2\n}\n" + SWIFT,
        "NPROC_PER_NODE=\n" + SWIFT,
        # Ray's jobs have another environment.
        "WANDB_PROJECT=x\n" + RAY + VERL,
        "WANDB_PROJECT=x\n" + RAY + OPENRLHF,
        # vLLM would not start with it.
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\n" + VERL + "# vllm\n",
        # No program reads it.
        "NPROC=2\n" + SWIFT,
        "NPROC_PER_NODE=2\nswift sft --model Qwen/Qwen3-0.6B --dataset a --num_workers $NPROC_PER_NODE\n",
        # A job has one already.
        "#SBATCH --gpus=2\nCUDA_VISIBLE_DEVICES=0\n" + SWIFT,
    ],
)
def test_what_a_program_gets_or_does_not_read(text: str) -> None:
    assert found(text) == []


def test_what_only_the_own_command_reads() -> None:
    for text in ("FORCE_TORCHRUN=1\n", "NPROC_PER_NODE=2\n"):
        assert len(found(text + LLAMAFACTORY)) == 1
        assert found(text + TORCHRUN) == []
    assert found("FORCE_TORCHRUN=1\n" + SWIFT) == []
    assert len(found("CUDA_VISIBLE_DEVICES=0\n" + TORCHRUN)) == 1


def test_each_variable_once_whatever_commands_follow() -> None:
    text = "NPROC_PER_NODE=2\nCUDA_VISIBLE_DEVICES=0,1\n" + SWIFT + SWIFT
    assert [name.partition("=")[0] for _, name in found(text)] == [
        "export NPROC_PER_NODE",
        "export CUDA_VISIBLE_DEVICES",
    ]


@pytest.mark.parametrize(("rollout", "is_found"), [("vllm", False), ("hf", True)])
def test_what_would_end_the_run_is_not_to_be_exported(rollout: str, is_found: bool) -> None:
    """vLLM's sleep asserts: "Expandable segments are not compatible with memory pool"."""
    script = (
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\n"
        "python3 -m verl.trainer.main_ppo data.train_files=a.parquet"
        f" actor_rollout_ref.rollout.name={rollout}\n"
    )
    assert bool(found(script)) is is_found


@each(
    ("start", "devices", "told"),
    [
        ("ray start --head --num-gpus=2", "0,1", False),
        ("N=2\nray start --head --num-gpus $N --port=1", "0,1", False),
        ('N=2\nray start --head --num-gpus="${N}"', '"0,1"', False),
        ("ray start --head --num-gpus=2", "2,3", True),
        ("ray start --head --num-gpus=4", "0,1", True),
        ("N=2\nN=4\nray start --head --num-gpus=$N", "0,1", True),
        ("ray start --head --num-gpus=${N:-2}", "0,1", True),
        ("# ray start --head --num-gpus=2", "0,1", True),
        ("ray start --head", "0,1", True),
    ],
)
def test_a_ray_that_hands_out_the_first_gpus_sees_those_anyway(
    start: str, devices: str, told: bool
) -> None:
    assert bool(found(f"CUDA_VISIBLE_DEVICES={devices}\n{start}\n{VERL}")) is told
