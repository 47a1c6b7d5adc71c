"""Nothing is said of a key that the oldest known release has: the history does not tell when it came."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

PROGRAM = """\
from trl import SFTConfig, SFTTrainer

args = SFTConfig(output_dir="out", warmup_ratio=0.1, bf16=True{more})
SFTTrainer(model="Qwen/Qwen2-0.5B", args=args).train()
"""


@pytest.mark.parametrize(
    ("more", "pins", "found"),
    [
        ("", "transformers==4.29.0.dev0\n", []),
        ("", "transformers==4.31.0\n", []),
        # With which later release one came is known.
        (', eval_strategy="no"', "transformers==4.31.0\n", ["KEY006"]),
        ('', "trl==0.7.4\n", []),
    ],
)  # fmt: skip
def test_programs(
    more: str, pins: str, found: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("requirements.txt").write_text(pins)
    Path("train.py").write_text(PROGRAM.format(more=more))
    codes = [one.code for one in lint_file("train.py").diagnostics if one.code.startswith("KEY")]
    assert codes == found


@pytest.mark.parametrize(
    ("name", "text", "target"),
    [
        ("ds.json", '{"train_batch_size": 8, "zero_optimization": {"stage": 2}}', "deepspeed==0.6.0"),
        ("run.yaml", "compute_environment: LOCAL_MACHINE\nnum_processes: 2\n", "accelerate==0.15.0"),
        ("sft.yaml", "model_name_or_path: a/b\ndataset_name: a/c\npacking: true\n", "trl==0.7.0"),
    ],
)  # fmt: skip
def test_configs(
    name: str, text: str, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text)
    assert "KEY006" not in [one.code for one in lint_file(name, target=[target]).diagnostics]
