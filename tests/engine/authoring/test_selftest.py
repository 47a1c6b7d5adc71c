"""What is said of an example that does not show what its rule finds."""

from __future__ import annotations

from typing import Any

from cfglint.engine.authoring.selftest import (
    counted,
    example_failures,
    example_run,
    failures,
    framework_name,
)
from cfglint.knowledge.compiling.loading import RuleFile
from cfglint.knowledge.compiling.model import Example
from cfglint.roles.framework import load_framework
from tests.draws import each
from tests.shipped import shipped_rules

FILES = {file.rule.code: file for file in shipped_rules() if file.rule.framework == "trl"}
#: One whose findings are in the config, and one whose are in another file.
IN_CONFIG, IN_OTHER = "DST616", "DST613"


def said(code: str, *, of_good: bool = False, **changes: Any) -> list[str]:
    """What is wrong with the first bad or good example of a rule, with something changed in it."""
    file = FILES[code]
    example = next(one for one in file.rule.examples if (one.good is not None) is of_good)
    return list(example_failures(file, example.model_copy(update=changes)))


def text_of(code: str, name: str = "bad") -> str:
    text = getattr(next(one for one in FILES[code].rule.examples if one.bad is not None), name)
    assert isinstance(text, str)
    return text


def test_the_examples_as_they_are() -> None:
    assert list(failures([FILES[IN_CONFIG], FILES[IN_OTHER]])) == []
    assert said(IN_CONFIG, of_good=True) == []


def test_marks_at_other_places() -> None:
    text = text_of(IN_CONFIG)
    (one,) = said(IN_CONFIG, bad=text.replace("  # <- DST616", ""))
    assert one.startswith("fires at lines [")
    assert one.endswith("], not at []")
    (one,) = said(IN_CONFIG, bad=f"{text}\nseed: 1  # <- DST616\n")
    assert one.startswith("fires at lines [")
    assert one.count(",") == 2


def test_marks_in_other_files() -> None:
    file = FILES[IN_OTHER]
    files = dict(file.rule.examples[0].files)
    files["ds.json"] = files["ds.json"].replace("  # <- DST613", "")
    (one,) = said(IN_OTHER, files=files)
    assert one == "fires at lines [4] of ds.json, not at []"


def test_a_bad_example_called_good() -> None:
    text = text_of(IN_CONFIG).replace("  # <- DST616", "")
    (one,) = said(IN_CONFIG, bad=None, good=text)
    assert one.startswith("fires on a good example at [")
    (one,) = said(IN_OTHER, bad=None, good=text_of(IN_OTHER))
    assert "fires on a good example at /" in one
    assert "/ds.json: " in one


def test_other_rules_that_fire() -> None:
    found = said(IN_CONFIG, bad=f"{text_of(IN_CONFIG)}\nlearning_rate: fast\n")
    assert [one.partition(" (")[0] for one in found] == ["other rules fire, too: TYP001"]


@each(
    ("changes", "words"),
    [
        ({"severity": "error"}, "is reported as warning, not as error"),
        ({"severity": "warning"}, ""),
        ({"says": "Turn it off"}, "and not 'Turn it off'"),
        ({"says": "Leave one of them out"}, ""),
        ({"fixed": "nothing: 1\n"}, "and not to\nnothing: 1\n"),
    ],
)
def test_what_an_example_says_of_the_finding(changes: dict[str, Any], words: str) -> None:
    found = said(IN_CONFIG, **changes)
    assert len(found) == bool(words)
    assert all(one.endswith(words) for one in found)


def test_failures_have_the_rule_and_the_number() -> None:
    file = FILES[IN_CONFIG]
    examples = [one.model_copy(update={"says": "Turn"}) for one in file.rule.examples]
    rule = file.rule.model_copy(update={"examples": examples})
    found = list(failures([RuleFile(rule, file.path)]))
    assert found[0].startswith("DST616 launched-for-other-strategy, example 1: says ")
    assert len(found) == sum(one.bad is not None for one in examples)
    # One of a framework that is not here is not tried.
    other = [one.model_copy(update={"framework": "nothing"}) for one in examples]
    rule = file.rule.model_copy(update={"examples": other})
    assert list(failures([RuleFile(rule, file.path)])) == []


def test_whose_file_an_example_is() -> None:
    rule = FILES[IN_CONFIG].rule
    any_ = rule.model_copy(update={"framework": "any"})
    own, axolotl = Example(good="a: 1"), Example(good="a: 1", framework="axolotl")
    assert framework_name(rule, own) == "trl"
    assert framework_name(rule, axolotl) == "axolotl"
    assert framework_name(any_, axolotl) == "axolotl"
    assert framework_name(any_, own) == "axolotl"


def test_an_example_as_it_is_checked() -> None:
    file = FILES[IN_CONFIG]
    with example_run(file.rule, file.rule.examples[0], load_framework("trl")) as run:
        assert [one.code for one in run.result.diagnostics] == ["DST616"]
        assert run.case.target.pins["trl"].version == "1.16.0"
        assert run.case.around.path.endswith("recipe.yaml")


@each(
    ("rules", "problems", "text"),
    [
        (0, [], "0 rules, 0 problems"),
        (1, ["a"], "1 rule, 1 problem"),
        (2, [], "2 rules, 0 problems"),
    ],
)
def test_the_last_line(rules: int, problems: list[str], text: str) -> None:
    assert counted(rules, problems) == text
