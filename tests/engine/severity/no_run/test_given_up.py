"""What is found in projects that their pages call archived."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

CONFIG = """\
base_model: Qwen/Qwen3-8B
datasets:
  - path: ./data/tickets.jsonl
    type: alpaca
sequence_len: 2048
micro_batch_size: 2
num_epochs: 3
learning_rate: 0.00001
logging_steps: often
output_dir: ./out
"""


def severities(folder: Path, page: str, *paths: str) -> list[str]:
    (folder / ".git").mkdir()
    (folder / "README.md").write_text(page, encoding="utf-8")
    (folder / "requirements.txt").write_text("axolotl==0.16.0\n", encoding="utf-8")
    (folder / "train.yml").write_text(CONFIG, encoding="utf-8")
    done = run("--format", "json", *(str(folder / path) for path in paths or (".",)))
    found = [one for file in json.loads(done.out)["files"] for one in file["diagnostics"]]
    return [one["severity"] for one in found if one["code"] == "TYP001"]


@pytest.mark.parametrize(
    "page",
    [
        "# Mine\n\n> **This repository is archived.** See the other one.\n",
        "# [ARCHIVED] Mine\n",
        "This project has been moved to another account.\n",
    ],
)
def test_it_is_given_up(tmp_path: Path, page: str) -> None:
    assert severities(tmp_path, page) == ["note"]


@pytest.mark.parametrize(
    ("page", "paths"),
    [
        ("# Mine\n\nArchived runs are in `runs/`.\n", ()),
        ("# Mine\n\nThe old repository is archived.\n", ()),
        ("This repository is archived.\n", ("train.yml",)),
    ],
)
def test_it_is_not(tmp_path: Path, page: str, paths: tuple[str, ...]) -> None:
    assert severities(tmp_path, page, *paths) == ["error"]
