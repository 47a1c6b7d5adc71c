"""A sample of the campaign that types half lines."""

from __future__ import annotations

from pathlib import Path

from tools.campaigns.half_typed import COLON, IN_JSON, NEW_LINES, run

ROOT = Path(__file__).resolve().parents[2]


def test_half_lines_leave_the_other_findings_as_they_were() -> None:
    folder = ROOT / "docs" / "examples" / "run"
    outcomes = list(run([folder / "train.yml", folder / "ds_config.json"], 80, seed=2, show=80))
    assert [(one.lost, one.new) for one in outcomes] == [(0, 0)] * 80
    assert {one.typed.kind for one in outcomes} == {COLON, *NEW_LINES, *IN_JSON}
    completed = [one.completed for one in outcomes if one.completed is not None]
    assert completed
    assert all(completed)
