"""The page about shared rules is what the rules say."""

from __future__ import annotations

from pathlib import Path

from tools.rules_matrix import page

ROOT = Path(__file__).parents[2]


def test_the_page_is_up_to_date() -> None:
    written = (ROOT / "docs" / "rules-matrix.md").read_text(encoding="utf-8")
    assert written == page(), "run `python -m tools.rules_matrix > docs/rules-matrix.md`"
