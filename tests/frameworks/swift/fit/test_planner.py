"""The changes that are proposed where a run of ms-swift does not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cfglint.frameworks.swift.fit.planner import SwiftPlanner
from tests.cli.running import run as run_cli
from tests.draws import each
from tests.frameworks.swift.fit.planned import MODEL, OLD, RELEASE, of_script, planner

ADAPTER, BITS = "`tuner_type: lora`", "`quant_method: bnb` and `quant_bits: 4`"
BOTH = f"{ADAPTER} with {BITS}"
LIGER, HALF = "`use_liger_kernel: true`", "`torch_dtype: bfloat16`"
KEPT = "`gradient_checkpointing: true`"
OLDER_ADAPTER, OLDER_BITS = "`sft_type: lora`", "`quantization_bit: 4`"
OLDER_BOTH = f"{OLDER_ADAPTER} with {OLDER_BITS}"
ZERO = "ZeRO-3 over 4 GPUs (`deepspeed: zero3`)"
EIGHT = "`optim: adamw_8bit`"
FOUR_GPUS = "NPROC_PER_NODE=4 swift sft train.yaml\n"
#: All that the tests ask for.
ASKED = {
    *(ADAPTER, BITS, BOTH, LIGER, HALF, KEPT, OLDER_ADAPTER, OLDER_BITS, OLDER_BOTH, ZERO, EIGHT),
}
LORA: dict[str, Any] = {"tuner_type": "lora"}


def proposed(made: object, gpus: int = 1) -> set[str]:
    assert isinstance(made, SwiftPlanner)
    return {measure.title for choice in made.measures(gpus) for measure in choice} & ASKED


def tried(made: object, gpus: int = 1) -> set[str]:
    assert isinstance(made, SwiftPlanner)
    return {title for title, _ in made.alternatives(gpus)} & ASKED


@each(
    ("release", "config", "expected"),
    [
        (RELEASE, {}, {ADAPTER, BOTH, LIGER, EIGHT}),
        (RELEASE, {"use_liger_kernel": True}, {ADAPTER, BOTH, EIGHT}),
        # The fused loss would not be used.
        (RELEASE, {"enable_dft_loss": True}, {ADAPTER, BOTH, EIGHT}),
        (RELEASE, {"torch_dtype": "float32"}, {ADAPTER, BOTH, LIGER, HALF, EIGHT}),
        (RELEASE, {"gradient_checkpointing": False}, {ADAPTER, BOTH, LIGER, KEPT, EIGHT}),
        (RELEASE, {"optim": "adamw_8bit"}, {ADAPTER, BOTH, LIGER}),
        (RELEASE, LORA, {BITS, LIGER, EIGHT}),
        (RELEASE, {**LORA, "quant_method": "bnb", "quant_bits": 4}, {LIGER, EIGHT}),
        (RELEASE, {"tuner_type": "adalora"}, {LIGER, EIGHT}),
        (RELEASE, {"model": "Qwen/Qwen3-8B"}, {ADAPTER, BOTH, LIGER, EIGHT}),
        ("3.3.0", {"tuner_type": "-", "train_type": "lora"}, {BITS, LIGER, EIGHT}),
        ("3.2.2", {"tuner_type": "-", "train_type": "lora"}, {BITS, EIGHT}),
        (
            "3.3.0",
            {"tuner_type": "-", "train_type": "lora", "model": "Qwen/Qwen3-8B"},
            {BITS, EIGHT},
        ),
        (OLD, {}, {OLDER_ADAPTER, OLDER_BOTH, EIGHT}),
        (OLD, {"sft_type": "lora"}, {OLDER_BITS, EIGHT}),
    ],
)
def test_what_is_proposed(release: str, config: dict[str, Any], expected: set[str]) -> None:
    assert proposed(planner(release, **config)) == expected


@each(
    ("config", "starts", "expected"),
    [
        ({}, FOUR_GPUS, True),
        ({"deepspeed": "zero2"}, FOUR_GPUS, True),
        ({"deepspeed": "zero3"}, FOUR_GPUS, False),
        ({"fsdp": "fsdp2"}, FOUR_GPUS, False),
        ({**LORA, "quant_method": "bnb", "quant_bits": 4}, FOUR_GPUS, False),
        # DeepSpeed refuses one process with several GPUs.
        ({}, "swift sft train.yaml\n", False),
        ({}, "", True),
    ],
)
def test_zero(config: dict[str, Any], starts: str, expected: bool) -> None:
    made = planner(starts=starts, **config)
    assert (ZERO in proposed(made, 4)) is expected
    assert (ZERO in tried(made, 4)) is expected
    assert ZERO not in proposed(made, 1)


@each(
    ("config", "expected"),
    [
        ({}, {ADAPTER, BOTH, EIGHT, LIGER}),
        ({"gradient_checkpointing": False}, {ADAPTER, BOTH, EIGHT, LIGER, KEPT}),
        ({"torch_dtype": "float32"}, {ADAPTER, BOTH, EIGHT, LIGER, HALF}),
        (LORA, {BITS, LIGER}),
        ({"tuner_type": "adalora"}, {BOTH, LIGER}),
        ({**LORA, "quant_method": "bnb", "quant_bits": 4}, {LIGER}),
    ],
)
def test_what_is_tried(config: dict[str, Any], expected: set[str]) -> None:
    assert tried(planner(**config)) == expected


@each(
    ("config", "starts", "gpus", "steps"),
    [
        # Sixteen rows come together where nothing is written.
        ({}, FOUR_GPUS, 4, {1: 4, 2: 2}),
        ({"gradient_accumulation_steps": 2}, FOUR_GPUS, 4, {1: 8, 2: 4}),
        ({}, "swift sft train.yaml\n", 4, {1: 16, 2: 8}),
        ({"auto_find_batch_size": True}, FOUR_GPUS, 4, {}),
    ],
)
def test_fewer_rows(config: dict[str, Any], starts: str, gpus: int, steps: dict[int, int]) -> None:
    made = planner(starts=starts, per_device_train_batch_size=4, **config)
    assert isinstance(made, SwiftPlanner)
    found = {
        measure.changes[made.batch_key,]: measure.changes["gradient_accumulation_steps",]
        for choice in made.measures(gpus)
        for measure in choice
        if (made.batch_key,) in measure.changes
    }
    assert found == steps


def test_the_keys_of_a_release() -> None:
    newer, older = planner(), planner(OLD, batch_size=2)
    packed = planner(packing=True, packing_length=4096)
    assert isinstance(newer, SwiftPlanner)
    assert isinstance(older, SwiftPlanner)
    assert isinstance(packed, SwiftPlanner)
    assert newer.model_key == ("model",)
    assert (newer.batch_key, newer.length_key) == ("per_device_train_batch_size", "max_length")
    assert older.model_key == ("model_id_or_path",)
    assert older.batch_key == "batch_size"
    assert packed.length_key == "packing_length"


def test_in_a_script_they_are_options() -> None:
    made = of_script(
        f"NPROC_PER_NODE=2 swift sft --model {MODEL} --tuner_type full --dataset d --max_length 4096\n"
    )
    assert made is not None
    titles = {one.title for one in made.changes(2)}
    assert {"`--tuner_type lora`", "ZeRO-3 over 2 GPUs (`--deepspeed zero3`)"} <= titles


def test_advice_for_a_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        f"NPROC_PER_NODE=4 CUDA_VISIBLE_DEVICES=0,1,2,3 \\\nswift sft \\\n    --model {MODEL} \\\n"
        "    --tuner_type full \\\n    --torch_dtype bfloat16 \\\n    --dataset d.jsonl \\\n    --max_length 2048\n"
    )
    (tmp_path / "train.sh").write_text(text)
    monkeypatch.chdir(tmp_path)
    options = ("--gpu", "a100-40gb", "--target", f"ms-swift=={RELEASE}")
    result = run_cli("fit", "train.sh", "--advise", "--diff", *options)
    assert result.code == 0, result.err
    assert "+    --max_length 2048 --deepspeed zero3 --optim adamw_8bit" in result.out
    counted = run_cli("fit", "train.sh", *options)
    assert "on each of 4 GPUs" in counted.out
