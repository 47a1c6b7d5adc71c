"""A DeepSpeed file that is checked on its own account, for the release that goes with what names it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import run

CONFIG = (
    "model_name_or_path: a/b\nstage: sft\ndo_train: true\nfinetuning_type: lora\ntemplate: qwen\n"
    "dataset: tickets\noutput_dir: out\nbf16: true\ndeepspeed: ds.json\n"
)


def targets(folder: Path, release: str, keys: str = "") -> tuple[dict[str, str], list[str]]:
    (folder / ".git").mkdir(exist_ok=True)
    (folder / "requirements.txt").write_text(f"llamafactory=={release}\n", encoding="utf-8")
    (folder / "train.yaml").write_text(CONFIG, encoding="utf-8")
    (folder / "ds.json").write_text(
        f'{{"train_micro_batch_size_per_gpu": "auto", {keys}"zero_optimization": {{"stage": 2}}}}',
        encoding="utf-8",
    )
    done = json.loads(run(str(folder), "--format", "json").out)
    of_deepspeed = next(one for one in done["files"] if one["path"].endswith("ds.json"))
    codes = [hit["code"] for hit in of_deepspeed["diagnostics"]]
    return of_deepspeed["target"]["deepspeed"], codes


def test_the_release_is_that_of_the_config(tmp_path: Path) -> None:
    target, _ = targets(tmp_path, "0.9.3")
    assert (target["range"], target["from"]) == (
        ">=0.10.0,<=0.16.9",
        "pinned by llamafactory 0.9.3",
    )


def test_a_file_that_nothing_names_has_the_newest(tmp_path: Path) -> None:
    targets(tmp_path, "0.9.3")
    (tmp_path / "train.yaml").write_text(CONFIG.replace("ds.json", "other.json"), encoding="utf-8")
    done = json.loads(run(str(tmp_path), "--format", "json").out)
    one = next(one for one in done["files"] if one["path"].endswith("ds.json"))
    assert "pinned by" not in str(one["target"])


def test_findings_are_not_doubled(tmp_path: Path) -> None:
    _, codes = targets(tmp_path, "0.9.3", '"zero_optimisation": {}, ')
    assert codes.count("KEY001") == 1
