"""Bases: what an example's whole text is, and what is said of one that cannot stand on its base."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.environment.building import build_environment
from cfglint.knowledge.compiling.bases import NONE, BaseError, Text, layered, load_bases, on_bases
from cfglint.knowledge.compiling.files import RuleFileError
from cfglint.knowledge.compiling.loading import load_rules
from cfglint.knowledge.compiling.model import RuleModel
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tests.draws import each

ROOT = Path(__file__).parents[3]
BASES = {
    "alpha": {
        "run": "model: a\n# of tickets\ndata:\n  - path: x\nsteps: 1\n",
        "json": '{\n  "a": 1,\n  "b": {\n    "c": 2\n  }\n}\n',
        "both": "model: a\n",
    },
    "beta": {"other": "model: b\n", "both": "model: b\n"},
    "any": {"other": "model: c\n"},
}
RULE: dict[str, Any] = {
    "code": "PAK999", "name": "a-rule", "summary": "S", "framework": "alpha", "severity": "error",
    "confidence": "high", "bites": "start", "upstream": "silent", "when": {"a": {"eq": 1}}, "at": ["a"],
    "message": "m", "cost": "c", "why": "w",
}  # fmt: skip


def whole(*examples: dict[str, Any], **parts: Any) -> list[dict[str, Any]]:
    """The examples of a rule with their whole texts, and what they say beside."""
    every = [
        *examples,
        {"base": NONE, "bad": "a: 1  # <- PAK999\n"},
        {"base": NONE, "good": "a: 2\n"},
    ]
    rule = RuleModel.model_validate({**RULE, **parts, "examples": every})
    return [one.model_dump(exclude_defaults=True) for one in on_bases(rule, BASES).examples[:-2]]


def test_own_lines_come_below_the_base_and_take_the_place_of_its_keys() -> None:
    (example,) = whole({"good": "data: []\nlast: 1\n"}, base="run")
    assert example == {"good": "model: a\nsteps: 1\ndata: []\nlast: 1\n"}


def test_a_base_may_be_all_there_is() -> None:
    assert whole({"good": ""}, base="run") == [{"good": BASES["alpha"]["run"]}]


def test_common_lines_lie_between_base_and_example() -> None:
    (example,) = whole({"good": "last: 1\n"}, base="run", common="steps: 2\nmore: 3\n")
    assert (
        example["good"]
        == "model: a\n# of tickets\ndata:\n  - path: x\nsteps: 2\nmore: 3\nlast: 1\n"
    )
    assert whole({"good": "more: 4\n"}, common="steps: 2\nmore: 3\n") == [
        {"good": "steps: 2\nmore: 4\n"}
    ]


def test_the_base_of_an_example_overrules_that_of_the_rule() -> None:
    examples = whole(
        {"base": "both", "good": "b: 1\n"},
        {"base": NONE, "good": "b: 1"},
        base="run",
        common="c: 1\n",
    )
    assert [one["good"] for one in examples] == ["model: a\nb: 1\n", "b: 1"]


def test_a_line_in_quotes_is_a_whole_line() -> None:
    assert whole({"good": "b: 1"}, base="both") == [{"good": "model: a\nb: 1\n"}]


def test_fixed_is_layered_on_what_bad_leaves_of_the_base() -> None:
    bad = {"bad": "steps: 2  # <- PAK999\nb: 1\n", "fixed": "b: 1\n"}
    (example,) = whole({**bad, "without": ["data"]}, base="run")
    assert example == {
        "bad": "model: a\nsteps: 2  # <- PAK999\nb: 1\n",
        "fixed": "model: a\nb: 1\n",
    }


def test_json_is_layered_on_json() -> None:
    (first, second, third) = whole(
        {"good": '{\n  "b": 3\n}\n'},
        {"good": "", "without": ["b"]},
        {"good": '{\n  "d": 3\n}\n'},
        base="json",
    )
    assert first["good"] == '{\n  "a": 1,\n  "b": 3\n}\n'
    assert second["good"] == '{\n  "a": 1\n}\n'
    assert third["good"] == '{\n  "a": 1,\n  "b": {\n    "c": 2\n  },\n  "d": 3\n}\n'


def test_a_shared_rule_has_the_base_of_each_framework() -> None:
    examples = whole(
        {"framework": "alpha", "good": ""},
        {"framework": "beta", "good": ""},
        base="both",
        framework="any",
    )
    assert [one["good"] for one in examples] == ["model: a\n", "model: b\n"]


def test_an_example_of_any_framework_has_the_bases_of_the_one_that_takes_the_rest() -> None:
    assert whole({"base": "other", "good": ""}, framework="any") == [{"good": "model: c\n"}]


def test_an_example_of_a_framework_that_is_not_here_stays() -> None:
    example = {"framework": "gamma", "base": "other", "good": "a: 1\n"}
    assert whole(example, framework="any") == [example]


@each(
    ("example", "parts", "place", "words"),
    [
        ({"good": ""}, {"base": "runs"}, ("base",), "no base 'runs' in bases.yaml of alpha; did you mean 'run'?"),
        ({"good": "", "base": "other"}, {}, ("examples", 0, "base"), "no base 'other' in bases.yaml of alpha"),
        ({"good": "", "base": "none", "without": ["a"]}, {}, ("examples", 0, "without"), "there is no base"),
        ({"good": "", "without": ["a"]}, {"base": "run"}, ("examples", 0, "without"), "`a` is not in the base"),
        ({"good": "a: 1\n"}, {"base": "json"}, ("examples", 0, "good"), "the base is JSON and the example is not"),
        (
            {"bad": "b: 1  # <- PAK999\n", "fixed": "b: 1\nsteps: 2\n"},
            {"base": "run"},
            ("examples", 0, "fixed"),
            "`steps` is fixed in the base: write it in `bad`, too",
        ),
        ({"good": ""}, {"common": "b: 1  # <- PAK999\n"}, ("common",), "`common` has the mark of a finding"),
    ],
)  # fmt: skip
def test_what_cannot_stand(
    example: dict[str, Any], parts: dict[str, Any], place: tuple[Any, ...], words: str
) -> None:
    with pytest.raises(BaseError) as caught:
        whole(example, **parts)
    assert caught.value.place == place
    assert words in str(caught.value)


def rules_folder(folder: Path, bases: str, rule: str) -> Path:
    """A rules folder with one framework and one rule."""
    home = folder / "axolotl"
    (home / "packing").mkdir(parents=True)
    described = "title: A\nlanguage: yaml\nfallback: true\n"
    (home / "framework.yaml").write_text(described, encoding="utf-8")
    (home / "bases.yaml").write_text(bases, encoding="utf-8")
    path = home / "packing" / "a-rule.yaml"
    path.write_text(rule, encoding="utf-8")
    return path


def test_an_error_names_its_line(tmp_path: Path) -> None:
    data = {**RULE, "framework": "axolotl", "examples": [{"bad": "a: 1  # <- PAK999\n"}]}
    text = yaml.safe_dump(data, sort_keys=False) + "- good: 'b: 1'\n  base: runs\n"
    path = rules_folder(tmp_path, "run: |\n  a: 2\n", text)
    with pytest.raises(RuleFileError) as caught:
        load_rules(tmp_path)
    line = text.splitlines().index("  base: runs") + 1
    said = "there is no base 'runs' in bases.yaml of axolotl; did you mean 'run'?"
    assert str(caught.value) == f"{path}:{line}: {said}"


def test_the_framework_that_takes_the_rest_is_any(tmp_path: Path) -> None:
    rules_folder(tmp_path, "run: |\n  a: 2\n", "")
    (tmp_path / "beta").mkdir()
    (tmp_path / "beta" / "framework.yaml").write_text("title: B\n", encoding="utf-8")
    bases = {"run": "a: 2\n"}
    assert load_bases(tmp_path) == {"axolotl": bases, "any": bases, "beta": {}}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: |\n  b: 1\nRun: |\n  c: 1\n", ":3: base 'Run' needs a name of lower-case words"),
        ("none: |\n  b: 1\n", ":1: base 'none' takes the name"),
        ("a: {b: 1}\n", ":1: base 'a' is not a text of whole lines"),
        ('a: "b: 1"\n', ":1: base 'a' is not a text of whole lines"),
        ("a: |\n  b: 1  # <- PAK001\n", ":1: base 'a' has the mark of a finding"),
        ("a: |\n  - b\n", ":1: base 'a' has more than keys at the top level"),
        ("a: |\n  ---\n  b: 1\n", ":1: base 'a' has more than keys at the top level"),
        ("- a\n", ": bases are a mapping"),
    ],
)
def test_bases_that_are_refused(tmp_path: Path, text: str, words: str) -> None:
    rules_folder(tmp_path, text, "")
    with pytest.raises(RuleFileError) as caught:
        load_bases(tmp_path)
    assert f"bases.yaml{words}" in str(caught.value)


@each(
    ("text", "keys"),
    [
        ("a: 1\n'b c': 2\n\"d\": 3\ne :\n  f: 1\n", ["a", "b c", "d", "e"]),
        ("a: |\n  b: 1\n- c: 1\n", ["a"]),
        ("http://x\n", []),
        ("{\n}\n", []),
        ('{\n  "a": {\n    "b": 1\n  },\n  "c": 1\n}\n', ["a", "c"]),
    ],
)
def test_keys_at_the_top_level(text: str, keys: list[str]) -> None:
    assert [key for key, _ in Text.of(text).parts] == keys


def test_layers() -> None:
    assert layered("", "a: 1\n") == layered("a: 1\n", "") == "a: 1\n"
    assert layered("a: 1\nb: 2\n", "a: 3\n") == "b: 2\na: 3\n"


SHIPPED = [
    (framework, name, text)
    for framework, texts in load_bases(ROOT / "rules").items()
    if framework != "any"
    for name, text in texts.items()
]


@each(("name", "base", "text"), SHIPPED)
def test_a_base_is_right_by_itself(name: str, base: str, text: str) -> None:
    """Whoever stands on it sees the findings of the example alone."""
    framework = load_framework(name)
    source = SourceText(text)
    found = lint_source(
        source, Case.of_text(framework, build_environment(framework.releases))
    ).diagnostics
    assert [(d.code, d.message) for d in found if d.severity != "note"] == []


def test_every_base_is_stood_on() -> None:
    named: set[tuple[str, str]] = set()
    for path in (ROOT / "rules").glob("*/*/*.yaml"):
        rule = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        home = "any" if path.parts[-3] == "shared" else path.parts[-3]
        for example in rule["examples"]:
            named.add((example.get("framework", home), example.get("base", rule.get("base"))))
    known = {(framework, name) for framework, name, _ in SHIPPED}
    assert {name for name in known if name not in named and ("any", name[1]) not in named} == set()
