"""What the words of an error are a symptom of."""

from __future__ import annotations

from cfglint.answers.logs.causes import End
from cfglint.knowledge import compiled
from cfglint.knowledge.rules.knowledge import load_knowledge
from cfglint.report.pages.symptom import render
from cfglint.report.style import Style
from tests.draws import drawn, each, product

PLAIN = Style(color=False)
ENDS = [End(*row) for row in compiled.load("symptoms").ENDS]


@each("end", ENDS)
def test_an_end_has_its_title_why_the_remedy_and_its_first_reference(end: End) -> None:
    head, *rest = render([], [end], PLAIN, 100).splitlines()
    assert head == f"{end.title}, whatever the config says"
    assert rest[-1] == f"    {end.references[0][2]}"
    assert all(line.startswith("  ") and len(line) <= 100 for line in rest[:-1])
    printed = " ".join(" ".join(rest).split())
    for text in (end.why, end.remedy):
        for word in text.replace("`", "").split():
            assert word.strip("*_") in printed.replace("`", "")


def test_the_width_is_used() -> None:
    lines = [line for end in ENDS for line in render([], [end], PLAIN, 70).splitlines()[1:-1]]
    assert max(map(len, lines)) == 70


@product
@each("framework", ["axolotl", "llamafactory", "trl"])
def test_a_rule_has_its_name_why_and_its_first_reference(framework: str) -> None:
    knowledge = load_knowledge(framework)
    own = [rule for rule in knowledge.all_rules() if rule.framework == framework]
    for rule in drawn(own, 10, framework, key=lambda rule: rule.code):
        details = knowledge.details(rule.code)
        lines = render([(rule.code, framework)], [], PLAIN, 100).splitlines()
        assert lines[0].startswith(f"{rule.code} {rule.name} (")
        assert lines[1].startswith(f"  {details.summary[:40]}")
        urls = [url for _, _, url in details.references[:1]]
        assert lines[-1 - len(urls) :] == [
            f"    {one}" for one in (*urls, f"cfglint explain {rule.code}")
        ]


def test_five_are_described_and_the_others_listed_once_each() -> None:
    codes = [
        rule.code for rule in load_knowledge("axolotl").all_rules() if rule.framework == "axolotl"
    ]
    rows = [(code, "axolotl") for code in codes[:8]]
    shown = render([*rows, rows[-1]], ENDS[:7], PLAIN, 100)
    assert [code for code in codes[:8] if f"\n{code} " in f"\n{shown}"] == codes[:5]
    assert shown.count("whatever the config says") == 5
    assert shown.endswith(
        f"It is also a symptom of {', '.join(codes[5:8])}; more words tell them apart.\n"
    )
    assert "It is also" not in render(rows[:5], [], PLAIN, 100)
