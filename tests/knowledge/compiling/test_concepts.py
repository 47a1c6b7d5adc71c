"""Concepts: the vocabulary, and what each framework has of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.knowledge.compiling.concepts import (
    StateModel,
    ValueModel,
    load_concepts,
    unknown_concept,
)
from cfglint.knowledge.compiling.files import RuleFileError
from tests.draws import each

VOCABULARY = """\
speed: {kind: value, meaning: how fast, names: {torch: [lr]}}
bf16: {kind: state, meaning: in this type}
"""


def load(place: Path, text: str, vocabulary: str = VOCABULARY) -> dict[str, object]:
    """What a framework has."""
    (place / "own").mkdir(exist_ok=True)
    (place / "own" / "framework.yaml").write_text("", encoding="utf-8")
    (place / "own" / "concepts.yaml").write_text(text, encoding="utf-8")
    (place / "concepts.yaml").write_text(vocabulary, encoding="utf-8")
    return dict(load_concepts(place).frameworks["own"])


@each(
    ("text", "value", "places"),
    [
        ("speed: learning_rate", "learning_rate", ["learning_rate"]),
        ("speed: {value: a.b}", "a.b", ["a.b"]),
        ("speed: {value: a, at: [b, a]}", "a", ["b", "a"]),
        ("speed: derived rate", "derived rate", []),
        ("speed: {value: derived rate, at: [a]}", "derived rate", ["a"]),
    ],
)
def test_values(text: str, value: str, places: list[str], tmp_path: Path) -> None:
    one = load(tmp_path, text)["speed"]
    assert isinstance(one, ValueModel)
    assert (one.value, one.places) == (value, places)


def test_states(tmp_path: Path) -> None:
    one = load(tmp_path, "bf16: {holds: {a: {eq: 1}}, at: [a]}\n")["bf16"]
    assert isinstance(one, StateModel)
    assert (one.places, one.fails, one.written) == (["a"], None, None)
    text = "bf16: {holds: {a: {eq: 1}}, fails: {a: {eq: 2}}, at: [a, b], written: '`a: 1`'}\n"
    one = load(tmp_path, text)["bf16"]
    assert isinstance(one, StateModel)
    assert one.places == ["a", "b"]
    assert one.fails == {"a": {"eq": 2}}


@each(
    ("text", "said"),
    [
        ("sped: a", "unknown concept `sped`; rules/concepts.yaml does not define it; did you mean"),
        ("other: a", "unknown concept `other`; rules/concepts.yaml does not define it"),
        ("bf16: a", "`bf16` is a state; give `holds` and `at`"),
        ("bf16: {holds: {a: {eq: 1}}}", "`bf16.at` is missing"),
        ("bf16: {holds: {a: {eq: 1}}, at: []}", "bf16.at: "),
        ("bf16: {holds: {a: {is_it: 1}}, at: [a]}", "bf16.holds: "),
        ("bf16: {holds: {a: {eq: 1}}, fails: {a: 1}, at: [a]}", "bf16.fails: "),
        ("speed: {holds: {a: {eq: 1}}, at: [a]}", "`speed` is a value; give the key that has it"),
        ("speed: 1", "1 is not a key path; quote it"),
        ("speed: fact gpus", "a concept is a key or `derived …`"),
        ("speed: {value: a, at: [1]}", "speed.at.0: "),
        ("- speed", "concepts are a mapping of names"),
    ],
)
def test_what_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(RuleFileError) as caught:
        load(tmp_path, text)
    assert said in str(caught.value)
    assert "own" in str(caught.value)


@each("text", ["speed: {kind: other, meaning: m}", "speed: {kind: value}", "[speed]"])
def test_a_vocabulary_that_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(RuleFileError, match=r"concepts\.yaml"):
        load(tmp_path, "", text)


def test_a_folder_without_concepts(tmp_path: Path) -> None:
    assert load_concepts(tmp_path) == ({}, {})
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "framework.yaml").write_text("", encoding="utf-8")
    found = load_concepts(tmp_path)
    assert (dict(found.vocabulary), dict(found.frameworks)) == ({}, {"own": {}})


def test_the_closest_name(tmp_path: Path) -> None:
    load(tmp_path, "speed: a")
    vocabulary = load_concepts(tmp_path).vocabulary
    assert unknown_concept("bf61", vocabulary).endswith("did you mean `bf16`?")
    assert unknown_concept("x", vocabulary).endswith("does not define it")
