"""The rules that refer to a key."""

from __future__ import annotations

from cfglint.engine.key_rules import rules_by_place
from cfglint.knowledge.rules.knowledge import ProjectRules
from cfglint.knowledge.rules.rule import Rule
from cfglint.roles.framework import load_framework

AXOLOTL = load_framework("axolotl")


def places(*rules: Rule) -> dict[tuple[str, ...], list[str]]:
    """Where rules of a project are found, apart from those of cfglint."""
    found = rules_by_place(type(AXOLOTL)(ProjectRules(rules, {}, {})))
    own = {
        place: [one.code for one in every if one.code.startswith("ACME")]
        for place, every in found.items()
    }
    return {place: codes for place, codes in own.items() if codes}


def test_places_of_rules() -> None:
    known = AXOLOTL.knowledge.named("no-dataset")
    first = known.replaced(
        code="ACME002", name="first", at=(("a", "b"), ("a",)), related=(("a",), ("c",)), each=None
    )
    second = known.replaced(
        code="ACME001",
        name="second",
        at=(("item", "x"), ("item",)),
        related=(("a",),),
        each=("list", "of"),
    )
    # Without a list to go through, it is the name of a key.
    third = first.replaced(code="ACME003", name="third", at=(("item", "x"),), related=())
    assert places(first, second, third) == {
        ("a", "b"): ["ACME002"],
        ("a",): ["ACME001", "ACME002"],
        ("c",): ["ACME002"],
        ("list", "of", "[]", "x"): ["ACME001"],
        ("list", "of", "[]"): ["ACME001"],
        ("item", "x"): ["ACME003"],
    }


def test_all_rules_are_found_by_their_places() -> None:
    found = rules_by_place(AXOLOTL)
    assert found is rules_by_place(AXOLOTL)
    assert all(
        [one.code for one in every] == sorted({one.code for one in every})
        for every in found.values()
    )
    listed = {one.code for every in found.values() for one in every}
    assert listed == {
        rule.code for rule in AXOLOTL.knowledge.all_rules() if rule.at or rule.related
    }
