"""The names of DeepSpeed settings of before 3.0."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import run
from tests.draws import each

OLD = "swift sft --model_id_or_path Qwen/Qwen2.5-7B-Instruct --sft_type lora --dataset a/b --deepspeed {}\n"


def codes(path: Path, *options: str) -> list[str]:
    out = run(str(path), "--format", "agent", *options).out
    return [line.split()[1] for line in out.splitlines() if line.startswith(str(path))]


def test_all_problems_of_a_command_of_before_are_reported_at_once(tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_text(OLD.format("default-zero2"))
    assert codes(path, "--target", "ms-swift==3.3.0") == ["KEY005", "KEY005", "SWF012"]
    # For a release of before, or one that nothing states, the name is right beside such options.
    assert codes(path, "--target", "ms-swift==2.6.1") == []
    assert codes(path) == []


@each(
    ("name", "now"),
    [
        ("default-zero2", "zero2"),
        ("default-zero3", "zero3"),
        ("zero2-offload", "zero2_offload"),
        ("zero3-offload", "zero3_offload"),
    ],
)
def test_the_same_settings_have_another_name(name: str, now: str) -> None:
    command = "swift sft --model Qwen/Qwen2.5-7B --dataset a/b --deepspeed {}\n"
    options = ("-", "--stdin-filename", "run.sh", "--isolated", "--target", "ms-swift==4.6.0")
    fixed = run(*options, "--fix", stdin=command.format(name).encode())
    assert fixed.out == command.format(now)
