"""A program that trains in a loop of its own compares nothing with DeepSpeed's settings."""

from __future__ import annotations

import pytest

from tests.linting import lint_in

CONFIG = (
    '{"model_name_or_path": "a/b", "stage": "sft", "do_train": true, "finetuning_type": "lora",'
    ' "dataset": "one", "template": "qwen3", "cutoff_len": 2048, "output_dir": "out", "deepspeed": "ds.json"}'
)
LOADS = (
    'import json\nfrom loops import Trainer\nTrainer(json.load(open("./configs/{name}"))).train()\n'
)


@pytest.mark.parametrize(
    ("name", "loop", "expected"),
    [
        ("train.json", "import accelerate\nclass Trainer:\n    pass\n", []),
        ("train.json", "from transformers import Trainer\n", ["DST563"]),
        ("train.json", "from trl import (\n    DPOConfig,\n    DPOTrainer,\n)\n", ["DST563"]),
        ("other.json", "import accelerate\nclass Trainer:\n    pass\n", ["DST563"]),
    ],
)
def test_who_compares(name: str, loop: str, expected: list[str]) -> None:
    files = {
        ".git/HEAD": "",
        "tune.py": LOADS.format(name=name),
        "loops.py": loop,
        "configs/ds.json": '{"zero_optimization": {"stage": 2}, "fp16": {"enabled": true}}',
    }
    found = lint_in(files, CONFIG, name="configs/train.json", framework="llamafactory")
    assert [one.code for one in found if one.code == "DST563"] == expected
