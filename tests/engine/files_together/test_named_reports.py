"""Reports on the files that a checked one names."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import run

PROGRAM = """\
from transformers import HfArgumentParser, Trainer, TrainingArguments

(args,) = HfArgumentParser(TrainingArguments).parse_args_into_dataclasses()
Trainer(model=model, args=args, train_dataset=rows).train()
"""


def test_what_a_named_file_s_check_finds_in_a_third_one_is_there(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text(
        "deepspeed==0.14.0\ntransformers==4.40.0\ntorch==2.1.2\ntorchvision==0.15.2\n"
    )
    (tmp_path / "train.py").write_text(PROGRAM)
    (tmp_path / "zero.json").write_text(
        '{"train_micro_batch_size_per_gpu": "auto", "zero_optimization": {"stage": 2}}\n'
    )
    script = tmp_path / "run.sh"
    script.write_text(
        "torchrun --nproc_per_node 2 train.py --output_dir out --deepspeed zero.json\n"
    )
    report = json.loads(run(str(script), "--format", "json").stdout)
    found = {
        (Path(file["path"]).name, one["code"], one["range"]["start"]["line"])
        for file in report["files"]
        for one in file["diagnostics"]
        if one["severity"] != "note"
    }
    assert found == {("requirements.txt", "ENV840", 4)}
