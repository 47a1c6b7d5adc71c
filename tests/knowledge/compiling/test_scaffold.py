"""A rule file to begin with."""

from __future__ import annotations

from typing import Any

import yaml

from cfglint.knowledge.compiling.rule_problems import KEY_TO_FILL_IN, TO_FILL_IN
from cfglint.knowledge.compiling.scaffold import scaffold


def begun(**how: Any) -> tuple[dict[str, Any], str]:
    """The fields of a new rule, and its text."""
    given: dict[str, Any] = {"framework": "trl", "base": "", "is_own": True, "is_shared": False}
    text = scaffold("SAV999", **{**given, **how})
    return yaml.safe_load(text), text


def test_a_rule_of_one_framework() -> None:
    rule, text = begun(base="small")
    assert list(rule) == [
        *("code", "summary", "severity", "confidence", "bites", "upstream", "when", "at"),
        *("message", "cost", "why", "references", "base", "examples"),
    ]
    assert (rule["code"], rule["base"]) == ("SAV999", "small")
    assert rule["when"] == [{KEY_TO_FILL_IN: {"truthy": True}}]
    assert rule["at"] == [KEY_TO_FILL_IN]
    assert [list(one) for one in rule["examples"]] == [["bad"], ["good"]]
    assert rule["examples"][0]["bad"].endswith("# <- SAV999")
    assert text.count(TO_FILL_IN) == 9
    assert text.endswith("\n")
    assert "base" not in begun()[0]


def test_a_rule_of_a_project_names_its_framework_and_needs_no_evidence() -> None:
    rule, _ = begun(is_own=False)
    assert rule["framework"] == "trl"
    assert "references" not in rule
    assert "framework" not in begun()[0]


def test_a_shared_rule_is_written_with_concepts() -> None:
    rule, _ = begun(is_shared=True, base="small")
    assert rule["when"] == [{f"${KEY_TO_FILL_IN}": {"truthy": True}}]
    assert rule["at"] == [f"${KEY_TO_FILL_IN}"]
    assert [one["framework"] for one in rule["examples"]] == ["trl", "trl"]
    assert "base" not in rule
