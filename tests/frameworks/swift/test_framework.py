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


def test_what_a_run_of_2_has_written_is_no_config(tmp_path: Path) -> None:
    record: dict[str, object] = {
        "model_type": "a",
        "model_id_or_path": "a/b",
        "sft_type": "lora",
        "dataset": ["a"],
    }
    record |= {"lora_rank": 8, "template_type": "x", "local_rank": -1, "world_size": 1}
    (tmp_path / "sft_args.json").write_text(json.dumps({**record, "training_args": {}}))
    assert json.loads(run("--format", "json", str(tmp_path)).out)["files"] == []


def test_what_lies_among_the_results_of_a_run_is_not_looked_at_in_a_search(tmp_path: Path) -> None:
    settings = {"model": "a/b", "tuner_type": "lora", "dataset": ["a"], "global_wrld_size": 1}
    settings |= {"lora_rank": 8, "torch_dtype": "bfloat16", "split_dataset_ratio": 0.1}
    for name in ("checkpoint-40", "done", "mine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(json.dumps(settings))
    (tmp_path / "done" / "trainer_state.json").write_text("{}")
    (tmp_path / "mine" / "checkpoint-40").mkdir()
    files = json.loads(run("--format", "json", str(tmp_path)).out)["files"]
    assert [Path(file["path"]).parent.name for file in files] == ["mine"]
    named = str(tmp_path / "done" / "config.json")
    assert json.loads(run("--format", "json", named).out)["files"][0]["diagnostics"]


def test_a_copy_elsewhere_is_not_what_runs_where_a_page_installs_the_newest(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name in ("ms-swift-2.4.2/swift", "tools"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "ms-swift-2.4.2" / "swift" / "version.py").write_text('__version__ = "2.4.2"\n')
    (tmp_path / "tools" / "run.sh").write_text(
        "swift sft --model_type llama3_2-11b-vision-instruct --dataset a --torch_dtype bfloat16\n"
    )
    page = tmp_path / "README.md"

    def codes() -> set[str]:
        files = json.loads(run("--format", "json", str(tmp_path)).out)["files"]
        return {one["code"] for file in files for one in file["diagnostics"]}

    page.write_text("Ours.\n")
    assert codes() == {"KEY006", "TYP002"}
    page.write_text("    pip install 'ms-swift[all]' -U\n")
    assert codes() == set()
