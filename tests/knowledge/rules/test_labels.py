"""Rules by their names, without unpacking the others."""

from __future__ import annotations

import pytest

from cfglint.knowledge.rules.knowledge import Knowledge
from cfglint.roles.framework import frameworks
from tests.draws import each


@each("framework", frameworks())
def test_labels_are_those_of_all_rules(framework: str) -> None:
    knowledge = Knowledge(framework)
    labels = list(knowledge.labels())
    assert knowledge._rules == {}
    assert labels == [(rule.code, rule.name) for rule in knowledge.all_rules()]


def test_a_rule_by_its_name_is_the_only_one_that_is_unpacked() -> None:
    knowledge = Knowledge("axolotl")
    assert knowledge.named("unused-suppression").name == "unused-suppression"
    assert len(knowledge._rules) == 1
    with pytest.raises(KeyError):
        knowledge.named("no-such-rule")
