"""Shared rules become the ordinary rules of the frameworks that have their concepts."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from cfglint.knowledge.compiling.concepts import Concepts, load_concepts
from cfglint.knowledge.compiling.expanding import expand, uses_concepts
from cfglint.knowledge.compiling.files import RuleFileError
from cfglint.knowledge.compiling.loading import load_rules, load_shared
from cfglint.knowledge.compiling.model import RuleModel
from cfglint.knowledge.compiling.texts import compiled_words

VOCABULARY = """\
batch: {kind: value, meaning: Samples at once., unit: samples}
limit: {kind: value, meaning: The most that is allowed.}
half: {kind: state, meaning: Half precision is on.}
"""
#: Framework -> its `concepts.yaml`.
FRAMEWORKS = {
    "alpha": """\
batch: micro_batch_size
limit: {value: limits.most, at: [limits.most, most]}
half:
  holds: {any: [{bf16: {is: true}}, {fp16: {is: true}}]}
  fails: {all: [{bf16: {truthy: false}}, {fp16: {truthy: false}}]}
  at: [bf16, fp16]
  written: "bf16: {bf16}"
""",
    "beta": """\
batch: train.batch
limit: {value: derived limit}
half: {holds: {mixed_precision: {eq: bf16}}, at: [mixed_precision], written: "mixed_precision: bf16"}
""",
    "gamma": "batch: b\n",
}
RULE: dict[str, Any] = {
    "code": "TST001", "name": "a-rule", "summary": "S", "framework": "any", "severity": "error",
    "confidence": "high", "bites": "start", "upstream": "silent",
    "when": {"all": [{"$half": True}, {"$batch": {"gt": {"key": "$limit"}}}, {"($batch % 2)": {"eq": 0}}]},
    "at": ["$batch", "$half"], "related": [{"path": "$half", "note": "see `{key $half}`"}],
    "message": "`{key $batch}: {$batch}` with `{$half}`", "cost": "c", "why": "about `{key $batch}`",
    "fix": [{"title": "Lower `{key $batch}`", "safety": "unsafe", "edits": [{"set": {"$batch": 1}}, {"delete": "$batch"}]}],
    "examples": [
        {"framework": "alpha", "bad": "micro_batch_size: 1  # <- TST001\n"},
        {"framework": "alpha", "good": "micro_batch_size: 2\n"},
        {"framework": "beta", "good": "train: {batch: 2}\n"},
    ],
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "concepts.yaml").write_text(VOCABULARY, encoding="utf-8")
    for name, text in FRAMEWORKS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "framework.yaml").write_text("title: x\n", encoding="utf-8")
        (tmp_path / name / "concepts.yaml").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def concepts(folder: Path) -> Concepts:
    return load_concepts(folder)


def changed(**parts: Any) -> dict[str, Any]:
    return {**copy.deepcopy(RULE), **parts}


def rules(data: dict[str, Any], concepts: Concepts) -> dict[str, RuleModel]:
    return {rule.framework: rule for rule in expand(data, Path("rule.yaml"), concepts, {}).rules}


def test_each_framework_gets_its_own_keys(concepts: Concepts) -> None:
    found = rules(RULE, concepts)
    assert list(found) == ["alpha", "beta"]
    assert found["alpha"].when == {
        "all": [
            {"any": [{"bf16": {"is": True}}, {"fp16": {"is": True}}]},
            {"micro_batch_size": {"gt": {"key": "limits.most"}}},
            {"(micro_batch_size % 2)": {"eq": 0}},
        ]
    }
    assert found["beta"].when == {
        "all": [
            {"mixed_precision": {"eq": "bf16"}},
            {"train.batch": {"gt": {"key": "derived limit"}}},
            {"(train.batch % 2)": {"eq": 0}},
        ]
    }
    assert found["alpha"].at == ["micro_batch_size", "bf16", "fp16"]
    assert [part.path for part in found["alpha"].related] == ["bf16", "fp16"]
    assert found["beta"].related[0].note == "see `mixed_precision`"
    assert found["alpha"].message == "`micro_batch_size: {micro_batch_size}` with `bf16: {bf16}`"
    assert found["beta"].message == "`train.batch: {train.batch}` with `mixed_precision: bf16`"
    assert found["beta"].why == "about `train.batch`"
    fix = found["beta"].fix[0]
    assert (fix.title, fix.edits[0].set) == ("Lower `train.batch`", {"train.batch": 1})
    assert fix.edits[1].delete == "train.batch"


def test_remedies_have_the_keys_of_the_framework(concepts: Concepts) -> None:
    remedies = [{"when": [{"$half": True}], "say": "Lower `{key $batch}`."}, {"say": "Stop."}]
    found = rules({**RULE, "message": "Too much. {remedy}", "remedy": remedies}, concepts)["beta"]
    assert found.remedy[0].when == {"all": [{"mixed_precision": {"eq": "bf16"}}]}
    assert [part.say for part in found.remedy] == ["Lower `train.batch`.", "Stop."]


def test_examples_go_to_their_framework(concepts: Concepts) -> None:
    found = rules(RULE, concepts)
    assert [example.framework for example in found["alpha"].examples] == [None, None]
    assert [example.good for example in found["beta"].examples] == ["train: {batch: 2}\n"]


@pytest.mark.parametrize(
    ("condition", "alpha", "beta"),
    [
        (
            {"all": [{"$half": False}, {"$batch": {"set": True}}]},
            {
                "all": [
                    {"bf16": {"truthy": False}},
                    {"fp16": {"truthy": False}},
                    {"micro_batch_size": {"set": True}},
                ]
            },
            {
                "all": [
                    {"not": {"mixed_precision": {"eq": "bf16"}}},
                    {"train.batch": {"set": True}},
                ]
            },
        ),
        (
            {"any": [{"$half": True}, {"not": {"$half": True}}]},
            {
                "any": [
                    {"bf16": {"is": True}},
                    {"fp16": {"is": True}},
                    {"not": {"any": [{"bf16": {"is": True}}, {"fp16": {"is": True}}]}},
                ]
            },
            {
                "any": [
                    {"mixed_precision": {"eq": "bf16"}},
                    {"not": {"mixed_precision": {"eq": "bf16"}}},
                ]
            },
        ),
        (
            {"count": {"set": ["$batch"], "ge": 1}},
            {"count": {"set": ["micro_batch_size"], "ge": 1}},
            {"count": {"set": ["train.batch"], "ge": 1}},
        ),
        (
            {"all": [{"all": [{"$batch": {"eq": 1}}]}, {"fact gpus": {"gt": 1}}]},
            {"all": [{"all": [{"micro_batch_size": {"eq": 1}}]}, {"fact gpus": {"gt": 1}}]},
            {"all": [{"all": [{"train.batch": {"eq": 1}}]}, {"fact gpus": {"gt": 1}}]},
        ),
    ],
)
def test_conditions(
    concepts: Concepts, condition: dict[str, Any], alpha: dict[str, Any], beta: dict[str, Any]
) -> None:
    found = rules(changed(when=condition), concepts)
    assert (found["alpha"].when, found["beta"].when) == (alpha, beta)


def test_who_lacks_what(concepts: Concepts) -> None:
    shared = expand(changed(not_for={"beta": "it is told there"}), Path("r"), concepts, {}).shared
    assert shared.concepts == ("batch", "half", "limit")
    standings = shared.frameworks
    assert (standings["alpha"].has_it, standings["alpha"].examples) == (True, 2)
    assert (standings["beta"].has_it, standings["beta"].not_for) == (False, "it is told there")
    assert (standings["gamma"].has_it, standings["gamma"].lacks) == (False, ("half", "limit"))


def test_what_differs_in_one_framework(concepts: Concepts) -> None:
    parts = {"severity": "warning", "applies": {"beta": ">=2"}, "message": "{key $batch} of beta"}
    found = rules(changed(differs={"beta": parts}), concepts)
    assert (found["alpha"].severity, found["beta"].severity) == ("error", "warning")
    assert (found["alpha"].applies, found["beta"].applies) == ({}, {"beta": ">=2"})
    assert compiled_words(found["beta"])[0] == "train.batch of beta"
    assert found["beta"].differs == {}


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"at": ["$bath"]}, "unknown concept `bath`; rules/concepts.yaml does not define it; did you mean `batch`?"),
        ({"when": {"$half": {"eq": 1}}}, "`half` is a state; it is tested with `$half: true`"),
        ({"when": {"$batch": True}}, "`batch` is a value; test it"),
        ({"when": {"all": [{"batch": True}]}}, "only a state, such as `$bf16`, is true or false"),
        ({"when": {"$batch": {"equals": 1}}}, "unknown predicate 'equals'"),
        ({"when": {"$batch": {}}}, "expected a mapping of tests such as `{eq: 1}` but got"),
        ({"message": "{value $batch}"}, "`{value $batch}` is neither `{$concept}` nor"),
        ({"differs": {"beta": {"when": {}}}}, "beta: when cannot differ"),
        ({"severity": "fatal"}, "severity: Input should be 'error'"),
        ({"why": "`{key $limit}`"}, "`limit` is derived and has no key here"),
    ],
    ids=str,
)  # fmt: skip
def test_mistakes(concepts: Concepts, parts: dict[str, Any], said: str) -> None:
    with pytest.raises(RuleFileError) as caught:
        expand(changed(**parts), Path("shared/x/a-rule.yaml"), concepts, {})
    assert str(caught.value).startswith("shared/x/a-rule.yaml: ")
    assert said in str(caught.value)


def test_mistakes_are_reported_before_any_framework_has_the_concepts(folder: Path) -> None:
    for name in FRAMEWORKS:
        (folder / name / "concepts.yaml").unlink()
    with pytest.raises(RuleFileError, match="unknown predicate 'equals'"):
        expand(changed(when={"$batch": {"equals": 1}}), Path("r"), load_concepts(folder), {})


def test_examples_name_their_framework(concepts: Concepts) -> None:
    data = changed()
    del data["examples"][1]["framework"]
    with pytest.raises(RuleFileError, match="names its `framework`"):
        expand(data, Path("r"), concepts, {})


def test_a_rule_without_concepts_is_none_of_these() -> None:
    assert uses_concepts(RULE)
    assert uses_concepts({"message": "{key $batch}"})
    assert not uses_concepts({"when": {"a": {"eq": "$"}}, "why": "costs $5, or $batch"})
    assert not uses_concepts(["$batch"])


def written(folder: Path, data: dict[str, Any], home: str = "shared") -> Path:
    path = folder / home / "family" / f"{data['name']}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    return path


def test_shared_rules_are_read_with_the_others(folder: Path) -> None:
    path = written(folder, RULE)
    found = load_rules(folder)
    assert [(file.rule.code, file.rule.framework, file.path) for file in found] == [
        ("TST001", "alpha", path),
        ("TST001", "beta", path),
    ]
    assert [rule.code for rule in load_shared(folder)] == ["TST001"]


@pytest.mark.parametrize(
    ("home", "parts", "said"),
    [
        ("shared", {"framework": "alpha"}, "the framework of a rule in this folder is any"),
        ("alpha", {"framework": "alpha"}, "is not a key path"),
        (
            "shared",
            {"when": {"a": {"eq": 1}}, "at": ["a"], "related": [], "fix": [], "message": "m", "why": "w"},
            "the condition of a shared rule is written with concepts",
        ),
        (
            "alpha",
            {
                "framework": "alpha", "when": {"a": {"eq": 1}}, "at": ["a"], "related": [], "fix": [],
                "message": "m", "why": "w", "not_for": {"beta": "x"},
            },
            "`differs` and `not_for` belong to rules under shared/",
        ),
    ],
)  # fmt: skip
def test_where_shared_rules_stand(
    folder: Path, home: str, parts: dict[str, Any], said: str
) -> None:
    written(folder, changed(**parts), home)
    with pytest.raises(RuleFileError) as caught:
        load_rules(folder)
    assert said in str(caught.value)


def test_the_place_of_a_file_says_its_name_and_its_framework(folder: Path) -> None:
    path = written(folder, RULE)
    said = {key: value for key, value in RULE.items() if key not in ("name", "framework")}
    path.write_text(yaml.safe_dump(said), encoding="utf-8")
    assert [file.rule.name for file in load_rules(folder)] == ["a-rule", "a-rule"]
    assert [rule.name for rule in load_shared(folder)] == ["a-rule"]


def test_a_list_of_conditions_is_all_of_them(concepts: Concepts) -> None:
    parts = [{"$batch": {"gt": 1}}, {"$half": True}]
    whole, listed = (rules(changed(when=when), concepts) for when in ({"all": parts}, parts))
    assert whole == listed != {}


def test_examples_of_shared_rules_stand_on_bases(concepts: Concepts) -> None:
    """On the one of their framework, so that the rule names both at once."""
    bases = {"alpha": {"run": "x: 1\n"}, "beta": {"run": "y: 1\n"}}
    found = expand(changed(base="run"), Path("r"), concepts, bases).rules
    starts = {rule.framework: {one.bad or one.good for one in rule.examples} for rule in found}
    assert {name: {str(text)[:5] for text in texts} for name, texts in starts.items()} == {
        "alpha": {"x: 1\n"},
        "beta": {"y: 1\n"},
    }
    assert all(rule.base is None for rule in found)


def test_a_code_is_taken_even_when_no_framework_has_the_rule(folder: Path) -> None:
    everywhere = dict.fromkeys(FRAMEWORKS, "no")
    written(folder, changed(not_for=everywhere))
    assert load_rules(folder) == []
    written(folder, changed(name="b-rule"))
    with pytest.raises(RuleFileError, match="TST001 is already the rule in"):
        load_rules(folder)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("bach: x\n", "unknown concept `bach`; rules/concepts.yaml does not define it; did you mean `batch`?"),
        ("half: bf16\n", "`half` is a state; give `holds` and `at`"),
        ("half: {holds: {bf16: {is: true}}}\n", "`half.at` is missing"),
        ("half: {holds: {bf16: true}, at: [bf16]}\n", "half.holds: expected a mapping of tests"),
        ("batch: {holds: {b: {is: true}}, at: [b]}\n", "`batch` is a value; give the key"),
        ("batch: 'a b'\n", "batch.value: 'a b': a test is about a key"),
        ("batch: rows[].b\n", "a concept is a key or `derived …`"),
        ("- batch\n", "concepts are a mapping of names"),
    ],
)  # fmt: skip
def test_concepts_that_are_refused(folder: Path, text: str, said: str) -> None:
    path = folder / "alpha" / "concepts.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RuleFileError) as caught:
        load_concepts(folder)
    assert str(caught.value).startswith(f"{path}:")
    assert said in str(caught.value)


def test_a_folder_without_a_vocabulary(tmp_path: Path) -> None:
    assert load_concepts(tmp_path) == Concepts({}, {})


@pytest.mark.parametrize("condition", [{"all": True}, {"any": {"$half": True}}, {"all": None}])
def test_a_list_that_is_none_is_refused(condition: Any, concepts: Concepts) -> None:
    with pytest.raises(RuleFileError, match=r"when|all"):
        rules(changed(when=condition), concepts)
