"""Findings about a text that cannot be read, and about the engine itself."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.diagnostic import Diagnostic, Edit, Fix, Related
from cfglint.framework import Framework
from cfglint.knowledge.rules.knowledge import Knowledge
from cfglint.knowledge.rules.rule import Rule
from cfglint.source import problems
from cfglint.source.problems import ProposedEdit, SourceError

#: A place in the words of a rule for what the file says.
PLACEHOLDER = lazy_pattern(r"\{([a-z][\w .\[\]-]*)\}")


def engine_rule(knowledge: Knowledge, name: str) -> Rule:
    """The rule of a case that no condition and no check finds."""
    return next(rule for rule in knowledge.all_rules() if rule.name == name)


def reading_problem(error: SourceError, framework: Framework) -> Diagnostic:
    """The diagnostic of a text that cannot be read as a configuration."""
    knowledge = framework.knowledge
    rule = engine_rule(knowledge, error.kind.value)
    said = knowledge.words(rule.code)

    def fill(text: str) -> str:
        details = {"framework": framework.title, **error.details}
        return PLACEHOLDER.sub(lambda m: str(details.get(m.group(1), "")), text)

    return Diagnostic(
        code=rule.code,
        name=rule.name,
        # A template is filled in by a script; nobody starts a run with the file as it is.
        severity="warning" if error.cause == problems.PLACEHOLDER else rule.severity,
        own_severity=rule.severity,
        confidence=rule.confidence,
        upstream=rule.upstream,
        bites=rule.bites,
        message=fill(said.message),
        cost=fill(said.cost),
        path=(),
        span=error.span,
        related=tuple(Related(span, note) for span, note in error.related),
        fixes=() if error.edit is None else (_mending(error.edit),),
    )


def _mending(edit: ProposedEdit) -> Fix:
    """The fix that makes a text readable; safe when nothing else can have been meant."""
    return Fix(
        edit.title,
        "safe" if edit.only else "unsafe",
        tuple(Edit(*change) for change in edit.changes),
        # Before it the text has no value at all.
        ((),),
    )
