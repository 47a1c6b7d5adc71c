"""What a file needs, and has a key for without a value."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import run

CONFIG = """\
model_name_or_path: Qwen/Qwen3-0.6B
stage: sft
do_train: true
finetuning_type: lora
template: qwen3
{dataset}output_dir: out
"""


def severities(folder: Path, dataset: str, *paths: str) -> list[str]:
    (folder / "sft.yaml").write_text(CONFIG.format(dataset=dataset), encoding="utf-8")
    done = run("--format", "json", *(str(folder / path) for path in paths or (".",)))
    found = [one for file in json.loads(done.out)["files"] for one in file["diagnostics"]]
    return [one["severity"] for one in found if "needs a `dataset`" in one["message"]]


def test_a_blank_is_for_others_to_fill_in(tmp_path: Path) -> None:
    assert severities(tmp_path, "dataset:\n") == ["note"]
    # Who names the file wants to start it.
    assert severities(tmp_path, "dataset:\n", "sft.yaml") == ["error"]


def test_what_is_not_there_at_all(tmp_path: Path) -> None:
    assert severities(tmp_path, "") == ["error"]


def test_a_switch_that_is_off_is_no_blank(tmp_path: Path) -> None:
    text = CONFIG.format(dataset="dataset: identity\n")
    text += "load_best_model_at_end: true\neval_strategy:\n"
    (tmp_path / "sft.yaml").write_text(text, encoding="utf-8")
    found = json.loads(run("--format", "json", str(tmp_path)).out)["files"][0]["diagnostics"]
    about = [one["severity"] for one in found if "`eval_strategy`" in one["message"]]
    assert set(about) == {"error"}
