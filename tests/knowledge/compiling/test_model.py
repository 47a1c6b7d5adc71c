"""What a rule file may say, and what is said of one that is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from cfglint.knowledge.compiling.model import EditAction, Example, FixModel, RuleModel, distinctive
from tests.draws import each
from tests.knowledge.compiling.sample_rule import FIELDS

FIX: dict[str, Any] = {"title": "So", "safety": "safe", "edits": [{"delete": "a"}]}


def problems(fields: dict[str, Any]) -> list[str]:
    """What is wrong with a rule, as it is told."""
    try:
        RuleModel.model_validate(fields)
    except ValidationError as error:
        return [str(one["msg"]) for one in error.errors()]
    return []


@each(
    "fields",
    [
        {},
        {"severity": "info"},
        {"when": [{"a": {"eq": 1}}, {"b": {"eq": 2}}]},
        {"applies": {"trl": ">=0.9,<1.0"}},
        {"applies": {"trl": {"spec": "<1.0", "commits": ["a1b2c3d4e"]}}},
        {"symptoms": ["sixteen letters!"]},
        {"symptoms": ["eight … letters … and more"]},
        {"fix": [FIX]},
        {"differs": {"trl": {"severity": "error"}}},
    ],
)
def test_what_is_right(fields: dict[str, Any]) -> None:
    assert problems(FIELDS | fields) == []


@each("code", ["AB1", "ABCDEFGH12345", "ACME-001", "A1-00001"])
def test_codes(code: str) -> None:
    examples = [{"bad": f"a: 1  # <- {code}"}, {"good": "a: 2"}]
    assert problems(FIELDS | {"code": code, "examples": examples}) == []


def test_fields_that_need_not_be_there() -> None:
    rule = RuleModel.model_validate(FIELDS)
    assert (rule.preview, rule.of_stated, rule.harmless, rule.view) == (False, False, None, "raw")
    assert (rule.differs, rule.not_for, rule.related, rule.fix) == ({}, {}, [], [])
    assert RuleModel.model_validate(FIELDS | {"severity": "info"}).severity == "note"
    # A list of conditions all have to hold.
    both = [{"a": {"eq": 1}}, {"b": {"eq": 2}}]
    assert RuleModel.model_validate(FIELDS | {"when": both}).when == {"all": both}
    one = Example(bad="a: 1")
    assert (one.repeat, one.encoding, one.files, one.severity) == (1, "utf-8", {}, None)


@each(
    ("fields", "said"),
    [
        ({"code": "KEY"}, "code: "),
        ({"code": "key001"}, "code: "),
        ({"code": "KEY-123456"}, "code: "),
        ({"code": "KEY-"}, "code: "),
        ({"name": "A-Rule"}, "name: "),
        ({"name": "a--rule"}, "name: "),
        ({"severity": "fatal"}, "severity: "),
        ({"confidence": "sure"}, "confidence: "),
        ({"at": 1}, "at: "),
        ({"applies": {"trl": 0.9}}, "0.9 is not a version specifier; quote it"),
        ({"applies": {"trl": "new"}}, "applies"),
        ({"applies": {"trl": {"spec": "<1.0", "commits": []}}}, "applies"),
        ({"when": {"a": {"is_it": 1}}}, "when: "),
        ({"when": []}, "when: "),
        ({"each": 1}, "1 is not a key path; quote it"),
        ({"each": "a..b"}, "each: "),
        ({"symptoms": ["fifteen letters"]}, "a symptom has at least 16 characters besides `…`"),
        ({"symptoms": ["fifteen … letter"]}, "a symptom has at least 16 characters besides `…`"),
        ({"fix": [FIX | {"edits": []}]}, "fix.0.edits: "),
        ({"fix": [FIX | {"safety": "sure"}]}, "fix.0.safety: "),
        ({"differs": {"trl": {"code": "KEY002", "name": "b"}}}, "trl: code, name cannot differ"),
        ({"references": [{"kind": "docs", "title": "t", "url": "http://a"}]}, "references.0.url: "),
        ({"colour": "red"}, "colour: "),
    ],
)
def test_what_is_wrong(fields: dict[str, Any], said: str) -> None:
    told = problems(FIELDS | fields)
    assert any(said in one for one in told), told


def test_all_that_is_missing_is_told_at_once() -> None:
    told = problems(
        {name: FIELDS[name] for name in ("code", "when", "at", "references", "examples")}
    )
    for name in ("summary", "severity", "confidence", "bites", "upstream", "message", "why"):
        assert any(one.startswith(f"`{name}` is missing") for one in told), name
    assert not any("code" in one.partition(":")[0] for one in told)
    assert problems([]) != []  # type: ignore[arg-type]


@each(
    ("edit", "right"),
    [
        ({"set": {"a": 1}}, True),
        ({"delete": "a"}, True),
        ({"rename": {"a": "b"}}, True),
        ({}, False),
        ({"set": {"a": 1}, "delete": "a"}, False),
        ({"set": {"a..b": 1}}, False),
        ({"rename": {"a": "b c"}}, False),
    ],
)
def test_an_edit_is_one_change(edit: dict[str, Any], right: bool) -> None:
    if right:
        EditAction.model_validate(edit)
    else:
        with pytest.raises(ValidationError):
            EditAction.model_validate(edit)


@each(
    ("fix", "said"),
    [
        ({"safety": "safe", "leads_to": ["KEY002"]}, ""),
        ({"safety": "unsafe", "look_at": "the rest"}, ""),
        ({"safety": "unsafe", "leads_to": ["KEY002"]}, "`leads_to` is for safe ones"),
        ({"safety": "safe", "look_at": "the rest"}, "`look_at` is for unsafe fixes"),
    ],
)
def test_what_goes_with_a_fix(fix: dict[str, Any], said: str) -> None:
    if not said:
        assert FixModel.model_validate(FIX | fix).title == "So"
        return
    with pytest.raises(ValidationError, match=said):
        FixModel.model_validate(FIX | fix)


@each(
    ("example", "said"),
    [
        ({"bad": "a"}, ""),
        ({"good": ""}, ""),
        ({"bad": "", "fixed": ""}, ""),
        ({}, "an example is either bad or good"),
        ({"bad": "a", "good": "b"}, "an example is either bad or good"),
        ({"good": "a", "fixed": "b"}, "only a bad example can be fixed"),
        ({"bad": "a", "repeat": 0}, "repeat"),
    ],
)
def test_examples(example: dict[str, Any], said: str) -> None:
    if not said:
        Example.model_validate(example)
        return
    with pytest.raises(ValidationError, match=said):
        Example.model_validate(example)


def test_a_symptom_is_kept_as_it_is() -> None:
    assert distinctive("sixteen letters!") == "sixteen letters!"
