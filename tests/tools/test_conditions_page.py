"""The page about conditions is what the predicates and their docstrings say."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.knowledge.rules.predicates import PREDICATES, presence
from tools.conditions_page import Undocumented, page

ROOT = Path(__file__).parents[2]


def test_the_page_is_up_to_date() -> None:
    written = (ROOT / "docs" / "conditions.md").read_text(encoding="utf-8")
    assert written == page(), "run `python -m tools.conditions_page > docs/conditions.md`"


def test_every_predicate_has_a_row() -> None:
    assert [name for name in PREDICATES if f"\n| `{name}` | " not in page()] == []


def test_a_predicate_without_an_example_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence.truthy, "__doc__", "True.")
    with pytest.raises(Undocumented, match="truthy"):
        page()
