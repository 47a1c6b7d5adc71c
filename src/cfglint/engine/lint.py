"""The one function of the engine: a text and a target in, diagnostics out."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cfglint.base.record import Record
from cfglint.diagnostic import Diagnostic, kin_joined, unique
from cfglint.engine.document_run import Run
from cfglint.engine.selection import EVERY_RULE, Selection
from cfglint.engine.unreadable import reading_problem
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import Surroundings, nowhere
from cfglint.framework import Framework
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


#: What is found where a file meets others (see `cfglint.engine.edges`).
Beyond = Callable[[Run, Selection], Iterable[Diagnostic]]


def lint_source(
    source: SourceText,
    framework: Framework,
    target: Environment,
    selection: Selection = EVERY_RULE,
    around: Surroundings | None = None,
    beyond: Beyond | None = None,
) -> LintResult:
    """Check one text.

    Never raises because of the text: what cannot be read is a diagnostic, and so is a
    rule that fails.
    """
    try:
        document = framework.language_for(source.text, target.release).read(source)
    except SourceError as error:
        found = selection.told([reading_problem(error, framework)])
        return LintResult([d for d in found if selection.has(d.code, d.name)], {}, 0, None)
    return lint_document(document, framework, target, selection, around, beyond)


def lint_document(
    document: Document,
    framework: Framework,
    target: Environment,
    selection: Selection = EVERY_RULE,
    around: Surroundings | None = None,
    beyond: Beyond | None = None,
) -> LintResult:
    """Check a document that is already read.

    Args:
        around: what lies around the file; nothing does when it is None.
        beyond: finds problems of the file together with those that belong to it; None skips that.
    """
    around = around or nowhere()
    run = Run(document, framework, target, around)
    diagnostics = run.findings(selection)
    if beyond is not None:
        diagnostics = unique([*diagnostics, *beyond(run, selection)])
    if document.problems:
        diagnostics += [found for found in run.of_format() if selection.has(found.code, found.name)]
    suppressed = 0
    if "cfglint:" in document.text:
        from cfglint.engine.suppressions import Suppressions

        suppressions = Suppressions.read(document, framework.knowledge.renamed)
        kept = [d for d in diagnostics if not suppressions.cover(d, document.source)]
        suppressed = len(diagnostics) - len(kept)
        extra = suppressions.findings(framework.knowledge, selection)
        diagnostics = kept + [run.diagnostic(rule, hit) for rule, hit in extra]
    diagnostics = kin_joined(selection.told(diagnostics))
    if around.launches:
        from cfglint.engine.overrides import adjusted

        diagnostics = adjusted(
            diagnostics,
            document,
            framework,
            run.target,
            around,
            lambda started, where: (
                lint_document(started, framework, run.target, selection, where, beyond).diagnostics
            ),
        )
    diagnostics.sort(key=_order)
    return LintResult(diagnostics, dict(run.undecided), suppressed, document)


def _order(found: Diagnostic) -> tuple[str, int, int, str]:
    """The config's own findings by line, then those of each other file."""
    return (found.file.path if found.file else "", found.span.start, found.span.end, found.code)
