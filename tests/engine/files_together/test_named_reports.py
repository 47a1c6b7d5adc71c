"""Reports on the files that a checked one names."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import run

CONFIG = """\
base_model: NousResearch/Llama-3.2-1B
datasets:
  - path: a/b
    type: alpaca
micro_batch_size: 2
learning_rate: 0.00001
num_epochs: 1
output_dir: ./out
deepspeed: zero.json
"""


def test_what_a_named_file_s_check_finds_in_a_third_one_is_there(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text(
        "deepspeed==0.14.0\ntransformers==4.40.0\ntorch==2.1.2\ntorchvision==0.15.2\n"
    )
    (tmp_path / "zero.json").write_text('{"zero_optimization": {"stage": 2}}\n')
    config = tmp_path / "train.yml"
    config.write_text(CONFIG)
    report = json.loads(run(str(config), "--format", "json").stdout)
    found = {
        (Path(file["path"]).name, one["range"]["start"]["line"])
        for file in report["files"]
        for one in file["diagnostics"]
        if one["code"] == "ENV840"
    }
    assert found == {("requirements.txt", 4)}
