"""Files of rules and of rewrites: which there are, and what they include."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.knowledge.compiling.files import RuleFileError
from cfglint.knowledge.compiling.loading import (
    adapted,
    load_derivations,
    load_rules,
    load_shared,
)

SHARED = """\
common: {stage: after, view: effective}
derivations:
  - {name: always, set: {a: 1}, reason: r}
  - {name: sometimes, when: {b: {set: true}}, set: {a: 2}, reason: r}
"""
OWN = """\
common: {view: effective}
derivations:
  - {name: first, set: {c: 1}, reason: r}
  - {include: shared, when: {d: {set: true}}}
  - {name: last, view: late, set: {c: 2}, when: {c: {set: true}}, reason: r}
"""


def test_a_file_includes_another(tmp_path: Path) -> None:
    (tmp_path / "shared.yaml").write_text(SHARED, encoding="utf-8")
    (tmp_path / "own").mkdir()
    path = tmp_path / "own" / "derivations.yaml"
    path.write_text(OWN, encoding="utf-8")
    found = load_derivations(path)
    condition = {"d": {"set": True}}
    assert [(one.name, one.stage, one.view, one.when) for one in found] == [
        ("first", "before", "effective", None),
        ("always", "after", "effective", {"all": [condition]}),
        ("sometimes", "after", "effective", {"all": [condition, {"b": {"set": True}}]}),
        ("last", "before", "late", {"c": {"set": True}}),
    ]


@pytest.mark.parametrize("text", ["a: 1\n", "common: 1\nderivations: []\n", "common: {}\n"])
def test_a_file_of_another_form_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "derivations.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RuleFileError):
        load_derivations(path)


RULE = """\
code: {0}
summary: It is so
severity: note
confidence: high
bites: train
upstream: silent
when: {{a: {{eq: 1}}}}
at: [a]
message: It is so.
cost: the run
why: Because.
references: [{{kind: docs, title: t, url: https://a.example/b}}]
examples: [{{bad: "a: 1  # <- {0}"}}, {{good: "a: 2"}}]
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_rules_in_the_order_of_their_codes(tmp_path: Path) -> None:
    write(tmp_path, "own/b/second.yaml", RULE.format("KEY002"))
    first = write(tmp_path, "own/c/first.yaml", RULE.format("KEY001"))
    write(tmp_path, "other/a/third.yaml", RULE.format("KEY003"))
    # What lies higher or deeper is no rule.
    for name in ("own/not.yaml", "own/b/c/not.yaml", "own/b/not.txt", "not.yaml"):
        write(tmp_path, name, "{")
    found = load_rules(tmp_path)
    assert [(one.rule.code, one.rule.name, one.rule.framework) for one in found] == [
        ("KEY001", "first", "own"),
        ("KEY002", "second", "own"),
        ("KEY003", "third", "other"),
    ]
    assert found[0].path == first
    assert [one.rule.code for one in load_rules(tmp_path, [first])] == ["KEY001"]
    assert load_rules(tmp_path / "none") == []


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    one = write(tmp_path, "own/a/a.yaml", RULE.format("KEY001").replace("note", "bad"))
    write(tmp_path, "own/a/b.yaml", f"formerly: [KEY009]\n{RULE.format('KEY002')}")
    twice = write(tmp_path, "own/a/c.yaml", RULE.format("KEY002"))
    former = write(tmp_path, "own/b/d.yaml", RULE.format("KEY009"))
    name = write(tmp_path, "own/b/b.yaml", RULE.format("KEY003"))
    named = write(tmp_path, "own/b/e.yaml", f"name: other\n{RULE.format('KEY004')}")
    frame = write(tmp_path, "own/b/f.yaml", f"framework: any\n{RULE.format('KEY005')}")
    with pytest.raises(RuleFileError) as caught:
        load_rules(tmp_path)
    problems = caught.value.problems
    assert [problem.partition(".yaml")[0] + ".yaml" for problem in problems] == list(
        map(str, (one, twice, name, former, named, frame))
    )
    assert "KEY002 is already the rule in" in problems[1]
    assert "b is already the rule in" in problems[2]
    assert "KEY009 is already the rule in" in problems[3]
    assert "the rule is named other, so must be the file" in problems[4]
    assert "the framework of a rule in this folder is own" in problems[5]


@pytest.mark.parametrize(
    ("place", "more", "said"),
    [
        ("own", "differs: {trl: {severity: error}}\n", "belong to rules under shared/"),
        ("own", "not_for: {trl: it has none}\n", "belong to rules under shared/"),
        ("shared", "", "the condition of a shared rule is written with concepts"),
    ],
)
def test_what_only_shared_rules_have(place: str, more: str, said: str, tmp_path: Path) -> None:
    write(tmp_path, f"{place}/a/a.yaml", more + RULE.format("KEY001"))
    with pytest.raises(RuleFileError, match=said):
        load_rules(tmp_path)


def test_rules_that_are_written_with_concepts(tmp_path: Path) -> None:
    write(tmp_path, "concepts.yaml", "speed: {kind: value, meaning: how fast}\n")
    for name, key in (("own", "rate"), ("other", "lr")):
        write(tmp_path, f"{name}/framework.yaml", f"title: {name}\npackages: [p]\nlanguage: yaml\n")
        write(tmp_path, f"{name}/concepts.yaml", f"speed: {key}\n")
    text = RULE.format("KEY002").replace("{a: {eq", "{$speed: {eq").replace("[a]", "[$speed]")
    text = text.replace("{bad", "{framework: own, bad").replace("{good", "{framework: own, good")
    write(tmp_path, "shared/a/fast.yaml", text.replace('"a:', '"rate:'))
    write(tmp_path, "shared/a/check.yaml", RULE.format("KEY001").replace(
        "when: {a: {eq: 1}}\nat: [a]\n", "check: a-check\ndiffers: {own: {severity: error}}\n"
    ))  # fmt: skip
    every = load_rules(tmp_path)
    assert [(one.rule.code, one.rule.framework) for one in every] == [
        ("KEY001", "any"),
        ("KEY002", "other"),
        ("KEY002", "own"),
    ]
    assert [one.rule.at for one in every[1:]] == [["lr"], ["rate"]]
    assert [one.code for one in load_shared(tmp_path)] == ["KEY002"]
    check = every[0].rule
    assert adapted(check, "other") is check
    assert (adapted(check, "own").severity, check.severity) == ("error", "note")
