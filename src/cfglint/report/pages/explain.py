"""The page of a rule in a terminal."""

from __future__ import annotations

from functools import partial

from cfglint.knowledge.rules.knowledge import Knowledge
from cfglint.knowledge.rules.rule import Rule
from cfglint.report.escaping import visible
from cfglint.report.pages.rule_page import page_of
from cfglint.report.prose import terminal
from cfglint.report.style import Style


def render(rule: Rule, knowledge: Knowledge, style: Style, width: int = 100) -> str:
    """The rule's page: summary, cost, explanation, releases, fixes, example, evidence.

    Args:
        width: columns of the terminal.
    """
    filled = partial(terminal, style=style, width=width)

    page = page_of(rule, knowledge)
    lines = [
        f"{style.bold(page.code)} {style.bold(page.name)}",
        *filled(page.summary),
        "",
        *_facts(page.facts, rule, style, width),
    ]
    for label, text in page.lead:
        lines += filled(f"{label}: {text}")
    lines += ["", *filled(page.why)]
    if page.fixes:
        lines += ["", style.bold("Fix")]
        for fix in page.fixes:
            lines += filled(fix, "  ")
    for example in page.examples:
        target = f" (with {visible(example.target)})" if example.target else ""
        lines += ["", style.bold(example.heading) + target]
        lines += [f"  {visible(line)}".rstrip() for line in example.text.splitlines()]
    if page.references:
        lines += ["", style.bold("Evidence")]
        for kind, title, url in page.references:
            lines += [*filled(f"{kind}: {title}", "  "), f"    {visible(url)}"]
    lines += ["", style.dim(page.silencing)]
    return "\n".join(lines) + "\n"


def _facts(facts: tuple[str, ...], rule: Rule, style: Style, width: int) -> list[str]:
    """The facts in as few lines as possible."""
    lines = [facts[0]]
    for fact in facts[1:]:
        if len(f"{lines[-1]} · {fact}") > width:
            lines.append(fact)
        else:
            lines[-1] += f" · {fact}"
    severity = style.severity(facts[0], rule.severity)
    return [severity + lines[0].removeprefix(facts[0]), *lines[1:]]


def suggestions(wanted: str, rules: list[Rule]) -> str:
    """A hint at the rule that was meant."""
    from difflib import get_close_matches

    names = {label.lower(): label for rule in rules for label in (rule.code, rule.name)}
    close = get_close_matches(wanted.lower(), names, n=2, cutoff=0.5)
    if close:
        return f"; did you mean {' or '.join(names[label] for label in close)}?"
    return "; `cfglint rules` lists them"
