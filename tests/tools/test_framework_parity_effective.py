"""Comparing effective values with those that the arguments of a release hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.framework_parity.effective import leaves, main, recorded
from tools.framework_parity.worker.final_values import plain, values_of

SCRIPT = "torchrun main_finetune.py --llama_type llama --lr 2e-5 --llama_config {config}\n"
PINS = "llama2-accessory==2024.5.24"


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """Rows of three files: an accepted one, one whose values are open in part, a refused one."""
    named = {"a.sh": "a.json", "b.sh": "$CONFIG", "c.sh": "c.json"}
    for name, config in named.items():
        (tmp_path / name).write_text(SCRIPT.format(config=config), encoding="utf-8")
    from cfglint.answers.resolved.resolve import resolve
    from cfglint.environment.building import build_environment
    from cfglint.roles.framework import load_framework
    from cfglint.source.text import SourceText

    framework = load_framework("accessory")
    document = framework.language.read(SourceText((tmp_path / "a.sh").read_text("utf-8")))
    values = resolve(document, framework, build_environment(framework.releases)).data
    lines: list[dict[str, Any]] = [
        {"file": str(tmp_path / name), "ok": name != "c.sh", "values": values} for name in named
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_values_are_compared(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", PINS, str(rows)]) == 0
    said = capsys.readouterr().out
    assert "2 accepted, 2 equal (100.00 %), 0.5 undecided values a file" in said
    assert "undecided: llama_config 1" in said
    rows.write_text(rows.read_text("utf-8").replace('"lr": 2e-05', '"lr": 3'), encoding="utf-8")
    assert main(["compare", PINS, str(rows)]) == 1
    said = capsys.readouterr().out
    assert "     2 lr\n         2e-05 should be 3  a.sh" in said


def test_values_are_recorded(rows: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json.gz"
    assert main(["record", str(out), f"{PINS}={rows}"]) == 0
    first, second = recorded(out)
    assert first[0] == PINS
    assert first[1].endswith("/a.sh")
    assert first[3]["lr"] == second[3]["lr"] == 2e-5


def test_leaves() -> None:
    value = {"a": {"b": 1, "c": None, "d": {}}, "e": [{"f": None, "g": 2}]}
    assert dict(leaves(value)) == {"a.b": 1, "e": [{"g": 2}]}


def test_values_of_classes() -> None:
    from dataclasses import dataclass, field
    from enum import Enum

    class Strategy(Enum):
        NO = "no"

    @dataclass
    class Inner:
        x: int = 1

    @dataclass
    class Outer:
        strategy: Strategy = Strategy.NO
        inner: Inner = field(default_factory=Inner)
        made: int = field(default=2, init=False)

    assert values_of([Outer(), "rest"]) == {"strategy": "no", "inner": {"x": 1}}
    assert plain({1: (Strategy.NO, Path("a"))}) == {"1": ["no", "a"]}
