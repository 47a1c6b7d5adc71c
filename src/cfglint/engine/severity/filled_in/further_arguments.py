"""Findings in a script that its own arguments may change: `"$@"` among the options.

What is not written may be among them, so nothing counts as missing, and a default is not known. But a script
is mostly called without any, or with some that have nothing to do with what is wrong: values of the script
that do not go together stay a finding, one step milder.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.diagnostic import Diagnostic, one_lower
from cfglint.source.document import Document
from cfglint.source.languages.shell import is_frame
from cfglint.source.script_arguments import arguments_in, without_arguments
from cfglint.source.text import SourceText


def with_conflicts(
    diagnostics: list[Diagnostic],
    document: Document,
    check: Callable[[SourceText], list[Diagnostic]],
) -> list[Diagnostic]:
    """The findings, and those about values of the script that do not go together unless an argument changes one.

    Args:
        check: the findings in a text that takes the document's place.
    """
    given = arguments_in(document.text)
    if not given:
        return diagnostics
    known = {(one.code, one.span) for one in diagnostics}
    alone = check(SourceText(without_arguments(document.text), bom=document.source.bom))
    return diagnostics + [
        _unless(found, given)
        for found in alone
        if found.severity != "note"
        and (found.code, found.span) not in known
        and _is_conflict(found, document)
    ]


def _is_conflict(found: Diagnostic, document: Document) -> bool:
    """Whether a finding is about several values that are written, and not about what is not."""
    if found.file is not None or not found.path or is_frame(str(found.path[0])):
        return False
    return document.node(found.path) is not None and any(
        one.file is None and one.span != found.span for one in found.related
    )


def _unless(found: Diagnostic, given: str) -> Diagnostic:
    """The finding one step milder, and under which condition it holds."""
    return found.replaced(
        severity=one_lower(found.severity),
        own_severity=found.rule_severity,
        message=f"{found.message} This holds unless an option in `{given}` changes one of them.",
        fixes=(),
    )
