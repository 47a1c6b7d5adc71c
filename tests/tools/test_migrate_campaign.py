"""The campaign that migrates files sees what no step declares."""

from __future__ import annotations

from pathlib import Path

from cfglint.source.text import SourceText
from tools.campaigns.migrate import _unlike, judge

BEFORE = "base_model: a/b\n# speed\nflash_attention: true\nlearning_rate: 0.1\n"
AFTER = BEFORE.replace("flash_attention: true", "attn_implementation: flash_attention_2")


def test_a_migrated_file_is_in_order(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_text(BEFORE, encoding="utf-8")
    verdict = judge((path, "0.21.0"), tmp_path / "out")
    assert verdict.problems == ()
    assert verdict.counts["safe steps"] == 1
    (written,) = (tmp_path / "out" / "0.21.0" / "safe").iterdir()
    assert written.read_text(encoding="utf-8") == AFTER


def test_what_is_not_declared_is_told() -> None:
    texts = SourceText.from_str(BEFORE), SourceText.from_str(AFTER.replace("0.1", "0.2"))
    problems = list(_unlike(*texts, (), "0.21.0", "safe"))
    assert "safe: the value of learning_rate is different" in problems
    assert "safe: the line 'learning_rate: 0.2' is not part of a declared key" in problems
    assert "safe: the line 'flash_attention: true' is not part of a declared key" in problems
