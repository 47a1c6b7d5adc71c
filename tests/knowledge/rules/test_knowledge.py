"""What is known about a framework, as it is asked for: rules by number, name and family, models, evidence."""

from __future__ import annotations

import pytest

from cfglint.knowledge.rules.evaluate import bind
from cfglint.knowledge.rules.index.candidates import numbers
from cfglint.knowledge.rules.knowledge import (
    Knowledge,
    ProjectRules,
    evidence,
    load_knowledge,
    packages_of,
)
from cfglint.knowledge.rules.rule import Details, Words
from tests.draws import each

KNOWLEDGE = load_knowledge("axolotl")
#: A rule that comes with cfglint, and one of a project in its place.
REPLACED = KNOWLEDGE.named("no-dataset")
OWN = REPLACED.replaced(code="OWN001", name="own-rule")
PROJECT = Knowledge(
    "axolotl",
    ProjectRules(
        (OWN,),
        {"OWN001": Words("Own.", "nothing", "", ())},
        {"OWN001": Details("own", "because", (), (), ())},
        frozenset({REPLACED.code}),
    ),
)


def test_every_rule_has_a_bit() -> None:
    every = KNOWLEDGE.all_rules()
    assert KNOWLEDGE.every_rule == (1 << len(every)) - 1
    assert [KNOWLEDGE.rule(number).code for number in numbers(KNOWLEDGE.every_rule)] == [
        rule.code for rule in every
    ]
    assert (KNOWLEDGE.project_rules, KNOWLEDGE.has_project_rules) == ([], False)


def test_rules_of_a_project_take_the_place_of_others() -> None:
    codes = [rule.code for rule in KNOWLEDGE.all_rules()]
    place = codes.index(REPLACED.code)
    assert PROJECT.every_rule == KNOWLEDGE.every_rule ^ 1 << place
    left = [code for code in codes if code != REPLACED.code]
    assert [rule.code for rule in PROJECT.all_rules()] == [*left, "OWN001"]
    assert (PROJECT.project_rules, PROJECT.has_project_rules) == ([OWN], True)
    labels = dict(PROJECT.labels())
    assert REPLACED.code in dict(KNOWLEDGE.labels())
    assert REPLACED.code not in labels
    assert labels["OWN001"] == "own-rule"
    assert len(labels) == len(codes)
    assert PROJECT.named("own-rule") is OWN
    assert PROJECT.words("OWN001").message == "Own."
    assert PROJECT.words("KEY001") == KNOWLEDGE.words("KEY001")
    assert PROJECT.details("OWN001").summary == "own"
    assert PROJECT.details("KEY001") == KNOWLEDGE.details("KEY001")


def test_rules_by_name() -> None:
    assert KNOWLEDGE.named("unknown-key").code == "KEY001"
    assert dict(KNOWLEDGE.labels())["KEY001"] == "unknown-key"
    with pytest.raises(KeyError):
        KNOWLEDGE.named("no-such-rule")
    # A project's own is found first.
    own = Knowledge("axolotl", ProjectRules((OWN.replaced(name="unknown-key"),), {}, {}))
    assert own.named("unknown-key").code == "OWN001"


def test_rules_by_family_and_check() -> None:
    def codes(found: int) -> set[str]:
        return {KNOWLEDGE.rule(number).code for number in numbers(found)}

    every = KNOWLEDGE.all_rules()
    assert codes(KNOWLEDGE.rules_of_family("KEY")) == {
        rule.code for rule in every if rule.code.startswith("KEY")
    }
    assert KNOWLEDGE.rules_of_family("KE") == 0
    names = ["unknown-key", "wrong-type", "no-such-check"]
    assert codes(KNOWLEDGE.rules_of_checks(names)) == {
        rule.code for rule in every if rule.check in names
    }
    assert set(KNOWLEDGE.check_names) == {rule.check for rule in every if rule.check}
    assert KNOWLEDGE.rules_on_edge("deepspeed") == [
        rule for rule in every if rule.edge == "deepspeed"
    ]
    assert KNOWLEDGE.rules_on_edge("no-framework") == []


def test_rules_of_releases_and_steps_of_migrations() -> None:
    every = KNOWLEDGE.all_rules()
    assert KNOWLEDGE.codes_of_releases == {rule.code for rule in every if rule.applies}
    assert 0 < len(KNOWLEDGE.codes_of_releases) < len(every)
    alone = {rule.code for rule in KNOWLEDGE.migration_rules}
    assert alone.isdisjoint(rule.code for rule in every)
    assert KNOWLEDGE.migration_codes == alone | {rule.code for rule in every if rule.migration}


def test_what_tests_a_rule_is_made_once() -> None:
    assert REPLACED.when is not None
    assert KNOWLEDGE.test(REPLACED) is KNOWLEDGE.test(REPLACED)
    assert type(KNOWLEDGE.test(REPLACED)) is type(bind(REPLACED.when))
    assert KNOWLEDGE.clause(REPLACED) is KNOWLEDGE.clause(REPLACED)


def test_meanings() -> None:
    assert "lora" in KNOWLEDGE.meaning("adapter")
    assert KNOWLEDGE.meaning("no_such_key") == ""


@each(
    ("name", "context"),
    [
        ("llama-2-7b-hf", 4096),
        ("Llama-2-7B-HF", 4096),
        # Its pattern leaves out what says that its context is another one, and the next one is asked.
        ("Llama-2-7b-32k", None),
        ("no-such-model", None),
        ("", None),
    ],
)
def test_models(name: str, context: int | None) -> None:
    for _ in range(2):
        found = KNOWLEDGE.model(name)
        assert (found or {}).get("context") == context


def test_models_of_a_type() -> None:
    found = KNOWLEDGE.models_of_type("llama")
    assert len(found) > 1
    assert {one["model_type"] for one in found} == {"llama"}
    assert KNOWLEDGE.models_of_type("no-such-type") == []


#: A framework -> what is in the addresses of its repositories.
REPOSITORIES = {
    "axolotl": ["/axolotl-ai-cloud/axolotl/"],
    "trl": ["/huggingface/trl/"],
    "trl_programs": ["/huggingface/trl/", "/huggingface/transformers/"],
    "llamafactory": ["/hiyouga/LLaMA-Factory/"],
    "swift": ["/modelscope/ms-swift/"],
}
#: The repositories of frameworks that start runs themselves.
OF_FRAMEWORKS = [REPOSITORIES[name][0] for name in REPOSITORIES]


@each("framework", [name for name in REPOSITORIES if name != "swift"])
def test_the_evidence_that_is_named_first(framework: str) -> None:
    """That about the framework itself, then that about a library, then that about another framework."""
    own, known = REPOSITORIES[framework], load_knowledge(framework)
    decided = 0
    for rule in known.all_rules():
        addresses = [url for _, _, url in known.details(rule.code).references]
        if rule.framework != "any" or len(addresses) < 2:
            continue
        shown = evidence(rule.code, framework)
        expected = [url for url in addresses if any(one in f"{url}/" for one in own)]
        if not expected:
            expected = [
                url for url in addresses if not any(one in f"{url}/" for one in OF_FRAMEWORKS)
            ]
        if expected:
            decided += addresses[0] not in expected
            assert shown == expected[0], rule.code
        else:
            assert shown == addresses[0], rule.code
    assert decided


def test_rules_without_evidence() -> None:
    assert (
        evidence("PAK001", "axolotl") == "https://github.com/axolotl-ai-cloud/axolotl/issues/1966"
    )
    assert evidence("OWN001", "axolotl") == ""


def test_packages_that_a_rule_is_about() -> None:
    assert packages_of("PAK001", "axolotl") == ("axolotl",)
    assert packages_of("KEY001", "axolotl") == ()
    assert packages_of("OWN001", "axolotl") == ()
