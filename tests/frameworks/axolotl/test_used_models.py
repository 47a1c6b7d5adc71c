"""A config that no command trains with needs no data."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

CONFIG = """\
base_model: Qwen/Qwen3-8B
adapter: lora
lora_model_dir: ./out
sequence_len: 2048
micro_batch_size: 1
num_epochs: 1
learning_rate: 0.0002
"""
USE = "python3 -m axolotl.cli.inference examples/mine/use.yml --lora_model_dir ./out\n"


@pytest.mark.parametrize(
    ("script", "page", "needs_data"),
    [
        ("", "", True),
        (USE, "", False),
        ("axolotl inference use.yml\n", "", False),
        ("", f"Then:\n```\n{USE}```\n", False),
        (USE, "Start `accelerate launch -m axolotl.cli.train use.yml` first.\n", True),
        (USE.replace("use.yml", "other.yml"), "", True),
        ("axolotl preprocess use.yml\n", "", True),
    ],
)
def test_what_only_uses_a_model(script: str, page: str, needs_data: bool, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "use.yml").write_text(CONFIG)
    (tmp_path / "run.sh").write_text(script)
    (tmp_path / "README.md").write_text(page)
    codes = [one.code for one in lint_file(tmp_path / "use.yml", framework="axolotl").diagnostics]
    assert ("DAT102" in codes) is needs_data
