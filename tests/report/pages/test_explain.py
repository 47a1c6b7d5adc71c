"""The page of a rule: the name of the framework in its texts, and which frameworks have the rule."""

from __future__ import annotations

import pytest

from cfglint.cli.project import rules_here
from cfglint.knowledge.rules.knowledge import load_knowledge
from cfglint.report.pages.explain import render
from cfglint.report.style import Style


def page(code: str, framework: str) -> str:
    knowledge = load_knowledge(framework)
    rule = next(rule for rule in knowledge.all_rules() if rule.code == code)
    return render(rule, knowledge, Style(color=False))


@pytest.mark.parametrize("framework", ["axolotl", "deepspeed"])
def test_a_rule_of_every_framework_names_none(framework: str) -> None:
    assert "\nThe framework hands the file to PyYAML" in page("YML001", framework)
    assert "which the framework reads with" in page("YML020", framework).replace("\n", " ")
    assert "\nCost: The framework cannot start a run" in page("KEY007", framework)
    assert ". The framework turns whatever" in page("YML006", framework).replace("\n", " ")


def test_a_shared_rule_has_a_page_for_each_framework() -> None:
    assert "this page is for Axolotl\n" in page("OPT469", "axolotl")
    assert "this page is for DeepSpeed " in page("OPT469", "deepspeed").replace("\n", " ")
    assert "total_num_steps" in page("OPT469", "deepspeed")


def test_a_shared_rule_is_listed_for_axolotl_first() -> None:
    shown = {rule.code: rule.framework for rule, _ in rules_here()}
    assert shown["OPT352"] == shown["ENV408"] == "axolotl"
