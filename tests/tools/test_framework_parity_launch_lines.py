"""Launch lines that are generated, and the words that bash makes of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tools.framework_parity import launch_lines

RULES = Path(__file__).resolve().parents[2] / "rules"


@pytest.mark.parametrize("framework", ["llamafactory", "trl"])
def test_generated_scripts_are_the_same_for_a_seed(framework: str) -> None:
    made = list(launch_lines.generate(framework, 20, 7, RULES))
    assert made == list(launch_lines.generate(framework, 20, 7, RULES))
    assert len({text for _, text, _ in made}) == 20


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize("framework", ["llamafactory", "trl"])
def test_our_words_are_those_of_bash(framework: str, tmp_path: Path) -> None:
    folder, out = tmp_path / "scripts", tmp_path / "words.jsonl"
    arguments = [framework, str(folder), "--count", "25", "--seed", "3", "--rules", str(RULES)]
    assert launch_lines.main(["generate", *arguments]) == 0
    assert launch_lines.main(["words", str(folder), "--out", str(out)]) == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 25
    assert all(row["same"] and row["known"] for row in rows)
