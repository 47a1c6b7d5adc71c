"""What a rule makes of a file: its words filled in, its place and the places beside it, its fixes."""

from __future__ import annotations

from typing import Any

from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.engine.settings.selection import Selection
from cfglint.environment.surroundings import nowhere
from cfglint.knowledge.rules.conditions import parse_condition, parse_path
from cfglint.knowledge.rules.knowledge import ProjectRules
from cfglint.knowledge.rules.rule import FixTemplate, Rule, Words
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tests.draws import each
from tests.linting import environment, lint

AXOLOTL = load_framework("axolotl")
ALWAYS = {"base_model": {"set": True}}


def rule(when: dict[str, Any] = ALWAYS, at: str = "base_model", **parts: Any) -> Rule:
    """A rule of a project about files of Axolotl."""
    known = AXOLOTL.knowledge.named("no-dataset")
    plain: dict[str, Any] = {
        "code": "ACME001",
        "name": "acme",
        "framework": "axolotl",
        "severity": "warning",
        "upstream": "silent",
        "bites": "train",
        "check": None,
        "each": None,
        "related": (),
        "applies": {},
        "view": "raw",
        "conditional": False,
        "fixes": (),
        "remedies": (),
    }
    return known.replaced(
        **{
            **plain,
            "when": parse_condition(when),
            "at": tuple(map(parse_path, at.split())),
            **parts,
        }
    )


def found(
    text: str,
    rule: Rule,
    message: str = "It is so.",
    *,
    cost: str = "nothing",
    if_undecided: str = "",
    notes: tuple[str, ...] = (),
    **target: Any,
) -> list[Diagnostic]:
    """What the rule finds in a text."""
    words = {rule.code: Words(message, cost, if_undecided, notes)}
    framework = type(AXOLOTL)(ProjectRules((rule,), words, {}))
    case = Case(framework, environment(**target), nowhere(), Selection((rule.code, "CFG")))
    return lint_source(SourceText(text), case).diagnostics


TEXT = """\
base_model: a/b
adapter: ''
rate: 0.000010
datasets:
  - {path: x, type: one}
  - {path: y}
more: {deep: 1}
"""


@each(
    ("message", "said"),
    [
        ("It is `{base_model}`. ", "It is `a/b`."),
        ("`{rate}` and {more.deep}.", "`0.000010` and 1."),
        ("{none} and {more.none}.", "not set and not set."),
        ("It is {adapter}.", "It is not set."),
        # In a command a word says what to write.
        ("Run `axolotl --lr {none}`.", "Run `axolotl --lr NONE`."),
        ("Run `axolotl --size {more.none}`.", "Run `axolotl --size NONE`."),
        ("Run `torchrun --nproc {fact gpus}`.", "Run `torchrun --nproc FACT GPUS`."),
        ("It is `{none}`.", "It is `not set`."),
        ("Not `a --x` {none}.", "Not `a --x` not set."),
        ("`--x` or `{none}`.", "`--x` or `not set`."),
        ("`a` `b --x {none}`.", "`a` `b --x NONE`."),
        ("{framework} {release}", f"{AXOLOTL.title} 0.21.0"),
        ("{What} {1} {} stay.", "{What} {1} {} stay."),
    ],
)
def test_words_of_the_file(message: str, said: str) -> None:
    (one,) = found(TEXT, rule(), message, cost=message, target=["axolotl==0.21.0"])
    assert (one.message, one.cost) == (said, said)


@each(
    ("at", "path"),
    [
        ("base_model", ("base_model",)),
        ("none base_model", ("base_model",)),
        ("more.deep", ("more", "deep")),
        ("more.none more", ("more",)),
        ("datasets[].path", ("datasets", 0, "path")),
        ("datasets[].none datasets", ("datasets",)),
        ("none", ()),
    ],
)
def test_the_place_of_a_finding(at: str, path: tuple[Any, ...]) -> None:
    (one,) = found(TEXT, rule(at=at))
    assert one.path == path
    assert TEXT[one.span.start :].startswith(str(path[-1]) if path else "base_model")


def test_a_key_without_part_in_it_is_not_the_place() -> None:
    either = {"any": [{"adapter": {"truthy": True}}, {"base_model": {"set": True}}]}
    (one,) = found(TEXT, rule(either, "adapter base_model"))
    assert one.path == ("base_model",)


def test_the_place_in_an_item() -> None:
    each_ = {"each": ("datasets",)}
    (one,) = found(
        TEXT, rule({"item.type": {"set": False}}, "item.type item.path", **each_), "{item.path}"
    )
    assert (one.path, one.message) == (("datasets", 1, "path"), "y")
    (one,) = found(TEXT, rule({"item.type": {"set": False}}, "item.none", **each_))
    assert one.path == ("datasets", 1)
    both = found(TEXT, rule({"item.path": {"set": True}}, "item.path", **each_), "{item.path}")
    assert [one.message for one in both] == ["x", "y"]


def test_the_items_of_a_list_that_are_wrong() -> None:
    listed = "base_model: a/b\nplugins: [good, bad, worse, good]\n"
    wrong = {"plugins": {"any_item": {"in": ["bad", "worse"]}}}
    (one,) = found(listed, rule(wrong, "plugins[]"))
    assert one.path == ("plugins", 1)


def test_without_a_place_the_first_line_has_it() -> None:
    (one,) = found("# nothing\nmore: 1\nless: 2\n", rule({"x": {"set": False}}, "x"))
    assert (one.path, one.span.start, one.span.end) == ((), 10, 14)
    (one,) = found("{}\n", rule({"x": {"set": False}}, "x"))
    assert (one.path, one.span.start, one.span.end) == ((), 0, 0)


def test_places_beside_it() -> None:
    paths = ("adapter", "none", "base_model", "datasets[].path", "more.deep", "rate", "rate")
    related = tuple(map(parse_path, paths))
    when = {"any": [{"base_model": {"set": True}}, {"more.deep": {"eq": 5}}]}
    notes = ("a", "b", "c", "the {rate}", "d", "e", "e")
    (one,) = found(TEXT, rule(when, related=related), notes=notes)
    # Without the place itself, and without what is not written or has no part in it; each once.
    assert [
        (TEXT[beside.span.start :].partition(":")[0], beside.note) for beside in one.related
    ] == [
        ("adapter", "a"),
        ("path", "the 0.000010"),
        ("rate", "e"),
    ]


def test_a_number_of_gpus_that_is_only_meant() -> None:
    text = "base_model: a/b\ndeepspeed: x.json\n"
    several = {"fact gpus": {"gt": 1}}
    (one,) = found(text, rule(several), "Sure.", if_undecided="With {fact gpus} GPUs.")
    assert (one.message, one.severity, one.undecided) == ("With several GPUs.", "note", True)
    assert (one.needs, one.own_severity) == (("--gpus N",), "warning")
    (one,) = found(text, rule(several), "Sure.", if_undecided="With {fact gpus} GPUs.", gpus=2)
    assert (one.message, one.severity, one.undecided) == ("Sure.", "warning", False)
    assert found(text, rule(several), gpus=1) == []
    assert found("base_model: a/b\n", rule(several)) == []


def test_remedies() -> None:
    remedies = tuple(
        (None if when is None else parse_condition(when), words)
        for when, words in (
            ({"adapter": {"truthy": True}}, "drop it"),
            ({"rate": {"gt": 1}}, "lower it"),
            (None, "look at it"),
        )
    )
    for text, said in (("rate: 2\nadapter: lora\n", "drop it"), ("rate: 2\n", "lower it")):
        (one,) = found(f"base_model: a\n{text}", rule(remedies=remedies), "Now {remedy}.")
        assert one.message == f"Now {said}."
    # The last one where none is sure.
    (one,) = found(TEXT, rule(remedies=remedies[:2]), "Now {remedy}.")
    assert one.message == "Now lower it."
    (one,) = found(TEXT, rule(), "Now {remedy}.")
    assert one.message == "Now ."


@each("safety", ["safe", "unsafe"])
def test_fixes(safety: str) -> None:
    template = FixTemplate("Set it", safety, (("set", ("adapter",), "lora"),), look_at="the rank")
    (one,) = found(TEXT, rule(fixes=(template,)))
    (fix,) = one.fixes
    assert (fix.title, fix.safety, fix.look_at) == ("Set it", safety, "the rank")
    assert [edit.text for edit in fix.edits] == ["'lora'"]
    # What is not decided is not repaired.
    (one,) = found(
        "base_model: a/b\ndeepspeed: x.json\n", rule({"fact gpus": {"gt": 1}}, fixes=(template,))
    )
    assert [fix.safety for fix in one.fixes] == ["unsafe"]
    # The title and its safety are known without the edits.
    framework = type(AXOLOTL)(
        ProjectRules((rule(fixes=(template,)),), {"ACME001": Words("m", "c", "", ())}, {})
    )
    case = Case.of_text(framework, environment(), Selection(("ACME001",))).replaced(plans=False)
    (one,) = lint_source(SourceText(TEXT), case).diagnostics
    assert [(fix.title, fix.safety, fix.edits) for fix in one.fixes] == [("Set it", safety, ())]


def test_a_fix_that_writes_what_is_not_read_is_none() -> None:
    template = FixTemplate("Set it", "safe", (("set", ("no_such_key",), 1),))
    (one,) = found(TEXT, rule(fixes=(template,)))
    assert one.fixes == ()


def test_a_rule_that_fails_ends_no_run() -> None:
    broken = rule().replaced(when=("count", "no-test", True, (("key", ("base_model",)),), ()))
    (one,) = [one for one in found(TEXT, broken) if one.name == "rule-failed"]
    assert "ACME001" in one.message
    assert "KeyError" in one.message
    assert TEXT[one.span.start : one.span.end] == "base_model"


@each(
    ("text", "severity", "cost", "fixes"),
    [
        ('{"zero_optimization": {}, "a": .5}', "error", "the run does not start", 1),
        # Some programs read these.
        ('{"zero_optimization": {"stage": 1,}}', "warning", "only some programs read the file", 1),
        ('\ufeff{"zero_optimization": {}}', "warning", "only some programs read the file", 0),
    ],
)
def test_what_the_format_forbids(text: str, severity: str, cost: str, fixes: int) -> None:
    (one,) = lint(text, framework="deepspeed", select=["JSN"])
    assert (one.severity, one.cost, len(one.fixes)) == (severity, cost, fixes)
