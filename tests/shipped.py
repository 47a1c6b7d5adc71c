"""The rules of this checkout, read once by each process that runs tests."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from cfglint.knowledge.compiling.loading import RuleFile, load_rules

RULES = Path(__file__).parents[1] / "rules"
#: The folders of rule files, as `axolotl/packing`. Tests of each rule go through them one by one: a test
#: for each rule would take longer to be made than to run.
FAMILIES = sorted({f"{path.parts[-3]}/{path.parts[-2]}" for path in RULES.glob("*/*/*.yaml")})


@cache
def shipped_rules() -> tuple[RuleFile, ...]:
    """Every rule with its file, in the order of their codes."""
    return tuple(load_rules(RULES))


def codes_of(checks: Iterable[str]) -> tuple[str, ...]:
    """The rules that some checks of a module decide."""
    wanted = set(checks)
    found = tuple(file.rule.code for file in shipped_rules() if file.rule.check in wanted)
    assert found
    return found
