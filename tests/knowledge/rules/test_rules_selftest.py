"""The shipped rules test themselves: every example of every rule file, and whole files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from cfglint.engine.authoring.selftest import (
    example_failures,
    failures,
    false_alarms,
    untested_problems,
)
from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.environment.environment import build_environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.knowledge.compiling.loading import RuleFile
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tests.draws import WHOLE, drawn, each, product
from tests.shipped import FAMILIES, RULES, shipped_rules

ROOT = Path(__file__).parents[3]
FILES = shipped_rules()
BROKEN = sorted((ROOT / "fixtures" / "broken").glob("*.yml"))
AXOLOTL = Axolotl()
TARGET = build_environment(AXOLOTL.releases)
#: The rules of which a fix is tried.
FIXED = frozenset(
    drawn({file.rule.code for file in FILES if any(one.fixed for one in file.rule.examples)}, 100)
)


def with_tried(file: RuleFile) -> RuleFile:
    """A rule with those of its examples that are tried: a bad and a good one, and maybe a fixed one."""
    every = file.rule.examples
    bad, good, fixed = (
        [example for example in every if getattr(example, kind) is not None]
        for kind in ("bad", "good", "fixed")
    )
    if WHOLE:
        tried = every
    elif file.rule.code in FIXED:
        tried = [*drawn(fixed, 1), *drawn(good, 1)]
    else:
        # To fix takes as long as to check a dozen.
        tried = [one.model_copy(update={"fixed": None}) for one in drawn(bad, 1)] + drawn(good, 1)
    return file._replace(rule=file.rule.model_copy(update={"examples": tried}))


@product
@pytest.mark.parametrize("family", FAMILIES)
def test_examples(family: str) -> None:
    """Two of each rule; `cfglint rules test` tries all of them, too."""
    files = [with_tried(file) for file in shipped_rules() if file.path.parent == RULES / family]
    assert files
    assert list(failures(files)) == []


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
