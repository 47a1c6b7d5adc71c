"""What rules say: the words of findings, the pages of `explain`, the table of shared rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cfglint.base.packing import pack
from cfglint.knowledge.compiling.expanding import SharedRule
from cfglint.knowledge.compiling.frameworks import described
from cfglint.knowledge.compiling.loading import RuleFile, adapted
from cfglint.knowledge.compiling.model import CommitRange, RuleModel


def compiled_words(rule: RuleModel) -> tuple[Any, ...]:
    """The fields of its `Words`."""
    return (
        one_line(rule.message),
        one_line(rule.cost),
        one_line(rule.if_undecided or ""),
        tuple(one_line(part.note) for part in rule.related),
    )


def compiled_details(rule: RuleModel) -> tuple[Any, ...]:
    """The fields of its `Details`."""
    return (
        rule.summary,
        rule.why.strip(),
        tuple((part.kind, part.title, part.url) for part in rule.references),
        tuple(
            (package, spec.spec if isinstance(spec, CommitRange) else spec)
            for package, spec in rule.applies.items()
        ),
        tuple(example.model_dump(exclude_defaults=True) for example in rule.examples),
    )


def one_line(text: str) -> str:
    """The text without its line ends."""
    return " ".join(text.split())


def details_of(
    files: list[RuleFile],
) -> tuple[dict[str, bytes], dict[str, dict[str, bytes]]]:
    """The details of rules by their codes, packed, and by framework where they say something else.

    A rule of several frameworks is shown as for the first of them.
    """
    common: dict[str, bytes] = {}
    otherwise: dict[str, dict[str, bytes]] = {}
    for rule, _ in files:
        variants = {rule.framework: rule, **{name: adapted(rule, name) for name in rule.differs}}
        for framework, one in variants.items():
            text = pack(compiled_details(one))
            if common.setdefault(rule.code, text) != text:
                otherwise.setdefault(framework, {})[rule.code] = text
    return common, otherwise


def shared_tables(
    files: list[RuleFile], rules: list[SharedRule], homes: list[Path]
) -> dict[str, Any]:
    """Which framework has which of the rules that are written with concepts."""
    return {
        "EVERYWHERE": tuple(file.rule.code for file in files if file.rule.framework == "any"),
        "FRAMEWORKS": {home.name: described(home)["title"] for home in homes},
        "SHARED": tuple(
            (
                rule.code,
                rule.name,
                rule.summary,
                rule.concepts,
                tuple((name, *standing) for name, standing in rule.frameworks.items()),
            )
            for rule in rules
        ),
    }
