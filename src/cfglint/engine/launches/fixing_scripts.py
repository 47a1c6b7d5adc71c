"""Fixing the scripts that start the checked configs, once all configs are checked.

A script may start several configs, and what is wrong with a command shows with its config. So a script is fixed with
all of them as the judge, and the project is read again for each text that it takes on the way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from cfglint.diagnostic import Diagnostic
from cfglint.engine.file_report import FileReport
from cfglint.engine.files_together.fixing_other import with_other_fixed
from cfglint.engine.lint import lint_source
from cfglint.engine.session import Session
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
    def check(path: str, text: SourceText) -> Collection[Diagnostic]:
        over = session.over(Overlay({path: text.to_bytes()}, session.files))
        found: dict[object, Diagnostic] = {}
        for started, framework in report.found_with:
            try:
                config = SourceText.from_bytes(over.files.read(started, MAX_BYTES))
            except (OSError, SourceError):
                continue
            case = over.case(framework, started)
            found |= {one.key: one for one in lint_source(config, case).diagnostics}
        return found.values()

    return with_other_fixed(report, check, language(SHELL), unsafe=unsafe, write=write)
