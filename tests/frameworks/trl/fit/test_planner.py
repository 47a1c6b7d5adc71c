"""The changes that are proposed where a run of TRL does not fit."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.trl.fit.planner import TrlPlanner
from tests.draws import each
from tests.frameworks.trl.fit.test_trl_run import planner

DTYPE, OLDER = "`dtype: bfloat16`", "`torch_dtype: bfloat16`"
ADAPTER, BITS, BOTH = (
    "`use_peft: true`",
    "`load_in_4bit: true`",
    "`use_peft: true` and `load_in_4bit: true`",
)
LATER = "`use_peft` with `load_in_4bit: true`"
EIGHT, PAGED = "`optim: adamw_8bit`", "`optim: paged_adamw_8bit`"
ONE = "`per_device_train_batch_size: 1`"
LAYERS = "`gradient_checkpointing: true`"
LIGER = "`use_liger_kernel: true`"


def planned(release: str = "1.9.0", **config: Any) -> TrlPlanner:
    found = planner("sft", release, **config)
    assert isinstance(found, TrlPlanner)
    return found


@each(
    ("release", "config", "expected"),
    [
        ("1.9.0", {}, [ADAPTER, EIGHT, PAGED, BOTH]),
        ("1.9.0", {"dtype": "float32"}, [DTYPE, ADAPTER, EIGHT, PAGED, BOTH]),
        ("1.9.0", {"dtype": "float16"}, [ADAPTER, EIGHT, PAGED, BOTH]),
        ("0.24.0", {"dtype": "-"}, [DTYPE, ADAPTER, EIGHT, PAGED, BOTH, LIGER]),
        ("0.23.0", {"dtype": "-"}, [OLDER, ADAPTER, EIGHT, PAGED, BOTH, LAYERS, LIGER]),
        ("1.9.0", {"gradient_checkpointing": False}, [ADAPTER, EIGHT, PAGED, BOTH, LAYERS]),
        ("1.9.0", {"optim": "adamw_8bit"}, [ADAPTER, PAGED, BOTH]),
        ("1.9.0", {"use_peft": True}, [BITS]),
        ("1.9.0", {"use_peft": True, "load_in_4bit": True}, []),
        ("1.9.0", {"load_in_4bit": True}, [ADAPTER, EIGHT, PAGED]),
        ("1.9.0", {"per_device_train_batch_size": 2}, [ADAPTER, EIGHT, PAGED, BOTH, ONE]),
        ("1.9.0", {"per_device_train_batch_size": 1}, [ADAPTER, EIGHT, PAGED, BOTH]),
    ],
)
def test_what_is_tried(release: str, config: dict[str, Any], expected: list[str]) -> None:
    assert [title for title, _ in planned(release, **config).alternatives(1)] == expected


@each(
    ("release", "config", "expected"),
    [
        ("1.9.0", {"loss_type": "nll"}, [LIGER, ADAPTER, LATER]),
        ("0.16.0", {}, [LIGER, OLDER, ADAPTER, LATER]),
        ("0.15.0", {}, [OLDER, ADAPTER, LATER]),
        ("1.9.0", {"loss_type": "nll", "use_liger_kernel": True}, [ADAPTER, LATER]),
        ("1.9.0", {"dtype": "float32"}, [DTYPE, ADAPTER, LATER]),
        ("1.9.0", {"use_peft": True}, [BITS]),
        ("1.9.0", {"use_peft": True, "load_in_4bit": True}, []),
    ],
)
def test_what_is_measured(release: str, config: dict[str, Any], expected: list[str]) -> None:
    told = [one.title for choice in planned(release, **config).measures(1) for one in choice]
    assert [
        title for title in told if title in (LIGER, OLDER, DTYPE, ADAPTER, BITS, LATER)
    ] == expected


@each(
    ("config", "expected"),
    [
        (
            {},
            {
                "use_peft": True,
                "lora_r": 16,
                "lora_alpha": 32,
                "lora_target_modules": ["all-linear"],
            },
        ),
        ({"use_peft": True}, {}),
    ],
)
def test_what_an_adapter_is_written_as(config: dict[str, Any], expected: dict[str, Any]) -> None:
    measures = [one for choice in planned(**config).measures(1) for one in choice]
    (found,) = (one for one in measures if one.title in (BITS, LATER))
    written = {".".join(map(str, path)): value for path, value in found.changes.items()}
    assert written == {"load_in_4bit": True, "load_in_8bit": None, **expected}


@each(
    ("config", "key"),
    [
        ({}, "max_length"),
        ({"max_seq_length": 512}, "max_seq_length"),
        ({"max_length": 512}, "max_length"),
    ],
)
def test_the_key_of_the_length(config: dict[str, Any], key: str) -> None:
    assert planned(**config).length_key == key
