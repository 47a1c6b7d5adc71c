"""What remains of the findings in a file that a search found without being asked for it."""

from __future__ import annotations

import os
from collections.abc import Callable

from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.engine.severity.given_up import why_given_up
from cfglint.engine.severity.left_blank import as_notes_if_blank
from cfglint.engine.severity.never_imported import why_never_reached
from cfglint.engine.severity.never_launched import why_never_launched
from cfglint.engine.severity.of_other_project import why_of_others
from cfglint.engine.severity.of_tests import why_a_test
from cfglint.engine.severity.out_of_use import why_out_of_use
from cfglint.engine.severity.set_aside import why_set_aside
from cfglint.engine.severity.unlike_siblings import why_incomplete
from cfglint.engine.severity.unnamed import as_notes_if_unnamed
from cfglint.engine.severity.without_reader import as_notes_without_reader
from cfglint.engine.severity.without_trainer import why_nothing_trains
from cfglint.engine.severity.written_by_programs import why_output
from cfglint.engine.severity.written_by_scripts import why_written_anew
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge.marks import marks_of
from cfglint.knowledge.upstream import origin_of
from cfglint.source.document import Document
from cfglint.source.files.folders import climb
from cfglint.source.text import MAX_BYTES

#: The ends of the names of pages.
_PAGES = (".md", ".rst")
#: Each gives a sentence on why no run meets what is found in a file, or nothing.
_WHY_NO_RUN: tuple[Callable[[FileReport, Case], str], ...] = (
    *(why_out_of_use, why_written_anew, why_output, why_a_test, why_never_reached, why_given_up),
    *(why_set_aside, why_incomplete, why_never_launched, why_of_others, why_nothing_trains),
)


def of_search(
    report: FileReport, data: bytes, document: Document | None, case: Case, *, folds_copies: bool
) -> FileReport:
    """The report on a file with what it is for in mind.

    Args:
        data: the contents of the file.
        document: what they are read as; None if they cannot be read.
        folds_copies: whether the findings in copies of a framework's own files are left to a line of the summary.
    """
    if folds_copies:
        origin = origin_of(data) or _owner_of(case.around)
        if origin and not _is_run(case.around, case.framework.name):
            report = report.as_copy(origin, is_started=bool(case.around.launches))
            if not report.diagnostics:
                return report
    if document is not None:
        report = as_notes_if_blank(report, document)
    report = as_notes_without_reader(as_notes_if_unnamed(report, case), case)
    for why in _WHY_NO_RUN:
        if all(found.severity == "note" for found in report.diagnostics):
            break
        reason = why(report, case)
        if reason:
            report = report.as_notes(reason)
    return report


def _owner_of(around: Surroundings) -> str:
    """Whose a file is that is in the project and configures no run of it; empty for its own."""
    if around.folder is None:
        return ""
    from cfglint.environment.project.foreign_files import owner_of

    return owner_of(around)


def _is_run(around: Surroundings, framework: str) -> bool:
    """Whether a command of the project starts a file, so that it is the project's run, wherever the file is from.

    The framework's own repository has commands for its examples, and so has a copy of them. What a page has is an example.
    """
    starting = {line.path for line in around.launches if not line.path.lower().endswith(_PAGES)}
    if not starting or around.folder is None:
        return False
    if all(origin_of(around.files.read(path, MAX_BYTES)) is not None for path in starting):
        return False

    root, _ = climb(around.folder, around.files)
    own = [name for name in marks_of(framework).version_files if "/" in name]
    return not any(around.files.is_file(os.path.join(root, *name.split("/"))) for name in own)
