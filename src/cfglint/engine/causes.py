"""Which findings are gone once another one of the same file is fixed.

A misspelt `learning_rate` is two findings: a key that nothing reads, and one that is missing. Only
what a key is probably meant for can settle other findings, and only those that name that key; whether
it does is tried on the text.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.diagnostic import Diagnostic, Edit
from cfglint.source.document import Document
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText

#: So many findings of a file are tried; each costs as much as checking the file once more.
_MAX_TRIED = 3
#: Finds what is wrong with a text that is read anew; None if it cannot be read.
Check = Callable[[Document], list[Diagnostic]]


def with_causes(
    diagnostics: list[Diagnostic],
    document: Document,
    read: Callable[[SourceText], Document],
    check: Check,
) -> list[Diagnostic]:
    """The findings, those that another one settles with that one as their cause.

    Args:
        read: reads a text as the document was read.
        check: finds what is wrong with a document.
    """
    causes = [found for found in diagnostics if found.meant and found.file is None]
    if not causes:
        return diagnostics
    naming = _naming(diagnostics)
    settled: dict[int, Diagnostic] = {}
    tried = 0
    for cause in causes:
        effects = [(at, found) for at, found in naming.get(cause.meant, ()) if at not in settled]
        if not effects or tried == _MAX_TRIED:
            continue
        tried += 1
        left = _left_after(cause, document, read, check)
        for at, found in effects:
            if left is not None and left.get((found.code, found.message), 0) == 0:
                settled[at] = found.replaced(cause=(cause.code, cause.span))
    return [settled.get(at, found) for at, found in enumerate(diagnostics)]


def _naming(diagnostics: list[Diagnostic]) -> dict[str, list[tuple[int, Diagnostic]]]:
    """What messages name -> the findings that something else may settle, with their places."""
    found: dict[str, list[tuple[int, Diagnostic]]] = {}
    for at, one in enumerate(diagnostics):
        if not one.meant:
            for name in set(one.message.split("`")[1:-1]):
                found.setdefault(name, []).append((at, one))
    return found


def _left_after(
    cause: Diagnostic,
    document: Document,
    read: Callable[[SourceText], Document],
    check: Check,
) -> dict[tuple[str, str], int] | None:
    """How often each finding is left when a key has the name that is meant; None if that is unclear."""
    from cfglint.fixes.applying import apply_edits

    fix = next((fix for fix in cause.fixes if fix.edits), None)
    edits = [Edit(*cause.span, cause.meant)] if fix is None else list(fix.edits)
    try:
        mended = read(SourceText(apply_edits(document.text, edits)))
    except SourceError:
        return None
    left: dict[tuple[str, str], int] = {}
    for found in check(mended):
        key = (found.code, found.message)
        left[key] = left.get(key, 0) + 1
    return left
