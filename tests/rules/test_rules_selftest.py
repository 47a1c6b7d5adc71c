"""The shipped rules test themselves: every example of every rule file, and whole files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from cfglint.compiling.loading import RuleFile, load_rules
from cfglint.compiling.model import Example
from cfglint.engine.lint import lint_source
from cfglint.engine.selftest import example_failures, false_alarms, untested_problems
from cfglint.environment.environment import build_environment
from cfglint.framework import frameworks
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText

ROOT = Path(__file__).parents[2]
FILES = load_rules(ROOT / "rules")
EXAMPLES = [
    pytest.param(file, example, id=f"{file.rule.code}-{file.rule.name}-{number}")
    for file in FILES
    if file.rule.framework in ("any", *frameworks())
    for number, example in enumerate(file.rule.examples, 1)
]
BROKEN = sorted((ROOT / "fixtures" / "broken").glob("*.yml"))
AXOLOTL = Axolotl()
TARGET = build_environment(AXOLOTL.releases)


@pytest.mark.parametrize(("file", "example"), EXAMPLES)
def test_example(file: RuleFile, example: Example) -> None:
    assert list(example_failures(file, example)) == []


def test_every_reading_problem_has_a_rule() -> None:
    assert untested_problems(ROOT / "rules") == []


def test_nothing_is_found_in_good_files() -> None:
    assert list(false_alarms(ROOT / "fixtures" / "good")) == []


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_broken_file(path: Path) -> None:
    source = SourceText.from_bytes(path.read_bytes())
    head = source.line(1)
    assert head.startswith("# expect: ")
    second = source.line(2)
    pins = second.removeprefix("# target: ").split() if second.startswith("# target: ") else []
    target = build_environment(AXOLOTL.releases, pins=pins)
    found = lint_source(source, AXOLOTL, target).diagnostics
    assert Counter(d.code for d in found) == Counter(head.removeprefix("# expect: ").split())


@pytest.mark.parametrize(
    "path", sorted((ROOT / "fixtures" / "hostile").glob("*.yml")), ids=lambda path: path.stem
)
def test_no_rule_fails_on_a_hostile_file(path: Path) -> None:
    try:
        source = SourceText.from_bytes(path.read_bytes())
    except SourceError:
        return
    found = lint_source(source, AXOLOTL, TARGET).diagnostics
    assert "rule-failed" not in [d.name for d in found]
