"""The bound and the estimate against published measurements: the bound is never more."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from typing import Any

from cfglint.runs.memory.estimate import SPREAD, estimate
from cfglint.runs.memory.run import GIB
from tests.draws import each
from tests.frameworks.axolotl.fit.planning import gigabytes, run

ROWS: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("measured.json").read_text(encoding="utf-8")
)


def ratio(row: dict[str, Any]) -> float:
    return gigabytes(row.get("gpus", 1), **row["config"]) / float(row["gib"])


@each("row", ROWS)
def test_never_more_than_was_measured(row: dict[str, Any]) -> None:
    assert 0.2 < ratio(row) < 1


def test_most_of_it_is_certain() -> None:
    assert median(map(ratio, ROWS)) >= 0.6


def test_most_measurements_are_within_the_limits_of_the_estimate() -> None:
    ratios = []
    for row in ROWS:
        told = run(row.get("gpus", 1), **row["config"])
        found = None if told is None else estimate(told)
        if found is not None and "gradient_checkpointing" in row["config"]:
            ratios.append(found.likely / GIB / float(row["gib"]))
    assert len(ratios) >= 8
    assert sum(1 / SPREAD <= ratio <= SPREAD for ratio in ratios) / len(ratios) >= 0.75, ratios
    assert median(abs(ratio - 1) for ratio in ratios) <= 0.12
