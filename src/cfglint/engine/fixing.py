"""Fixing one text to a fix point, with the linter as the judge of every pass."""

from __future__ import annotations

from cfglint.engine.case import Case
from cfglint.engine.file_report import AppliedFix, FileReport
from cfglint.engine.lint import lint_source
from cfglint.fixes.loop import FixOutcome
from cfglint.fixes.loop import fix_source as fix_to_fix_point
from cfglint.source.text import SourceText


def fix_source(
    source: SourceText, case: Case, *, unsafe: bool = False, trial: bool = False
) -> FixOutcome:
    """Apply the fixes of all findings until none is left to apply.

    Args:
        unsafe: apply also the fixes that a person should review.
        trial: only to see which fixes would be made.
    """
    return fix_to_fix_point(
        source,
        lambda text: lint_source(text, case).diagnostics,
        unsafe=unsafe,
        language=case.framework.parsing.language_for(source.text, case.target, case.around),
        trial=trial,
    )


def with_outcome(report: FileReport, outcome: FixOutcome) -> FileReport:
    """A report with the fixes that were made, and those that were not trusted."""
    return report.replaced(
        fixed=tuple(AppliedFix(fix.code, fix.title, fix.line) for fix in outcome.applied),
        rejected=tuple((fix.code, fix.reason) for fix in outcome.rejected),
    )
