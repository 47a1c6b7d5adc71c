"""Findings about a text that cannot be read, and about the engine itself."""

from __future__ import annotations

from cfglint.diagnostic import Diagnostic, Edit, Fix, Related
from cfglint.engine.findings import filled, finding
from cfglint.framework import Framework
from cfglint.source import problems
from cfglint.source.problems import ProposedEdit, SourceError
from cfglint.source.text import MAX_BYTES, Span


def too_large(size: int) -> SourceError:
    """The problem of a file that has too many bytes to be read."""
    kind = problems.ProblemKind.TOO_LARGE
    return SourceError(kind, Span(0, 0), size=size, limit=MAX_BYTES, unit="bytes")


def reading_problem(error: SourceError, framework: Framework) -> Diagnostic:
    """The diagnostic of a text that cannot be read as a configuration."""
    rule = framework.knowledge.named(error.kind.value)
    words = framework.knowledge.words(rule.code)
    details = {"framework": framework.title, **error.details}
    found = finding(
        rule,
        filled(words.message, details),
        filled(words.cost, details),
        (),
        error.span,
        related=tuple(Related(span, note) for span, note in error.related),
        fixes=() if error.edit is None else (_mending(error.edit),),
    )
    if error.cause == problems.PLACEHOLDER:
        # A template is filled in by a script; no run starts with the file as it is.
        return found.replaced(severity="note", own_severity=rule.severity)
    return found


def _mending(edit: ProposedEdit) -> Fix:
    """The fix that makes a text readable; safe when nothing else can have been meant."""
    return Fix(
        edit.title,
        "safe" if edit.only else "unsafe",
        tuple(Edit(*change) for change in edit.changes),
        # Before it the text has no value at all.
        ((),),
    )
