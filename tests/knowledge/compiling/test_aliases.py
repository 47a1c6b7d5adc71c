"""Aliases that follow from concepts, and those of a framework's own list."""

from __future__ import annotations

from cfglint.knowledge.compiling.aliases import aliases, from_concepts
from cfglint.knowledge.compiling.concepts import ConceptModel, Concepts, StateModel, ValueModel

CONCEPTS = Concepts(
    {
        "batch": ConceptModel(
            kind="value", meaning="m", names={"alib": ["alib_batch"], "other": ["bs"]}
        ),
        "rate": ConceptModel(kind="value", meaning="m"),
        "nested": ConceptModel(kind="value", meaning="m"),
        "fast": ConceptModel(kind="state", meaning="m"),
    },
    {
        "alpha": {
            "batch": ValueModel(value="batch_size"),
            "rate": ValueModel(value="rate"),
            "nested": ValueModel(value="section.deep"),
            "fast": StateModel(holds={"quick": {"is": True}}, at=["quick"]),
        },
        "beta": {
            "batch": ValueModel(value="b"),
            "rate": ValueModel(value="rate"),
            "nested": ValueModel(value="deep"),
            "fast": StateModel(holds={"speed": {"eq": "fast"}}, at=["speed"]),
        },
        "gamma": {"batch": ValueModel(value="derived group")},
    },
)
TITLES = {"alpha": "Alpha", "beta": "Beta", "gamma": "Gamma"}


def names(framework: str, known: frozenset[str] = frozenset()) -> dict[str, tuple[str, str]]:
    found = from_concepts(CONCEPTS, framework, TITLES, known)
    assert all(row[2:] == ("same", {}, "", ()) for row in found.values())
    return {name: row[:2] for name, row in found.items()}


def test_each_name_of_a_concept_is_an_alias_of_the_own_one() -> None:
    known = frozenset({"batch_size", "rate", "section"})
    assert names("alpha", known) == {
        "alib_batch": ("alib", "batch_size"),
        "bs": ("other", "batch_size"),
        "b": ("Beta", "batch_size"),
    }


def test_a_key_of_the_framework_is_no_alias() -> None:
    assert set(names("beta", frozenset({"b", "rate", "bs"}))) == {"alib_batch", "batch_size"}


def test_a_concept_without_a_key_of_its_own_gives_none() -> None:
    assert names("gamma") == {}
    assert names("unheard") == {}


def test_the_framework_s_own_list_wins() -> None:
    derived = from_concepts(CONCEPTS, "alpha", TITLES, frozenset({"rate"}))
    own = [{"foreign": ["bs", "size"], "from": "other", "advice": "Choose one."}]
    found = aliases(own, derived)
    assert found["bs"] == found["size"] == ("other", None, "", {}, "Choose one.", ())
    assert found["b"] == ("Beta", "batch_size", "same", {}, "", ())
