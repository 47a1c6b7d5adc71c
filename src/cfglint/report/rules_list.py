"""Rules line by line, below the titles of their families."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from cfglint.knowledge.rules.knowledge import Knowledge
from cfglint.knowledge.rules.rule import Rule
from cfglint.report.families import family_of, title_of
from cfglint.report.style import Style

#: A rule with the knowledge that its words are in.
Told = tuple[Rule, Knowledge]


def named(rules: Iterable[Told], selector: str) -> list[Told]:
    """The rules whose code begins so, or that have this name; case does not matter."""
    code, name = selector.upper(), selector.lower()
    return [
        told
        for told in rules
        if told[0].code.startswith(code) or told[0].name == name or code in told[0].formerly
    ]


def holding(rules: Iterable[Told], words: str) -> list[Told]:
    """The rules whose code, name, summary, message or explanation contains all of these words."""
    wanted = words.lower().split()
    found = []
    for rule, knowledge in rules:
        said, known = knowledge.words(rule.code), knowledge.details(rule.code)
        parts = (rule.code, rule.name, known.summary, said.message, said.cost, known.why)
        text = "\n".join(parts).lower()
        if all(word in text for word in wanted):
            found.append((rule, knowledge))
    return found


def render(rules: Iterable[Told], style: Style) -> str:
    """One line per rule, and a title above each family."""
    rules = list(rules)
    width = max((len(rule.name) for rule, _ in rules), default=0)
    lines: list[str] = []
    for family, members in groupby(rules, key=lambda told: family_of(told[0].code)):
        lines += ["", style.bold(title_of(family))]
        for rule, knowledge in members:
            severity = style.severity(f"{rule.severity:7}", rule.severity)
            summary = knowledge.details(rule.code).summary
            lines.append(f"  {rule.code}  {severity}  {rule.name:{width}}  {summary}")
    return "".join(f"{line}\n" for line in lines[1:])
