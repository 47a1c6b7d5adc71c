"""What a search leaves out, and the summary counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

PROGRAM = """\
import yaml
from trl import SFTConfig

with open("train.yaml") as file:
    config = yaml.safe_load(file)
args = SFTConfig(**config["training"])
"""


@pytest.mark.parametrize(("key", "expected"), [("max_sequence_length", None), ("max_steps", 1)])
def test_a_file_that_is_checked_with_a_program_is_not_left_out(
    tmp_path: Path, key: str, expected: int | None
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(PROGRAM)
    (tmp_path / "train.yaml").write_text(f"training:\n  output_dir: out\n  {key}: 1\n")
    told = json.loads(run("--format", "json", str(tmp_path)).out)
    paths = [Path(one["path"]).name for one in told["files"] if one["diagnostics"]]
    assert ("train.yaml" in paths) is (expected is None)
    assert told.get("left_out", {}).get("no training config") == expected
