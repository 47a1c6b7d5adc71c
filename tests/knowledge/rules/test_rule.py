"""Rules as rows of a compiled module."""

from __future__ import annotations

from cfglint.base.packing import pack, unpack
from cfglint.knowledge.rules.knowledge import load_knowledge
from cfglint.knowledge.rules.rule import Rule
from cfglint.roles.framework import frameworks
from tests.draws import each


@each("framework", frameworks())
def test_a_rule_comes_back_from_its_packed_row(framework: str) -> None:
    rules = load_knowledge(framework).all_rules()
    assert rules
    for rule in rules:
        assert Rule.from_row(unpack(pack(rule.to_row()))) == rule
