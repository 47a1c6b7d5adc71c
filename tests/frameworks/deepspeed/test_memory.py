"""What DeepSpeed's settings make of a run's memory."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.deepspeed.memory import Reduction, reduction, step_bytes
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
