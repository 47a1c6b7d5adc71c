"""Fixing a file of which a program gives parts to its calls, with the findings of the program as the judge."""

from __future__ import annotations

from collections.abc import Sequence

from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.engine.files_together.other_files import is_silenced
from cfglint.engine.fixing import with_outcome
from cfglint.engine.lint import lint_source
from cfglint.environment.surroundings import Memory
from cfglint.fixes.loop import fix_source
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
    files = [one.file for one in report.diagnostics if one.fix(unsafe=unsafe) and one.file]
    if not files:
        return report
    path, source = files[0].path, report.source
    fed = _FedFile(path, program, case, frozenset(one.code for one in report.diagnostics))
    name = "json" if path.lower().endswith(".json") else "yaml"
    outcome = fix_source(source, fed.as_own, unsafe=unsafe, language=language(name))
    report = with_outcome(report, outcome)
    if outcome.source.text == source.text:
        return report
    report = report.replaced(fixed_source=outcome.source, original=source)
    if not write:
        return report
    from cfglint.fixes.writing import write_file

    written = write_file(path, source.to_bytes(), outcome.source.to_bytes())
    if not written.written:
        return report.replaced(not_written=written.reason, fixed=())
    left = tuple(fed.findings(outcome.source))
    return report.replaced(source=outcome.source, diagnostics=left)


class _FedFile:
    """A file of which a program gives parts to its calls.

    Args:
        path: where it is.
        program: the text of the program.
        case: what the program is checked with.
        codes: the rules that were not switched off for the file.
    """

    def __init__(self, path: str, program: SourceText, case: Case, codes: frozenset[str]) -> None:
        self._path = path
        self._program = program
        self._case = case
        self._codes = codes

    def findings(self, text: SourceText) -> list[Diagnostic]:
        """What the program shows about the file if that has a text."""
        return [one for one in self._all(text) if one.code in self._codes]

    def as_own(self, text: SourceText) -> Sequence[Diagnostic]:
        """The same as if it were the file that is checked, with what may only be a consequence of fixes."""
        return [
            one.replaced(file=None, fixes=one.fixes if one.code in self._codes else ())
            for one in self._all(text)
        ]

    def _all(self, text: SourceText) -> list[Diagnostic]:
        files = Overlay({self._path: text.to_bytes()}, self._case.around.files)
        around = self._case.around.replaced(files=files, memory=Memory())
        found = lint_source(self._program, self._case.replaced(around=around)).diagnostics
        return [
            one
            for one in found
            if one.file is not None
            and one.file.path == self._path
            and not is_silenced(one, one.file)
        ]
