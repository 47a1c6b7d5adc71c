"""What a finding takes from its rule, and what a check may have otherwise."""

from cfglint.checks.context import Hit
from cfglint.engine.findings import REFUSED, filled, finding, finding_of
from cfglint.knowledge.rules.rule import Rule, Words
from cfglint.roles.framework import load_framework
from cfglint.source.text import Span

KNOWLEDGE = load_framework("axolotl").knowledge
WORDS = Words("`{key}` is odd.", "{key} is lost", "", ())


def rule(code: str = "KEY001") -> Rule:
    return next(one for one in KNOWLEDGE.all_rules() if one.code == code)


def test_a_finding_has_the_properties_of_its_rule() -> None:
    found = finding(rule(), "odd", "lost", ("a",), Span(3, 4))
    assert (found.code, found.name) == ("KEY001", "unknown-key")
    own = rule()
    assert (found.severity, found.confidence) == (own.severity, own.confidence)
    assert (found.upstream, found.bites) == (own.upstream, own.bites)
    assert (found.message, found.cost, found.path, found.span) == (
        "odd",
        "lost",
        ("a",),
        Span(3, 4),
    )


def test_a_hit_fills_in_the_texts() -> None:
    hit = Hit(("seed",), Span(0, 4), {"key": "seed"}, kin="seed")
    found = finding_of(hit, rule(), WORDS, lambda text: filled(text, hit.params))
    assert (found.message, found.cost, found.kin) == ("`seed` is odd.", "seed is lost", "seed")


def test_a_hit_may_differ_from_its_rule() -> None:
    silent = next(one for one in KNOWLEDGE.all_rules() if one.upstream == "silent")
    hit = Hit((), Span(0, 1), {}, severity="note", upstream="rejects")
    found = finding_of(hit, silent, WORDS, lambda text: text)
    assert (found.severity, found.upstream, found.bites) == ("note", "rejects", "start")
    assert found.cost == REFUSED


def test_a_placeholder_without_a_value_is_left_out() -> None:
    assert filled("{a} and {b}.", {"a": 1}) == "1 and ."
