"""The parts of a condition: what each is about, and whether it holds."""

from __future__ import annotations

from cfglint.knowledge.rules.clauses import Clause, is_about
from cfglint.knowledge.rules.conditions import parse_condition
from cfglint.knowledge.rules.knowledge import load_knowledge
from tests.draws import each


@each(
    ("condition", "about"),
    [
        ({"a": {"eq": 1}}, {"a"}),
        ({"a.b": {"eq": 1}}, {"a", "a.b"}),
        ({"not": {"any": [{"a": {"eq": 1}}, {"c": {"eq": 1}}]}}, {"a", "c"}),
        ({"count": {"truthy": ["a", "c"], "ge": 1}}, {"a", "c"}),
        ({"(a + c)": {"gt": 1}}, {"a", "c"}),
        ({"fact gpus": {"gt": 1}}, set()),
    ],
)
def test_a_clause_mentions_its_keys_and_what_they_are_in(
    condition: dict[str, object], about: set[str]
) -> None:
    clause = Clause(parse_condition(condition))
    paths = {name: tuple(name.split(".")) for name in ("a", "a.b", "c", "d")}
    assert {name for name, path in paths.items() if clause.mentions(path)} == about


def test_a_subject_is_about_what_it_is_computed_from() -> None:
    _, subject, _ = parse_condition({"(a.b + c)": {"gt": 1}})
    assert is_about(subject, ("a",))
    assert is_about(subject, ("c",))
    assert not is_about(subject, ("b",))


def test_only_what_joins_conditions_has_parts() -> None:
    inner = [{"a": {"eq": 1}}, {"c": {"eq": 1}}]
    kinds = {
        "all": parse_condition({"all": inner}),
        "any": parse_condition({"any": inner}),
        "not": parse_condition({"not": inner[0]}),
        "test": parse_condition(inner[0]),
    }
    assert {kind: len(Clause(parsed).parts) for kind, parsed in kinds.items()} == {
        "all": 2,
        "any": 2,
        "not": 1,
        "test": 0,
    }


def test_the_clause_of_a_rule_is_made_once() -> None:
    knowledge = load_knowledge("axolotl")
    rule = next(rule for rule in knowledge.all_rules() if rule.when is not None)
    assert knowledge.clause(rule) is knowledge.clause(rule)
