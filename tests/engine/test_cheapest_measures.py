"""How many combinations of measures `cfglint fit --advise` writes before it gives up."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from cfglint.engine import advice
from cfglint.engine.advice import Advisor


class Counting(Advisor):
    """Every measure would save enough, and none can be written."""

    def __init__(self) -> None:
        self._memory = 10
        self.written: list[Any] = []

    def _need(self, planner: Any, chosen: Any) -> Any:
        return SimpleNamespace(high=5, likely=4)

    def _written(self, measures: Any, now: Any) -> str:
        self.written.append(measures)
        return "it cannot be written"


def test_it_gives_up_after_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "combinations", iter)
    monkeypatch.setattr(advice, "_MOST_TRIED", 3)
    nothing: Any = None
    choices: list[Any] = [(number,) for number in range(9)]
    advisor = Counting()
    assert advisor._cheapest(nothing, choices, nothing) is None
    assert advisor.written == [(0,), (1,), (2,)]
