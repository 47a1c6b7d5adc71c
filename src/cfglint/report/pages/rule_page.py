"""All that is known about one rule, as Markdown: for `explain`, and for the site."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.diagnostic import SEVERITIES
from cfglint.knowledge import compiled
from cfglint.knowledge.rules.example_marks import strip_markers
from cfglint.knowledge.rules.knowledge import Knowledge
from cfglint.knowledge.rules.rule import Rule
from cfglint.report.formats.text import BITES, upstream_words
from cfglint.report.pages.matrix import known as known_matrix

#: Unchanged lines around a change.
_CONTEXT = 2


class ShownExample(Record):
    """An example, or what its fix changes."""

    heading: str
    #: The versions and the hardware that it is for, as `torch 2.6.0, gpus 8`; may be empty.
    target: str
    text: str


class RulePage(Record):
    """The parts of a rule's page, in the order in which they are shown."""

    code: str
    name: str
    summary: str
    #: Severity, confidence, moment, and what the framework does.
    facts: tuple[str, ...]
    #: Cost, releases, frameworks: what it is, and the text.
    lead: tuple[tuple[str, str], ...]
    why: str
    #: What each fix does, and whether it is safe.
    fixes: tuple[str, ...]
    examples: tuple[ShownExample, ...]
    #: Kind, title and address of each piece of evidence.
    references: tuple[tuple[str, str, str], ...]
    silencing: str


def page_of(rule: Rule, knowledge: Knowledge) -> RulePage:
    """The page of a rule, as for the framework of the knowledge."""
    known, texts = knowledge.details(rule.code), knowledge.words(rule.code)
    title = title_of(rule)
    lead = [("Cost", cost_in_general(texts.cost, title))]
    if known.applies:
        releases = " and ".join(f"{package} {spec}" for package, spec in known.applies)
        lead.append(("Releases", releases))
    if others := _frameworks(rule):
        note_on_others = f"{', '.join(others)}, each with its own keys; this page is for {title}"
        lead.append(("Frameworks", note_on_others))
    return RulePage(
        code=rule.code,
        name=rule.name,
        summary=known.summary,
        facts=(
            _severities(rule, known.examples),
            f"{rule.confidence} confidence",
            # A silent problem has no moment at which it shows.
            *([] if rule.bites == "silent" else [f"bites {BITES[rule.bites]}"]),
            upstream_words(rule.upstream, title),
        ),
        lead=tuple(lead),
        why=with_title(known.why, title),
        fixes=tuple(f"{fix.title} ({fix.safety})" for fix in rule.fixes),
        examples=tuple(_examples(known.examples)),
        references=known.references,
        silencing=silencing(rule),
    )


def _severities(rule: Rule, examples: tuple[dict[str, Any], ...]) -> str:
    """The severity of a rule, with those that its findings have where the file decides: `note or error`."""
    others = {one["severity"] for one in examples if one.get("severity")} - {rule.severity}
    *first, last = (rule.severity, *(one for one in SEVERITIES if one in others))
    return f"{', '.join(first)} or {last}" if first else last


def _examples(examples: tuple[dict[str, Any], ...]) -> Iterator[ShownExample]:
    """The first of each kind."""
    for heading, kind in (
        ("Example", "bad"),
        ("After the fix", "fixed"),
        ("Not reported", "good"),
    ):
        example = next((part for part in examples if part.get(kind)), None)
        if example is None:
            continue
        text = example[kind]
        if kind == "fixed" and example.get("bad"):
            text = changed_lines(strip_markers(example["bad"]), strip_markers(text))
        yield ShownExample(heading, target_of(example), text)


def target_of(example: dict[str, Any]) -> str:
    """The versions and the hardware that an example is for."""
    return ", ".join(f"{name} {value}" for name, value in example.get("target", {}).items())


def changed_lines(before: str, after: str) -> str:
    """What a fix changes, as a diff without line numbers."""
    from difflib import unified_diff

    lines = unified_diff(before.splitlines(), after.splitlines(), n=_CONTEXT, lineterm="")
    # The first three lines name the files and the place.
    shown = ["  …" if line.startswith("@@") else line for line in list(lines)[3:]]
    return "\n".join(shown) + "\n"


def _frameworks(rule: Rule) -> list[str]:
    """The titles of all frameworks that have a shared rule, when there are several."""
    matrix = known_matrix()
    row = next((row for row in matrix.rows if row.code == rule.code), None)
    has = [] if row is None else [name for name in matrix.titles if row.cells[name].has_it]
    return [matrix.titles[name] for name in has] if len(has) > 1 else []


def silencing(rule: Rule) -> str:
    """How a finding of a rule is silenced in one place."""
    known = compiled.load("frameworks").FRAMEWORKS.get(rule.framework, {})
    if known.get("language") == "json":
        return (
            f'JSON has no comments: silence it with `per-file-ignores`, `"FILE" = ["{rule.code}"]`.'
        )
    return f"Silence it on a line with `# cfglint: ignore[{rule.code}] reason`."


def title_of(rule: Rule) -> str:
    """The name of a rule's framework in a sentence."""
    if rule.framework == "any":
        return "the framework"
    return str(compiled.load("frameworks").FRAMEWORKS[rule.framework]["title"])


def cost_in_general(cost: str, title: str) -> str:
    """What a rule's findings cost, where no finding is there to fill in the words."""
    if re.fullmatch(r"\{\w+\}", cost):
        return "depends on the file; each finding states it"
    return with_title(cost, title)


def with_title(text: str, title: str) -> str:
    """The text with a framework's title, which may be a word that begins a sentence."""

    def word(match: re.Match[str]) -> str:
        before = text[: match.start()].rstrip()
        begins = not before or before[-1] in ".!?"
        return title[0].upper() + title[1:] if begins and title.startswith("the ") else title

    return re.sub(r"\{framework\}", word, text.replace("{refusal}", ""))
