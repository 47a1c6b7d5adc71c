"""Programs that not all releases have."""

from __future__ import annotations

from pathlib import Path

from cfglint.frameworks.verl.derived import is_released
from tests.cli.running import run
from tests.draws import each


@each(
    ("program", "release", "has"),
    [
        ("verl.trainer.main_ppo_sync", "0.7.1", False),
        ("verl.trainer.main_ppo_sync", "0.8.0", True),
        ("verl.trainer.main_ppo_sync", "0.9.0", False),
        ("verl.trainer.sft_trainer", "0.9.0", True),
        ("verl.trainer.main_ppo", "0.4.0", True),
    ],
)
def test_the_releases_of_a_program(program: str, release: str, has: bool) -> None:
    assert is_released(program, release) is has


def test_a_program_without_a_successor_ends_the_message(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text("python3 -m verl.trainer.main_ppo_sync data.train_files=a.parquet\n")
    found = run(str(script), "--isolated", "--format", "concise", "--target", "verl==0.7.0").out
    assert "VRL082" in found
    assert "no module of that name." in found
    assert "not set" not in found
