"""A schedule in DeepSpeed's settings that takes the place of the trainer's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

FILE = "model_name_or_path: a/b\ndataset_name: a/c\nlearning_rate: 0.0001\ndeepspeed: ds.json\n{}"


@pytest.mark.parametrize(
    ("own", "scheduler", "is_found"),
    [
        ("lr_scheduler_type: cosine", {"type": "WarmupLR"}, True),
        ("lr_scheduler_type: constant_with_warmup", {"type": "WarmupDecayLR"}, True),
        ("lr_scheduler_type: linear", {"type": "OneCycle"}, True),
        ("lr_scheduler_type: linear", {"type": "WarmupDecayLR"}, False),
        ("lr_scheduler_type: constant", {"type": "WarmupLR"}, False),
        ("lr_scheduler_type: cosine", {"type": "WarmupCosineLR"}, False),
        ("lr_scheduler_type: polynomial", {"type": "WarmupDecayLR"}, False),
        (
            "lr_scheduler_type: polynomial\nlr_scheduler_kwargs: {power: 2}",
            {"type": "WarmupDecayLR"},
            True,
        ),
        ("lr_scheduler_type: cosine_with_restarts", {"type": "WarmupCosineLR"}, False),
        ("", {"type": "WarmupLR"}, False),
        # One of torch's, or of the project.
        ("lr_scheduler_type: cosine", {"type": "CosineAnnealingLR"}, False),
        ("lr_scheduler_type: cosine", {"params": {}}, False),
        ("lr_scheduler_type: cosine", None, False),
    ],
)
def test_schedules(own: str, scheduler: object, *, is_found: bool, tmp_path: Path) -> None:
    (tmp_path / "sft.yaml").write_text(FILE.format(own))
    settings: dict[str, object] = {"zero_optimization": {"stage": 2}}
    if scheduler is not None:
        settings["scheduler"] = scheduler
    (tmp_path / "ds.json").write_text(json.dumps(settings))
    out = run("--format", "concise", str(tmp_path / "sft.yaml")).out
    assert ("DST867" in out) is is_found
