"""Rules line by line, below the titles of their families."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from cfglint.knowledge.rules.knowledge import Knowledge
from cfglint.knowledge.rules.rule import Rule
from cfglint.report.pages.families import family_of, title_of
from cfglint.report.style import Style

#: A rule with the knowledge that has its texts.
KnownRule = tuple[Rule, Knowledge]


def named(rules: Iterable[KnownRule], selector: str) -> list[KnownRule]:
    """The rules whose code starts with the selector, or whose name equals it; case does not matter."""
    code, name = selector.upper(), selector.lower()
    return [
        pair
        for pair in rules
        if pair[0].code.startswith(code) or pair[0].name == name or code in pair[0].formerly
    ]


def containing(rules: Iterable[KnownRule], words: str) -> list[KnownRule]:
    """The rules whose code, name, summary, message or explanation contains all of these words."""
    wanted = words.lower().split()
    found = []
    for rule, knowledge in rules:
        texts, known = knowledge.words(rule.code), knowledge.details(rule.code)
        parts = (rule.code, rule.name, known.summary, texts.message, texts.cost, known.why)
        text = "\n".join(parts).lower()
        if all(word in text for word in wanted):
            found.append((rule, knowledge))
    return found


def render(rules: Iterable[KnownRule], style: Style) -> str:
    """One line per rule, and a title above each family."""
    rules = list(rules)
    width = max((len(rule.name) for rule, _ in rules), default=0)
    lines: list[str] = []
    for family, members in groupby(rules, key=lambda pair: family_of(pair[0].code)):
        lines += ["", style.bold(title_of(family))]
        for rule, knowledge in members:
            severity = style.severity(f"{rule.severity:7}", rule.severity)
            summary = knowledge.details(rule.code).summary
            lines.append(f"  {rule.code}  {severity}  {rule.name:{width}}  {summary}")
    return "".join(f"{line}\n" for line in lines[1:])
