"""What ms-swift's own pages say that its runs took, beside what is certain of them and what is expected.

The figures are of its benchmark (docs/source_en/LLM/Benchmark.md, commit 46922151e06c): what torch had reserved at most, on
A100 with 80 GB, with texts of 3,234 tokens on average. Nothing is fitted to them.
"""

from __future__ import annotations

import json
from math import exp, log
from statistics import median
from typing import Any

from cfglint.runs.memory.estimate import SPREAD, estimate
from cfglint.runs.memory.run import GIB
from cfglint.runs.memory.terms import bound
from tests.runs.memory.planners import planner_of

RELEASE = "2.4.0"
LENGTHS = (512, 1024, 2048, 4096, 8192)
#: Hidden size, layers, inner size, heads, heads of keys and values, entries of the vocabulary. Qwen's first models differ from
#: Llama only in biases and names.
MODELS = {
    "Qwen-1.8B": (2048, 24, 5504, 16, 16, 151_936),
    "Qwen-7B": (4096, 32, 11_008, 32, 32, 151_936),
    "Qwen-14B": (5120, 40, 13_696, 40, 40, 151_936),
    "Qwen-72B": (8192, 80, 24_576, 64, 64, 151_936),
    "Yi-6B": (4096, 32, 11_008, 32, 4, 64_000),
    "Yi-34B": (7168, 60, 20_480, 56, 8, 64_000),
    "Zephyr-7B": (4096, 32, 14_336, 32, 8, 36_608),
}
FULL: dict[str, Any] = {"sft_type": "full"}
#: With a length of 512, 1,024, 2,048 and so on.
BY_LENGTH: list[tuple[str, dict[str, Any], tuple[float, ...]]] = [
    ("Qwen-1.8B", {}, (6.99, 10.71, 16.35, 23.80, 37.03)),
    ("Qwen-7B", {}, (18.01, 21.73, 27.74, 35.31, 48.41)),
    ("Qwen-14B", {}, (30.14, 34.43, 40.14, 47.95, 60.74)),
    ("Yi-6B", {}, (13.72, 15.44, 16.95, 28.25, 43.81)),
    ("Yi-34B", {}, (66.72, 69.10, 71.34, 78.72)),
    ("Zephyr-7B", {}, (14.99, 16.57, 19.89, 23.29, 52.14)),
    ("Qwen-1.8B", FULL, (18.16, 18.62, 35.11, 31.62, 38.93)),
    ("Qwen-7B", FULL, (73.37, 73.64, 74.26, 78.76)),
]
OTHERS: list[tuple[str, dict[str, Any], float]] = [
    *((name, {"quantization_bit": 4}, size) for name, size in
      (("Qwen-7B", 23.85), ("Qwen-14B", 30.05), ("Qwen-72B", 74.87))),
    *(("Qwen-7B", {"batch_size": rows}, size) for rows, size in
      ((2, 43.11), (4, 63.81), (8, 76.14))),
    ("Qwen-7B", {"gradient_checkpointing": False}, 37.70),
    ("Qwen-7B", {"target_modules": ["ALL"]}, 27.87),
    ("Qwen-7B", {"lora_rank": 64}, 27.85),
]  # fmt: skip
#: One process on two GPUs, the fuller of which is the figure.
ON_TWO: list[tuple[str, dict[str, Any], float]] = [
    ("Qwen-14B", FULL, 78.22),
    ("Qwen-72B", {"max_length": 512}, 73.07),
    ("Qwen-72B", {}, 78.54),
    ("Yi-34B", {"max_length": 8192}, 65.03),
    ("Qwen-7B", {**FULL, "max_length": 8192}, 73.00),
]


def rows() -> list[tuple[str, dict[str, Any], int, float]]:
    found = [
        (name, {**config, "max_length": length}, 1, size)
        for name, config, measured in BY_LENGTH
        for length, size in zip(LENGTHS, measured, strict=False)
    ]
    found += [(name, config, 1, size) for name, config, size in OTHERS]
    return found + [(name, config, 2, size) for name, config, size in ON_TWO]


def counted(name: str, config: dict[str, Any], gpus: int) -> tuple[float, float]:
    """GiB that are certain, and that are expected."""
    hidden, layers, inner, heads, pairs, vocabulary = MODELS[name]
    model = {
        "model_type": "llama",
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "intermediate_size": inner,
        "num_attention_heads": heads,
        "num_key_value_heads": pairs,
        "vocab_size": vocabulary,
    }
    written = {
        "model_id_or_path": "./model",
        "dataset": ["tickets"],
        "dtype": "bf16",
        "num_train_epochs": 1,
        "gradient_accumulation_steps": 16,
        "sft_type": "lora",
        **config,
    }
    devices = ",".join(map(str, range(gpus)))
    made = planner_of(
        "swift",
        RELEASE,
        written,
        script=f"CUDA_VISIBLE_DEVICES={devices} swift sft train.yaml\n".encode(),
        files={"model/config.json": json.dumps(model).encode()},
    )
    run, usual = made.run(gpus), made.usual(gpus)
    assert run is not None
    expected = None if usual is None else estimate(usual)
    assert expected is not None
    return bound(run).total / GIB, expected.likely / GIB


def test_no_bound_is_above_what_was_measured() -> None:
    every = [(row, counted(*row[:3])) for row in rows()]
    above = [row for row, (certain, _) in every if certain > row[3]]
    assert above == []
    errors = [abs(log(likely / row[3])) for row, (_, likely) in every]
    inside = sum(error <= log(SPREAD) for error in errors)
    # As docs/fit.md states.
    assert (len(every), inside, round(exp(median(errors)) - 1, 2)) == (52, 39, 0.12)
