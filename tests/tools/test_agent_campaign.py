"""The campaign of the agent: it follows a report to the letter, and its judges see what is wrong."""

from __future__ import annotations

import random

import pytest

from tools.campaigns import agent
from tools.campaigns.agent import _SAFE, _UNSAFE, figures, follow, judge, main, play
from tools.campaigns.broken_projects import Project, examples, slips

GOOD = "base_model: a/b\nlearning_rate: 0.1\nlora_target_modules: [q, v]\n"
LINE = "x.yml:2: KEY001 error: It has | in it | replace {} with {} ({}) | see https://x"


def line(before: str, after: str, safety: str = "safe", at: str = "") -> str:
    return LINE.format(f'"{before}"{at}', f'"{after}"', safety)


def test_replacements_are_made_as_printed() -> None:
    text = "a: 1\nb: 2\na: 1\n"
    done = follow(text, "x.yml", [line("b: 2", "c: 3")], _SAFE)
    assert (done.text, done.codes, done.failed) == ("a: 1\nc: 3\na: 1\n", {"KEY001"}, False)
    done = follow(text, "x.yml", [line("a: 1", "c: 3", at=" at line 3")], _SAFE)
    assert done.text == "a: 1\nb: 2\nc: 3\n"
    two = line("b: 2", "c: 3").replace(" (safe)", ' and replace "a: 1" at line 1 with "" (safe)')
    # Their places count in the text that was reported.
    assert follow(text, "x.yml", [two], _SAFE).text in (text, "\nc: 3\na: 1\n")


@pytest.mark.parametrize("before", ["a: 1", "missing"])
def test_a_text_that_is_not_there_once_is_a_failure(before: str) -> None:
    assert follow("a: 1\na: 1\n", "x.yml", [line(before, "b")], _SAFE).failed


def test_only_what_is_asked_for_is_made() -> None:
    report = [
        line("a: 1", "b: 1", "unsafe"),
        line("a: 1", "b: 1").replace("x.yml", "y.yml"),
        "1 error",
    ]
    assert follow("a: 1\n", "x.yml", report, _SAFE).text == "a: 1\n"
    assert follow("a: 1\n", "x.yml", report, _UNSAFE).text == "b: 1\n"


@pytest.mark.parametrize(
    ("text", "named", "problem"),
    [
        (GOOD, ["learning_rat: 0.1", "learning_rate: 0.1"], ""),
        (GOOD.replace("a/b", "c/d"), ["learning_rate: 0.1"], "base_model has changed"),
        (GOOD.replace("[q, v]", "[q]"), ["learning_rate: 0.1"], "lora_target_modules has changed"),
        (GOOD.replace("[q, v]", "[q"), ["learning_rate: 0.1"], "cannot be read"),
        (GOOD.replace("0.1", "0.2"), ["learning_rate: 0.2"], "not what was meant"),
    ],
)
def test_the_judges_see_what_is_wrong(text: str, named: list[str], problem: str) -> None:
    broken = GOOD.replace("learning_rate", "learning_rat")
    project = Project("x", "slips", "axolotl", "x.yml", broken, meant=GOOD)
    found = judge(project, text, named, {"KEY001"}, "fixed")
    assert (problem in "; ".join(found)) if problem else found == ()


@pytest.mark.parametrize(
    ("file", "text", "is_wrong"),
    [
        ("x.json", "{", True),
        ("x.json", "{}", False),
        ("x.sh", "if", True),
        ("x.py", "def", True),
        ("x.py", "a = 1", False),
    ],
)
def test_other_languages_are_read_by_their_own_readers(
    file: str, text: str, is_wrong: bool
) -> None:
    good = {"x.json": "{}", "x.sh": "true", "x.py": "a = 1"}[file]
    project = Project("x", "slips", "trl", file, good)
    assert bool(judge(project, text, [], set(), "fixed")) is is_wrong


def test_a_slip_is_repaired() -> None:
    text = GOOD.replace("learning_rate", "learning_rat")
    project = Project("x", "slips", "axolotl", "x.yml", text, ("--framework", "axolotl"))
    outcome = play(project)
    assert (outcome.wrong, "learning_rate: 0.1" in outcome.text) == ((), True)


def test_a_sample_of_both_kinds() -> None:
    rng = random.Random(7)
    outcomes = [play(one) for one in (*slips(40, rng), *examples(25, rng))]
    assert [one for one in outcomes if one.wrong or one.state in ("circle", "no such text")] == []
    counts = figures(outcomes)["slips"]
    assert counts["broken"] > 30
    assert counts["fixed"] >= agent.BAR * counts["broken"]


def test_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--slips", "8", "--examples", "2"]) == 0
    assert capsys.readouterr().out.startswith("slips: ")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("d:\n  - path: a\n    type: t\n  - path: b\n", ""),
        ("d:\n  - path: a\n    type: t\n  - path: c\n", "d.path has changed"),
        ("d:\n  - path: b\n  - path: a\n    type: t\n", "d.path has changed"),
    ],
)
def test_items_are_compared_in_order_wherever_they_lie(text: str, problem: str) -> None:
    project = Project(
        "x", "slips", "axolotl", "x.yml", "d:\n  - path: a\n  - type: t\n  - path: b\n"
    )
    found = judge(project, text, ["  - type: t", "    type: t"], {"DAT211"}, "person")
    assert (problem in "; ".join(found)) if problem else found == ()
