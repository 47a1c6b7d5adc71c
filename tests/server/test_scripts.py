"""Launch scripts in an editor: the values that an option, or a key of verl's, takes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.server.client import editor

VERL = "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo \\\n    {at}\n"
SWIFT = "swift sft --model Qwen/Qwen3-8B --dataset a \\\n    {at}\n"
OPENRLHF = "deepspeed --module openrlhf.cli.train_sft --pretrain m --dataset d \\\n    {at}\n"
TARGETS = ["verl==0.7.1", "ms-swift==4.5.2", "openrlhf==0.8.0"]


def offered(folder: Path, text: str) -> list[str]:
    """What is offered at the sign `|`."""
    line = next(number for number, row in enumerate(text.splitlines()) if "|" in row)
    column = text.splitlines()[line].index("|")

    async def tell() -> list[str]:
        async with editor(folder, options={"target": TARGETS}) as shown:
            uri = shown.open(folder / "run.sh", text.replace("|", ""), "shellscript")
            found = await shown.at(uri, line, column, "completion")
            return [one.label for one in found.items]

    return asyncio.run(tell())


@pytest.mark.parametrize(
    ("script", "at", "expected"),
    [
        (VERL, "trainer.val_before_train=|", {"true", "false"}),
        (VERL, "actor_rollout_ref.actor.strategy=fs| trainer.nnodes=1", {"fsdp", "fsdp2"}),
        (SWIFT, "--tuner_type lo|", {"lora", "full"}),
        (SWIFT, "--template qwen|3 --num_train_epochs 1", {"qwen3"}),
        (SWIFT, "--bf16=|", {"true", "false"}),
        (OPENRLHF, "--lr_scheduler |", set()),
        (VERL, "trainer.project_name=$|", set()),
        (SWIFT, "# --tuner_type |", set()),
    ],
)
def test_values(tmp_path: Path, script: str, at: str, expected: set[str]) -> None:
    found = offered(tmp_path, script.format(at=at))
    assert expected <= set(found)
    assert expected or not found
