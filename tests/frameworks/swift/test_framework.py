"""Which files are ms-swift's."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import run


def test_what_a_run_has_written_is_no_config(tmp_path: Path) -> None:
    settings = {"model": "a/b", "tuner_type": "lora", "dataset": ["a"], "global_wrld_size": 1}
    settings |= {"lora_rank": 8, "torch_dtype": "bfloat16", "split_dataset_ratio": 0.1}
    (tmp_path / "config.json").write_text(json.dumps(settings))
    record = settings | {"global_world_size": 8, "model_dir": "/x", "training_args": "x"}
    (tmp_path / "args.json").write_text(json.dumps(record))
    files = json.loads(run("--format", "json", str(tmp_path)).out)["files"]
    assert [Path(file["path"]).name for file in files] == ["config.json"]
