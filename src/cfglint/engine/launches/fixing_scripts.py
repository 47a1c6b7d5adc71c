"""Fixing the scripts that start the checked configs, once all configs are checked.

A script may start several configs, and what is wrong with a command shows with its config. So a script is fixed with
all of them as the judge, and the project is read again for each text that it takes on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cfglint.diagnostic import Diagnostic
from cfglint.engine.file_report import FileReport
from cfglint.engine.files_together.other_files import is_silenced
from cfglint.engine.fixing import with_outcome
from cfglint.engine.lint import lint_source
from cfglint.engine.session import Session
from cfglint.fixes.loop import fix_source
from cfglint.knowledge.recognition import language_of
from cfglint.source.files.overlay import Overlay
from cfglint.source.languages.named import language
from cfglint.source.problems import SourceError
from cfglint.source.text import MAX_BYTES, SourceText

SHELL = "shell"


def with_scripts_fixed(files: list[FileReport], session: Session) -> list[FileReport]:
    """The reports of a run, those on scripts after the fixes of what they do with the checked configs.

    Whether there are any, and what becomes of the files, is in the session's options.
    """
    options = session.options
    if not (options.fix or options.diff):
        return files
    write = session.files.writable and not options.diff
    return [*_with_fixes(files, session, unsafe=options.unsafe_fixes, write=write)]


def _with_fixes(
    files: Sequence[FileReport], session: Session, *, unsafe: bool, write: bool
) -> Iterator[FileReport]:
    for report in files:
        is_waiting = report.found_with and report.fixed_source is None and not report.fixed
        if is_waiting and language_of(report.path) == SHELL:
            yield _fixed(report, session, unsafe=unsafe, write=write)
        else:
            yield report


def _fixed(report: FileReport, session: Session, *, unsafe: bool, write: bool) -> FileReport:
    files = [one.file for one in report.diagnostics if one.fix(unsafe=unsafe) and one.file]
    if not files:
        return report
    path, source = files[0].path, report.source
    script = _Script(path, report, session)
    outcome = fix_source(source, script.as_own, unsafe=unsafe, language=language(SHELL))
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
    left = script.findings(outcome.source)
    return report.replaced(source=outcome.source, diagnostics=tuple(left))


class _Script:
    """A script, and what is found in it when the configs that it starts are checked.

    Args:
        path: where it is.
        report: what was found in it.
    """

    def __init__(self, path: str, report: FileReport, session: Session) -> None:
        self._path = path
        self._session = session
        # Those that were not switched off for the file.
        self._codes = frozenset(one.code for one in report.diagnostics)
        self._started = report.found_with

    def findings(self, text: SourceText) -> list[Diagnostic]:
        """What is found in it if it has a text."""
        return [one for one in self._all(text) if one.code in self._codes]

    def as_own(self, text: SourceText) -> Sequence[Diagnostic]:
        """The same as if it was checked itself, with what may only be a consequence of fixes."""
        return [
            one.replaced(file=None, fixes=one.fixes if one.code in self._codes else ())
            for one in self._all(text)
        ]

    def _all(self, text: SourceText) -> list[Diagnostic]:
        session = self._session.over(Overlay({self._path: text.to_bytes()}, self._session.files))
        found: dict[object, Diagnostic] = {}
        for path, framework in self._started:
            try:
                config = SourceText.from_bytes(session.files.read(path, MAX_BYTES))
            except (OSError, SourceError):
                continue
            for one in lint_source(config, session.case(framework, path)).diagnostics:
                file = one.file
                if file is not None and file.path == self._path and not is_silenced(one, file):
                    found[one.key] = one
        return list(found.values())
