"""What DeepSpeed's settings make of a run's memory."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.deepspeed.memory import Reduction, reduction, step_bytes, zero_division
from tests.draws import each


@each(
    ("zero", "expected"),
    [
        ({"stage": 3, "reduce_bucket_size": 5e8}, Reduction(1_000_000_000, True)),
        ({"stage": 3, "reduce_bucket_size": "auto"}, Reduction(2 * 64 * 64, True)),
        ({"stage": 2, "reduce_bucket_size": 1000, "overlap_comm": True}, Reduction(4000, False)),
        # What is no number of parameters counts for nothing.
        ({"stage": 3, "reduce_bucket_size": "5e8"}, Reduction(0, True)),
        ({"stage": 3, "reduce_bucket_size": True}, Reduction(0, True)),
        ({"stage": 2, "reduce_bucket_size": -1}, Reduction(0, False)),
        ({"stage": 1}, Reduction(0, False)),
        (None, Reduction(0, False)),
    ],
)
def test_the_buffers_of_a_reduction(zero: Any, expected: Reduction) -> None:
    assert reduction({"zero_optimization": zero}, 64) == expected


@each(
    ("zero", "copies", "expected"),
    [
        ({"stage": 2}, True, 6.0),
        ({"stage": 2}, False, 4.0),
        ({"stage": 3, "sub_group_size": 50}, True, 4.0),
        ({"stage": 3, "sub_group_size": 50}, False, 3.0),
        ({"stage": 3, "sub_group_size": "auto"}, True, 0.0),
        ({"stage": 1}, True, 0.0),
    ],
)
def test_what_a_step_takes(zero: dict[str, Any], copies: bool, expected: float) -> None:
    assert step_bytes({"zero_optimization": zero}, 100.0, copies=copies) == expected


@each(
    ("zero", "gpus", "expected"),
    [
        ({"stage": 2}, 1, "ZeRO stage 2 on one GPU"),
        ({"stage": 2}, 2, "ZeRO stage 2 over 2 GPUs"),
        ({}, 4, "ZeRO stage 0 over 4 GPUs"),
        (
            {"stage": 3, "offload_param": {"device": "cpu"}},
            4,
            "ZeRO stage 3 over 4 GPUs, with parameters in the memory of the machine",
        ),
        (
            {
                "stage": 3,
                "offload_param": {"device": "cpu"},
                "offload_optimizer": {"device": "cpu"},
            },
            4,
            "ZeRO stage 3 over 4 GPUs, with parameters and states in the memory of the machine",
        ),
        ({"stage": 4}, 4, "DeepSpeed settings that are not known"),
        ({"stage": -1}, 4, "DeepSpeed settings that are not known"),
        ({"stage": "2"}, 4, "DeepSpeed settings that are not known"),
        ([], 4, "DeepSpeed settings that are not known"),
    ],
)
def test_what_is_said_of_a_division(zero: Any, gpus: int, expected: str) -> None:
    assert zero_division({"zero_optimization": zero}, gpus).because.text == expected


def test_a_file_that_cannot_be_read_is_named() -> None:
    assert "(`ds.json` cannot be read" in zero_division(None, 2, named="ds.json").because.text
