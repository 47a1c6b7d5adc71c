"""Keys that no release has, in many files of a project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

COMMAND = "python3 -m openrlhf.cli.train_sft --pretrain a/b --dataset c/d --{} x\n"


@pytest.mark.parametrize(
    ("number", "requirement", "expected"),
    [(4, "", "error"), (5, "", "warning"), (5, "openrlhf==0.10.1\n", "error")],
)
def test_a_key_of_many_files_may_be_of_a_build(
    tmp_path: Path, number: int, requirement: str, expected: str
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text(requirement)
    for one in range(number):
        (tmp_path / f"{one}.sh").write_text(COMMAND.format("own_words"))
    files = json.loads(run("--format", "json", str(tmp_path)).out)["files"]
    found = [one for file in files for one in file["diagnostics"] if one["code"] == "KEY001"]
    assert {one["severity"] for one in found} == {expected}
    assert len(found) == number
