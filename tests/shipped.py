"""The rules of this checkout, read once by each process that runs tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from cfglint.compiling.loading import RuleFile, load_rules

RULES = Path(__file__).parents[1] / "rules"


@cache
def shipped_rules() -> tuple[RuleFile, ...]:
    """Every rule with its file, in the order of their codes."""
    return tuple(load_rules(RULES))
