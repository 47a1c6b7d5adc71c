"""Copies of a framework's own files, and what starts them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

#: As a framework publishes it, with a section that its release does not read.
PUBLISHED = (
    "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nnum_processes: 8\n"
    "fsdp_config:\n  fsdp_version: 2\nkt_config:\n  enabled: true\n"
)
COMMAND = "accelerate launch --config_file examples/kt.yaml train.py\n"


@pytest.mark.parametrize(
    ("name", "folded"),
    [("none.txt", True), ("README.md", True), ("docs/start.md", True), ("run.sh", False)],
)
def test_a_command_in_a_page_is_an_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, folded: bool
) -> None:
    monkeypatch.setattr(
        "cfglint.engine.severity.no_run.search.origin_of",
        lambda data: "LLaMA-Factory" if b"kt_config" in data else None,
    )
    (tmp_path / ".git").mkdir()
    for path, text in {"examples/kt.yaml": PUBLISHED, name: COMMAND}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    report = json.loads(run(str(tmp_path), "--format", "json").out)
    found = [one["code"] for file in report["files"] for one in file["diagnostics"]]
    assert ("ACC073" in found) is not folded


@pytest.mark.parametrize(("start", "told"), [("", False), ("axolotl train examples/a.yml\n", True)])
def test_what_an_example_that_nothing_starts_names_is_not_measured_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: str, told: bool
) -> None:
    monkeypatch.setattr(
        "cfglint.engine.severity.no_run.search.origin_of",
        lambda data: "Axolotl" if data.startswith(b"base_model") else None,
    )
    example = (
        "base_model: a/b\ndatasets: [{path: x.jsonl, type: alpaca}]\nmicro_batch_size: 2\n"
        "gradient_accumulation_steps: 2\nlearning_rate: 0.0002\noptimizer: adamw_bnb_8bit\n"
        "deepspeed: ds.json\n"
    )
    settings = '{"zero_optimization": {"stage": 2}, "optimizer": {"type": "AdamW"}}\n'
    (tmp_path / ".git").mkdir()
    (tmp_path / "examples").mkdir()
    for path, text in {"examples/a.yml": example, "ds.json": settings, "run.sh": start}.items():
        (tmp_path / path).write_text(text)
    report = json.loads(run(str(tmp_path), "--format", "json").out)
    found = [one["code"] for file in report["files"] for one in file["diagnostics"]]
    assert ("DST556" in found) is told


@pytest.mark.parametrize(
    ("name", "text", "folded"),
    [
        ("none.txt", "", True),
        ("run.sh", "python other.py\n", True),
        ("run.sh", "python dpo.py\n", False),
        ("more.py", "import dpo\n", False),
    ],
)
def test_an_example_program_is_run_where_something_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, folded: bool
) -> None:
    monkeypatch.setattr(
        "cfglint.engine.severity.no_run.search.origin_of",
        lambda data: "TRL" if data.startswith(b"from trl") else None,
    )
    (tmp_path / ".git").mkdir()
    program = "from trl import DPOConfig\n\nargs = DPOConfig(output_dir='out', made_up=1)\n"
    for path, own in {"dpo.py": program, name: text}.items():
        (tmp_path / path).write_text(own)
    report = json.loads(run(str(tmp_path), "--format", "json").out)
    found = [one["code"] for file in report["files"] for one in file["diagnostics"]]
    assert ("KEY001" in found) is not folded
