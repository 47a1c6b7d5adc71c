"""Fixing a file whose findings come with the files that lead to it: they are checked again for each text that it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from cfglint.diagnostic import Diagnostic
from cfglint.engine.file_report import FileReport
from cfglint.engine.files_together.other_files import is_silenced
from cfglint.engine.fixing import with_outcome
from cfglint.fixes.loop import fix_source
from cfglint.source.languages.base import Language
from cfglint.source.text import SourceText

#: What is found, wherever that is, in the files that lead to the file at a path if it has a text.
Check = Callable[[str, SourceText], Iterable[Diagnostic]]


def with_other_fixed(
    report: FileReport, check: Check, language: Language, *, unsafe: bool, write: bool
) -> FileReport:
    """The report on a file after the fixes of what is found in it.

    Args:
        report: what was found in it. Rules that are not in it were switched off for the file.
        check: checks the files that lead to it.
    """
    files = [one.file for one in report.diagnostics if one.fix(unsafe=unsafe) and one.file]
    if not files:
        return report
    path, source = files[0].path, report.source
    codes = frozenset(one.code for one in report.diagnostics)

    def inside(text: SourceText) -> list[Diagnostic]:
        return [
            one
            for one in check(path, text)
            if one.file is not None and one.file.path == path and not is_silenced(one, one.file)
        ]

    def as_own(text: SourceText) -> Sequence[Diagnostic]:
        # With what may only be a consequence of fixes.
        return [
            one.replaced(file=None, fixes=one.fixes if one.code in codes else ())
            for one in inside(text)
        ]

    outcome = fix_source(source, as_own, unsafe=unsafe, language=language)
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
    left = tuple(one for one in inside(outcome.source) if one.code in codes)
    return report.replaced(source=outcome.source, diagnostics=left)
