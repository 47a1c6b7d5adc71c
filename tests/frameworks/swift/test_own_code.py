"""Copies of ms-swift with arguments of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run

COMMAND = "swift sft --model Qwen/Qwen3-8B --dataset d.jsonl --own_argument 1 --train_type full\n"


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("swift/arguments/sft_args.py", False),
        ("swift/llm/argument/base_args/a.py", False),
        ("swift/llm/utils/argument.py", False),
        ("swift/llm/utils/other.py", True),
        ("other/sft_args.py", True),
    ],
)
def test_a_copy_has_arguments_of_its_own(tmp_path: Path, place: str, expected: bool) -> None:
    (tmp_path / ".git").mkdir()
    path = tmp_path / place
    path.parent.mkdir(parents=True)
    path.write_text("class Arguments:\n    own_argument: int = 0\n    train_type: str = 'lora'\n")
    (tmp_path / "jobs").mkdir()
    script = tmp_path / "jobs" / "train.sh"
    script.write_text(COMMAND)
    out = run("--format", "json", "--min-confidence", "low", str(script)).out
    assert ("KEY001" in out) is expected
    assert ("KEY005" in out) is expected
    # A release that is asked for is another one than the copy.
    out = run("--format", "json", "--target", "ms-swift==3.8.0", str(script)).out
    assert "KEY001" in out


def test_a_file_in_the_place_of_a_copy_is_none(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "swift").mkdir()
    (tmp_path / "swift" / "trainers").write_text("own_argument")
    script = tmp_path / "train.sh"
    script.write_text(COMMAND)
    found = run("--format", "json", "--min-confidence", "low", str(script))
    assert "KEY001" in found.out
    assert "said nothing about the file" not in found.out
