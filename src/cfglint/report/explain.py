"""All that is known about one rule, for a person."""

from __future__ import annotations

import re

from cfglint import compiled
from cfglint.report.escaping import visible
from cfglint.report.matrix import known as known_matrix
from cfglint.report.prose import terminal
from cfglint.report.style import Style
from cfglint.report.text import BITES, UPSTREAM
from cfglint.rules.knowledge import Knowledge
from cfglint.rules.rule import Rule


def render(rule: Rule, knowledge: Knowledge, style: Style, width: int = 100) -> str:
    """The rule's page: summary, what it costs, why, releases, fixes, example, evidence.

    Args:
        width: columns of the terminal.
    """

    def filled(text: str, indent: str = "") -> list[str]:
        return [indent + line for line in terminal(text, style, width - len(indent))]

    known, said = knowledge.details(rule.code), knowledge.words(rule.code)
    title = title_of(rule)
    lines = [
        f"{style.bold(rule.code)} {style.bold(rule.name)}",
        *filled(known.summary),
        "",
        *_facts(rule, title, style, width),
        *filled(f"Cost: {with_title(said.cost, title)}"),
    ]
    if known.applies:
        releases = " and ".join(f"{package} {spec}" for package, spec in known.applies)
        lines += filled(f"Releases: {releases}")
    if others := _frameworks(rule):
        lines += filled(
            f"Frameworks: {', '.join(others)}, each with its own keys; this page is for {title}"
        )
    lines += ["", *filled(with_title(known.why, title))]
    if rule.fixes:
        lines += ["", style.bold("Fix")]
        for fix in rule.fixes:
            lines += filled(f"{fix.title} ({fix.safety})", "  ")
    for heading, kind in (
        ("Example", "bad"),
        ("After the fix", "fixed"),
        ("Not reported", "good"),
    ):
        example = next((part for part in known.examples if part.get(kind)), None)
        if example is not None:
            target = ", ".join(f"{key} {value}" for key, value in example.get("target", {}).items())
            lines += ["", style.bold(heading) + (f" (with {visible(target)})" if target else "")]
            lines += [f"  {visible(line)}".rstrip() for line in example[kind].splitlines()]
    if known.references:
        lines += ["", style.bold("Evidence")]
        for kind, title, url in known.references:
            lines += [*filled(f"{kind}: {title}", "  "), f"    {visible(url)}"]
    lines += ["", style.dim(f"Silence it on a line with `# cfglint: ignore[{rule.code}] reason`.")]
    return "\n".join(lines) + "\n"


def _facts(rule: Rule, title: str, style: Style, width: int) -> list[str]:
    """Severity, confidence, moment, and what the framework does, in as few lines as possible."""
    facts = [
        rule.severity,
        f"{rule.confidence} confidence",
        # Where nothing goes visibly wrong there is no moment to name.
        *([] if rule.bites == "silent" else [f"bites {BITES[rule.bites]}"]),
        UPSTREAM[rule.upstream].format(framework=title),
    ]
    lines = [facts[0]]
    for fact in facts[1:]:
        if len(f"{lines[-1]} · {fact}") > width:
            lines.append(fact)
        else:
            lines[-1] += f" · {fact}"
    severity = style.severity(facts[0], rule.severity)
    return [severity + lines[0].removeprefix(facts[0]), *lines[1:]]


def _frameworks(rule: Rule) -> list[str]:
    """The titles of all frameworks that have a shared rule, when there are several."""
    matrix = known_matrix()
    row = next((row for row in matrix.rows if row.code == rule.code), None)
    has = [] if row is None else [name for name in matrix.titles if row.cells[name].has_it]
    return [matrix.titles[name] for name in has] if len(has) > 1 else []


def title_of(rule: Rule) -> str:
    """The name of a rule's framework in a sentence."""
    if rule.framework == "any":
        return "the framework"
    return str(compiled.load("frameworks").FRAMEWORKS[rule.framework]["title"])


def with_title(text: str, title: str) -> str:
    """The text with a framework's title, which may be a word that begins a sentence."""

    def word(match: re.Match[str]) -> str:
        before = text[: match.start()].rstrip()
        begins = not before or before[-1] in ".!?"
        return title[0].upper() + title[1:] if begins and title.startswith("the ") else title

    return re.sub(r"\{framework\}", word, text.replace("{refusal}", ""))


def suggestions(wanted: str, rules: list[Rule]) -> str:
    """A hint at the rule that was meant."""
    from difflib import get_close_matches

    names = {label.lower(): label for rule in rules for label in (rule.code, rule.name)}
    close = get_close_matches(wanted.lower(), names, n=2, cutoff=0.5)
    if close:
        return f"; did you mean {' or '.join(names[label] for label in close)}?"
    return "; `cfglint rules` lists them"
