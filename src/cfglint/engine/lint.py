"""The one function of the engine: a text and its case in, diagnostics out."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.diagnostic import Diagnostic, OtherFile, kin_joined, unique
from cfglint.engine.case import Case
from cfglint.engine.checked_document import CheckedDocument
from cfglint.source.document import Document
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText


class LintResult(Record):
    """All that was found in one text."""

    #: Those that are in another file come last (see `Diagnostic.file`).
    diagnostics: list[Diagnostic]
    #: Fact -> how many rules it would decide.
    undecided: dict[str, int]
    suppressed: int
    #: None when the text could not be read as a configuration.
    document: Document | None


def lint_source(source: SourceText, case: Case) -> LintResult:
    """Check one text.

    Never raises because of the text: what cannot be read is a diagnostic, and so is a
    rule that fails.
    """
    try:
        document = case.framework.parsing.language_for(source.text, case.target.release).read(
            source
        )
    except SourceError as error:
        from cfglint.engine.unreadable import reading_problem

        selection = case.selection
        found = selection.filtered([reading_problem(error, case.framework)])
        return LintResult([d for d in found if selection.has(d.code, d.name)], {}, 0, None)
    return lint_document(document, case)


def lint_document(document: Document, case: Case) -> LintResult:
    """Check a document that is already read."""
    checked = CheckedDocument(document, case)
    selection, knowledge = case.selection, case.framework.knowledge
    diagnostics = _found(checked)
    suppressed = 0
    if "cfglint:" in document.text:
        from cfglint.engine.suppressions import Suppressions

        suppressions = Suppressions.read(document, knowledge.renamed)
        kept = [
            d
            for d in diagnostics
            if not suppressions.cover(_in_own_file(d, document), document.source)
        ]
        suppressed = len(diagnostics) - len(kept)
        extra = suppressions.findings(knowledge, selection)
        diagnostics = kept + [checked.diagnostic(rule, hit) for rule, hit in extra]
    diagnostics = kin_joined(selection.filtered(diagnostics))
    if case.around.launches:
        from cfglint.engine.overrides import adjusted

        diagnostics = adjusted(
            diagnostics,
            document,
            case.replaced(target=checked.target),
            lambda started, there: lint_document(started, there).diagnostics,
        )
    diagnostics.sort(key=_order)
    return LintResult(diagnostics, dict(checked.undecided), suppressed, document)


def unsilenced(document: Document, case: Case) -> list[Diagnostic]:
    """What is found in a document, whatever its comments silence, and whichever commands start it."""
    found = _found(CheckedDocument(document, case))
    return sorted(kin_joined(case.selection.filtered(found)), key=_order)


def _found(checked: CheckedDocument) -> list[Diagnostic]:
    """The findings in a document, at its edges, and of its format."""
    case = checked.case
    diagnostics = checked.findings()
    if case.edges is not None:
        diagnostics = unique([*diagnostics, *case.edges(checked)])
    if checked.document.problems:
        has = case.selection.has
        diagnostics += [found for found in checked.of_format() if has(found.code, found.name)]
    return diagnostics


def _in_own_file(found: Diagnostic, document: Document) -> Diagnostic:
    """A finding where comments of the file itself may refer to it, though another one has its place."""
    span = document.own_span(found.span, found.path) if found.file is None else found.span
    if span is None:
        return found.replaced(file=OtherFile("", document.source))
    return found if span is found.span else found.replaced(span=span)


def _order(found: Diagnostic) -> tuple[str, int, int, str]:
    """The config's own findings by line, then those of each other file."""
    return (found.file.path if found.file else "", found.span.start, found.span.end, found.code)
