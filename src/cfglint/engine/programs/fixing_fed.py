"""Fixing a file of which a program gives parts to its calls, with the findings of the program as the judge."""

from __future__ import annotations

from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.engine.files_together.fixing_other import with_other_fixed
from cfglint.engine.lint import lint_source
from cfglint.environment.surroundings import Memory
from cfglint.source.files.overlay import Overlay
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText


def fix_fed(
    report: FileReport, program: SourceText, case: Case, *, unsafe: bool, write: bool
) -> FileReport:
    """The report on a file that is not a program's own, after the fixes of what it gives to the calls.

    Args:
        case: what the program is checked with.
        unsafe: apply also the fixes that a person should review.
        write: change the file.
    """

    def check(path: str, text: SourceText) -> list[Diagnostic]:
        files = Overlay({path: text.to_bytes()}, case.around.files)
        around = case.around.replaced(files=files, memory=Memory())
        return lint_source(program, case.replaced(around=around)).diagnostics

    name = "json" if report.path.lower().endswith(".json") else "yaml"
    return with_other_fixed(report, check, language(name), unsafe=unsafe, write=write)
