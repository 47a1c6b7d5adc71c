"""The parts of a rule's page."""

from __future__ import annotations

from cfglint.knowledge.rules.knowledge import load_knowledge
from cfglint.report.pages.rule_page import changed_lines, page_of


def test_a_change_is_shown_with_the_lines_around_it() -> None:
    before = "".join(f"{name}: 1\n" for name in "abcdefghijkl")
    after = before.replace("d: 1", "d: 2").replace("k: 1\n", "")
    assert changed_lines(before, after) == (
        " b: 1\n c: 1\n-d: 1\n+d: 2\n e: 1\n f: 1\n  …\n i: 1\n j: 1\n-k: 1\n l: 1\n"
    )


def test_lines_that_look_like_the_names_of_files_are_kept() -> None:
    assert changed_lines("---\na: 1\n", "a: 1\n") == "----\n a: 1\n"
    assert changed_lines("a: 1\n", "+++ b\na: 1\n") == "++++ b\n a: 1\n"


def test_how_to_silence_it_depends_on_the_format() -> None:
    silencing = {}
    for code, framework in (("PAK001", "axolotl"), ("DSZ009", "deepspeed"), ("YML001", "axolotl")):
        knowledge = load_knowledge(framework)
        rule = next(rule for rule in knowledge.all_rules() if rule.code == code)
        silencing[code] = page_of(rule, knowledge).silencing
    assert "`# cfglint: ignore[PAK001] reason`" in silencing["PAK001"]
    assert "`# cfglint: ignore[YML001] reason`" in silencing["YML001"]
    assert "per-file-ignores" in silencing["DSZ009"]


def test_a_cost_that_each_finding_fills_in_is_described_in_general() -> None:
    knowledge = load_knowledge("axolotl")
    for code in ("YML021", "PAK001"):
        rule = next(rule for rule in knowledge.all_rules() if rule.code == code)
        label, cost = page_of(rule, knowledge).lead[0]
        assert label == "Cost"
        assert "{" not in cost
        assert cost.startswith("depends on the file") == (code == "YML021")


def test_all_severities_of_the_findings_are_named() -> None:
    knowledge = load_knowledge("axolotl")
    found = {}
    for code in ("YML021", "PAK001", "YML001"):
        rule = next(rule for rule in knowledge.all_rules() if rule.code == code)
        found[code] = page_of(rule, knowledge).facts[0]
    assert found == {
        "YML021": "note or error",
        "PAK001": "error, warning or note",
        "YML001": "error",
    }
