"""What is known of the model that a file of TRL names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

CONFIG = """\
model_name_or_path: {}
dataset_name: trl-lib/Capybara
output_dir: out
use_peft: true
"""


def found(folder: Path, model: str) -> list[str]:
    (folder / ".git").mkdir(exist_ok=True)
    (folder / "sft.yaml").write_text(CONFIG.format(model))
    options = ("--format", "json", "--select", "TRL480", "--target", "trl==1.9.0")
    report = json.loads(run(str(folder / "sft.yaml"), *options).out)
    return [hit["code"] for file in report["files"] for hit in file["diagnostics"]]


@pytest.mark.parametrize(
    ("model", "codes"),
    [
        ("Qwen/Qwen3-30B-A3B", ["TRL480"]),
        ("Qwen/Qwen3-0.6B", []),
        ("somebody/of-no-known-name", []),
    ],
)
def test_a_model_is_known_by_its_name(tmp_path: Path, model: str, codes: list[str]) -> None:
    assert found(tmp_path, model) == codes


@pytest.mark.parametrize(("kind", "codes"), [("phi3", ["TRL480"]), ("llama", [])])
def test_the_files_of_a_model_outweigh_its_name(
    tmp_path: Path, kind: str, codes: list[str]
) -> None:
    (tmp_path / "Qwen3-30B-A3B").mkdir()
    (tmp_path / "Qwen3-30B-A3B" / "config.json").write_text(json.dumps({"model_type": kind}))
    assert found(tmp_path, "./Qwen3-30B-A3B") == codes
