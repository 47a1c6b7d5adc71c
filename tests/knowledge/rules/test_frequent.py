"""Rules that speak on many real files say in their own file why that is right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint.knowledge.rules.knowledge import load_knowledge
from tools.campaigns.frequency import MARK, OFTEN, RECORDED, count, main, unjustified

KNOWLEDGE = load_knowledge("axolotl")


def test_every_recorded_rule_has_its_reason() -> None:
    recorded = json.loads(RECORDED.read_text())
    assert recorded["files"] > 200
    assert all(number > OFTEN * recorded["files"] for number in recorded["rules"].values())
    assert unjustified(recorded["files"], recorded["rules"], KNOWLEDGE) == []


def test_a_rule_without_a_reason_is_named() -> None:
    silent = next(
        rule.code for rule in KNOWLEDGE.all_rules() if MARK not in KNOWLEDGE.details(rule.code).why
    )
    assert unjustified(100, {silent: 3}, KNOWLEDGE) == [silent]
    assert unjustified(100, {silent: 2}, KNOWLEDGE) == []


def test_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yml").write_text(
        "base_model: a/b\nmicro_batch_size: 1\nmade_up_key: 1\nother_made_up_key: 2\n"
    )
    (tmp_path / "b.yml").write_text("base_model: a/b\nmicro_batch_size: 1\n")
    files, fired = count(tmp_path)
    assert (files, fired["KEY001"]) == (2, 1)
    main([str(tmp_path)])
    assert "KEY001  50.0%" in capsys.readouterr().out
