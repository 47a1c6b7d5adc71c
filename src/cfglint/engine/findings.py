"""Findings made of their rules: the one place that knows what a finding takes from its rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cfglint.base.lazy import lazy_pattern
from cfglint.checks.context import Hit
from cfglint.diagnostic import Diagnostic, Fix, Related
from cfglint.knowledge.rules.rule import ALWAYS, UNTIL_UPGRADE, Rule, Words
from cfglint.source.document import Path
from cfglint.source.text import Span

#: A name in the texts of a rule that a part of the file takes the place of.
PLACEHOLDER = lazy_pattern(r"\{([a-z][\w .\[\]-]*)\}")
#: What it costs when a file is refused.
REFUSED = "the run does not start"


def finding(
    rule: Rule,
    message: str,
    cost: str,
    path: Path,
    span: Span,
    *,
    related: tuple[Related, ...] = (),
    fixes: tuple[Fix, ...] = (),
) -> Diagnostic:
    """A finding of a rule at a place.

    Args:
        message: the rule's, with its placeholders filled in, and so is `cost`.
    """
    return Diagnostic(
        code=rule.code,
        name=rule.name,
        severity=rule.severity,
        confidence=rule.confidence,
        upstream=rule.upstream,
        bites=rule.bites,
        message=message,
        path=path,
        span=span,
        cost=cost,
        related=related,
        fixes=fixes,
        preview=rule.preview,
        harmless=rule.harmless in (ALWAYS, UNTIL_UPGRADE),
        due=rule.harmless == UNTIL_UPGRADE,
        later=rule.later,
    )


def finding_of(hit: Hit, rule: Rule, words: Words, fill: Callable[[str], str]) -> Diagnostic:
    """The finding of a check's hit, which may differ from its rule in some respects.

    Args:
        fill: fills in the placeholders of a text.
    """
    found = finding(
        rule,
        fill(words.message),
        # What a rule states as its cost is about files that are not refused.
        REFUSED if hit.upstream == "rejects" != rule.upstream else fill(words.cost),
        hit.path,
        hit.span,
        related=hit.related,
        fixes=hit.fixes,
    )
    plain = not (hit.severity or hit.upstream or hit.file or hit.kin or hit.meant)
    if plain and not (hit.harmless or hit.due or hit.later):
        return found
    return found.replaced(
        severity=hit.severity or rule.severity,
        upstream=hit.upstream or rule.upstream,
        bites="start" if hit.upstream == "rejects" else rule.bites,
        file=hit.file,
        kin=hit.kin,
        meant=hit.meant,
        harmless=found.harmless or hit.harmless or hit.due,
        due=found.due or hit.due,
        removed=hit.removed,
        later=hit.later or found.later,
    )


def filled(text: str, values: Mapping[str, object]) -> str:
    """A text with its placeholders filled in; those without a value are left out."""
    return PLACEHOLDER.sub(lambda match: str(values.get(match.group(1), "")), text)
