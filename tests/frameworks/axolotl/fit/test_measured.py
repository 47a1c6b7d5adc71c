"""The bound against published measurements: it is never more."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from tests.frameworks.axolotl.fit.planning import gigabytes

ROWS: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("measured.json").read_text(encoding="utf-8")
)


def ratio(row: dict[str, Any]) -> float:
    return gigabytes(row.get("gpus", 1), **row["config"]) / float(row["gib"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["source"])
def test_never_more_than_was_measured(row: dict[str, Any]) -> None:
    assert 0.2 < ratio(row) < 1


def test_most_of_it_is_certain() -> None:
    assert median(map(ratio, ROWS)) >= 0.6
