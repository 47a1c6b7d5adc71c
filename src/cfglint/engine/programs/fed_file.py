"""A file that is no framework's config, and that programs of the project load and give parts of to their calls."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport, report_of
from cfglint.engine.files_together.other_files import is_silenced
from cfglint.engine.lint import LintResult, lint_source
from cfglint.engine.programs.feeds import files_given
from cfglint.engine.session import Session
from cfglint.environment.project_texts import programs_with
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge import recognition
from cfglint.source.calls import HYDRA, Feed
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText


class FedFile(Record):
    """What the programs of a project show about a file."""

    report: FileReport
    #: A program that shows all of the findings, or the first one if none does.
    program: SourceText
    #: What it is checked with.
    case: Case


def fed_file(
    path: str,
    source: SourceText,
    around: Surroundings,
    session: Session,
    in_run: Collection[str],
    names: Collection[Any] | None = None,
) -> FedFile | None:
    """What programs of the project show about a file; None if none certainly gives a part of it to a call.

    Args:
        names: the keys of a file that looks like a framework's: a program has to take most of them. Hydra's are left to
            the framework.
        in_run: the files that are checked on their own account, links resolved; what these show is reported with them.
    """
    real = session.files.real(os.path.abspath(path))
    found: FedFile | None = None
    for program, text in programs_with(path, around):
        name = recognition.of_file(program, text, "python")
        if name is None:
            continue
        case = session.case(name, program)
        if not case.framework.row["of_sections"]:
            continue
        own = SourceText(text)
        feeds = [
            feed
            for one, feed in _given(own, case)
            if session.files.real(os.path.abspath(one)) == real
        ]
        if not feeds or (names is not None and not _are_most(names, feeds)):
            continue
        is_shown = session.files.real(program) in in_run
        # Of several files that commands give to the program, this one.
        with_this = case.replaced(around=case.around.replaced(fed_with=os.path.abspath(path)))
        shown = () if is_shown else tuple(_findings(own, with_this, real, session))
        if found is None:
            result = LintResult([], {}, 0, None)
            report = report_of(path, source, result, case, session.settings(program))
            found = FedFile(report.replaced(diagnostics=shown), own, case)
        else:
            known = {(one.code, one.span) for one in found.report.diagnostics}
            more = (one for one in shown if (one.code, one.span) not in known)
            report = found.report.replaced(diagnostics=(*found.report.diagnostics, *more))
            found = found.replaced(report=report)
    return found


def _given(program: SourceText, case: Case) -> list[tuple[str, Feed]]:
    """The files that calls of a program are given parts of."""
    try:
        document = case.framework.language.read(program)
    except SourceError:
        return []
    return list(files_given(document, case.around))


def _are_most(names: Collection[Any], feeds: list[Feed]) -> bool:
    """Whether a program takes most keys of a file for its calls, or by their names."""
    plain = [feed for feed in feeds if feed.language != HYDRA]
    if any(not feed.at and not feed.keyword for feed in plain):
        return True
    taken = {path[0] for feed in plain for path in (feed.at, *feed.read) if path}
    return len(taken.intersection(names)) * 2 >= len(names)


def _findings(program: SourceText, case: Case, real: str, session: Session) -> Iterator[Diagnostic]:
    """What a program shows about a file."""
    for one in lint_source(program, case).diagnostics:
        file = one.file
        if file is None or session.files.real(os.path.abspath(file.path)) != real:
            continue
        if not is_silenced(one, file):
            yield one
        elif case.selection.unsilenced:
            yield one.replaced(fixes=())
