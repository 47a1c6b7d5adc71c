"""Formats of datasets that a project has itself."""

from __future__ import annotations

from pathlib import Path

from cfglint.api.linter import Linter
from cfglint.files.disk import Disk

CONFIG = "base_model: a/b\ndatasets:\n  - path: ./data/x.jsonl\n    type: tickets\n"


def codes(folder: Path) -> set[str]:
    path = folder / "train.yml"
    path.write_text(CONFIG, encoding="utf-8")
    found = Linter(framework="axolotl", files=Disk()).lint_file(path).diagnostics
    return {one.code for one in found}


def test_a_prompt_strategy_of_the_project(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "strategies").mkdir()
    assert "DAT209" in codes(tmp_path)
    module = tmp_path / "strategies/tickets.py"
    module.write_text("def load(tokenizer, cfg):\n    return None\n", encoding="utf-8")
    assert "DAT209" not in codes(tmp_path)
    # Any other module of that name is none.
    module.write_text("def sell():\n    return None\n", encoding="utf-8")
    assert "DAT209" in codes(tmp_path)
    module.rename(tmp_path / "strategies/receipts.py")
    assert "DAT209" in codes(tmp_path)
