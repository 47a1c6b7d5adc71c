"""What remains of the findings in a file that a search found without being asked for it."""

from __future__ import annotations

import os
from collections.abc import Callable

from cfglint.base.record import Record
from cfglint.diagnostic import Diagnostic, as_note
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.engine.severity.filled_in.left_blank import as_notes_if_blank
from cfglint.engine.severity.no_run import (
    cannot_start,
    given_up,
    never_imported,
    never_launched,
    of_other_project,
    of_tests,
    other_strategy,
    out_of_use,
    set_aside,
    unlike_siblings,
    unnamed,
    without_reader,
    without_trainer,
    written_by_programs,
    written_by_scripts,
)
from cfglint.engine.severity.no_run.searched_file import SearchedFile
from cfglint.environment.project.mentioned import is_mentioned
from cfglint.environment.project_texts import CONFIGS
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge import compiled
from cfglint.knowledge.marks import marks_of
from cfglint.knowledge.upstream import origin_of
from cfglint.source.document import Document
from cfglint.source.files.folders import climb
from cfglint.source.files.scripts import PAGES, SCRIPTS
from cfglint.source.text import MAX_BYTES


class Reason(Record):
    """Why no run meets what is found in a file, as a sentence, and which findings it is about."""

    #: The sentence; empty where the reason does not hold.
    why: Callable[[SearchedFile], str]
    #: The ends of the names of the files that it may hold for.
    endings: tuple[str, ...] = ("",)
    #: Whether it may hold for a file that a command starts.
    even_if_started: bool = False
    #: The findings that it is about.
    about: Callable[[Diagnostic], bool] = lambda found: True
    #: Whether a note stays, which is worth nothing where no run is.
    keeps_notes: bool = True

    def weighed(self, found: list[Diagnostic], file: SearchedFile) -> list[Diagnostic]:
        """The findings, those in the file itself as notes if the reason holds."""
        started = file.around.launches and not self.even_if_started
        if started or not file.name.endswith(self.endings) or not any(map(self._changes, found)):
            return found
        sentence = self.why(file)
        if not sentence:
            return found
        kept = [one for one in found if one.severity != "note" or not self._changes(one)]
        return [as_note(one, sentence) if self._changes(one) else one for one in kept]

    def _changes(self, found: Diagnostic) -> bool:
        is_note = found.severity == "note" and self.keeps_notes
        return found.file is None and not is_note and self.about(found)


#: In this order: the first one that holds is the one that is named.
_REASONS = (
    Reason(unnamed.why_unnamed, CONFIGS, keeps_notes=False),
    Reason(without_reader.why_without_reader, about=without_reader.is_for_processes),
    Reason(out_of_use.why_out_of_use),
    Reason(written_by_scripts.why_written_anew, even_if_started=True),
    Reason(written_by_programs.why_output, CONFIGS),
    Reason(of_tests.why_a_test, (".py",)),
    Reason(never_imported.why_never_reached, (".py",)),
    Reason(given_up.why_given_up, even_if_started=True),
    Reason(set_aside.why_set_aside, (".py", ".ipynb")),
    Reason(unlike_siblings.why_incomplete, (".yaml", ".yml")),
    Reason(other_strategy.why_other_strategy),
    Reason(never_launched.why_never_launched, CONFIGS),
    Reason(of_other_project.why_of_others, even_if_started=True),
    Reason(without_trainer.why_nothing_trains, (".py",), even_if_started=True),
    Reason(cannot_start.why_cannot_start, (".py", *SCRIPTS), even_if_started=True),
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
        if origin and not (_is_run(case.around, case.framework.name) or _may_run(origin, case)):
            report = report.as_copy(origin, is_started=bool(case.around.launches))
            if not report.diagnostics:
                return report
    if document is not None:
        report = as_notes_if_blank(report, document)
    if case.around.folder is None:
        return report
    found, file = list(report.diagnostics), SearchedFile(report, case, case.around.folder)
    for reason in _REASONS:
        found = reason.weighed(found, file)
    return report.replaced(diagnostics=tuple(found))


def _owner_of(around: Surroundings) -> str:
    """Whose a file is that is in the project and configures no run of it; empty for its own."""
    if around.folder is None:
        return ""
    from cfglint.environment.project.foreign_files import owner_of

    return owner_of(around)


def _may_run(origin: str, case: Case) -> bool:
    """Whether a program is an example of a framework, and another file has its name: it is run as it is.

    People copy all examples, and start with one.
    """
    rows = compiled.load("frameworks").FRAMEWORKS.values()
    is_example = case.around.path.endswith(".py") and origin in {row["title"] for row in rows}
    return is_example and is_mentioned(case.around)


def _is_run(around: Surroundings, framework: str) -> bool:
    """Whether a command of the project starts a file, so that it is the project's run, wherever the file is from.

    The framework's own repository has commands for its examples, and so has a copy of them. What a page has is an example.
    """
    starting = {line.path for line in around.launches if not line.path.lower().endswith(PAGES)}
    if not starting or around.folder is None:
        return False
    if all(origin_of(around.files.read(path, MAX_BYTES)) is not None for path in starting):
        return False

    root, _ = climb(around.folder, around.files)
    own = [name for name in marks_of(framework).version_files if "/" in name]
    return not any(around.files.is_file(os.path.join(root, *name.split("/"))) for name in own)
