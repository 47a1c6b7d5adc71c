"""The shipped rules test themselves: every example of every rule file, and whole files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from cfglint.engine.authoring.selftest import (
    example_failures,
    false_alarms,
    untested_problems,
)
from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.environment.building import build_environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tests.draws import each
from tests.rule_examples import wrong_examples
from tests.shipped import FAMILIES, shipped_rules

ROOT = Path(__file__).parents[3]
FILES = shipped_rules()
BROKEN = sorted((ROOT / "fixtures" / "broken").glob("*.yml"))
AXOLOTL = Axolotl()
TARGET = build_environment(AXOLOTL.releases)


def test_the_examples_of_a_framework_without_tests_of_its_own() -> None:
    tested = {path.parent.name for path in (ROOT / "tests/frameworks").glob("*/test_rules.py")}
    others = [one for one in FAMILIES if one.partition("/")[0] not in {*tested, "shared"}]
    assert not [one for one in others if wrong_examples(one)]


def test_an_example_tells_what_its_message_has() -> None:
    file = next(file for file in FILES if file.rule.code == "PAK201")
    example = next(example for example in file.rule.examples if example.says)
    other = example.model_copy(update={"says": "Turn it off and on again."})
    assert [said.startswith("says ") for said in example_failures(file, other)] == [True]


def test_what_fixes_lead_to_are_rules() -> None:
    codes = {file.rule.code for file in FILES}
    led_to = {code for file in FILES for fix in file.rule.fix for code in fix.leads_to}
    assert led_to
    assert led_to <= codes


def test_every_reading_problem_has_a_rule() -> None:
    assert untested_problems(FILES) == []


def test_nothing_is_found_in_good_files() -> None:
    assert list(false_alarms(ROOT / "fixtures" / "good")) == []


@each("path", BROKEN)
def test_broken_file(path: Path) -> None:
    source = SourceText.from_bytes(path.read_bytes())
    head = source.line(1)
    assert head.startswith("# expect: ")
    second = source.line(2)
    pins = second.removeprefix("# target: ").split() if second.startswith("# target: ") else []
    target = build_environment(AXOLOTL.releases, pins=pins)
    found = lint_source(source, Case.of_text(AXOLOTL, target)).diagnostics
    assert Counter(d.code for d in found) == Counter(head.removeprefix("# expect: ").split())


@each("path", sorted((ROOT / "fixtures" / "hostile").glob("*.yml")))
def test_no_rule_fails_on_a_hostile_file(path: Path) -> None:
    try:
        source = SourceText.from_bytes(path.read_bytes())
    except SourceError:
        return
    found = lint_source(source, Case.of_text(AXOLOTL, TARGET)).diagnostics
    assert "rule-failed" not in [d.name for d in found]
