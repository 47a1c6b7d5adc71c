"""Fixes keep the line endings of a file, whatever framework it is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run

#: File -> text with something to fix, and a line that the fix makes.
FILES = {
    "llamafactory.yaml": (
        "model_name_or_path: m\nstage: sft\ntemplate: qwen\ndataset: d\nfinetuning_type: lora\n"
        "output_dir: out  # kept\nlora_r: 8\nsequence_len: 512\n",
        "lora_rank: 8",
    ),
    "llamafactory-v1.yaml": (
        "model: m\ntrain_dataset: d.yaml\ndist_config:\n  name: fsdp2\noutput_dir: out  # kept\n"
        "per_device_train_batch_size: 2\n",
        "micro_batch_size: 2",
    ),
    "trl.yaml": (
        "model_name_or_path: m\ndataset_name: d\noutput_dir: out  # kept\n"
        "sequence_len: 512\nlora_rank: 8\nuse_peft: true\n",
        "max_length: 512",
    ),
    "accelerate.yaml": (
        "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU  # kept\n"
        "num_machines: 1\nmaster_port: 29500\n",
        "main_process_port: 29500",
    ),
    "deepspeed.json": (
        '{\n  "zero_optimization": {\n    "stage": 2\n  },\n'
        '  "per_device_train_batch_size": 4\n}\n',
        '"train_micro_batch_size_per_gpu": 4',
    ),
    "accessory.sh": (
        "# kept\ntorchrun --nproc_per_node=8 main_finetune.py --llama_type llama --epochs 1"
        " --pretrained_path a --data_config d.yaml --cutoff_len 512\n",
        "--max_words 512",
    ),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_line_endings_are_kept(tmp_path: Path, name: str, end: str) -> None:
    text, line = FILES[name]
    config = tmp_path / name
    config.write_bytes(text.replace("\n", end).encode())
    run("--fix", "--isolated", str(config))
    fixed = config.read_bytes().decode()
    assert line in fixed
    assert fixed.count("\r\n") == (fixed.count("\n") if end == "\r\n" else 0)
    assert ("# kept" in fixed) is ("# kept" in text)
