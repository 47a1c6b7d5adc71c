"""The reports on the files of other frameworks that a file names."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport, Named, report_of
from cfglint.engine.files_together.edges import beyond, known_better
from cfglint.engine.files_together.other_files import split
from cfglint.engine.lint import lint_source
from cfglint.engine.paths import shown_path
from cfglint.engine.session import Session
from cfglint.knowledge import recognition
from cfglint.source.document import Document
from cfglint.source.files.pointers import is_pointer
from cfglint.source.problems import SourceError
from cfglint.source.text import MAX_BYTES, SourceText

_YAML = (".yaml", ".yml")


def with_named(
    report: FileReport, document: Document, case: Case, session: Session, in_run: Collection[str]
) -> FileReport:
    """The report on a file with those on the files that it names.

    Args:
        in_run: the files that are checked on their own account, links resolved; they are only listed.
    """
    references = case.framework.readings.references(document, case.around)
    named, reports = [], []
    for reference in references:
        if reference.path is None:
            continue
        other = session.framework(reference.framework)
        better = known_better(case.framework, other.name)
        path = shown_path(reference.path, report.path)
        real = session.files.real(reference.path)
        language = recognition.language_of(reference.path)
        if real in in_run and not recognition.is_other_programs(other.name, language):
            of_format = session.memory.once(
                ("format of a named file", real, case.framework.name),
                partial(_of_format, other.name, path, case, session),
            )
            judged = _judged(other.name, path, case, session)
            named.append(Named(path, other.name, other.title, better, of_format, judged))
            continue
        named.append(Named(path, other.name, other.title, better))
        if real in in_run and path.lower().endswith(_YAML):
            continue  # it is right for its own reader; who names it has a finding of its own
        own = _second(other.name, path, case, session)
        if own is not None:
            own = split(own)  # what it finds in a third file
            reports += [own.replaced(elsewhere=()), *own.elsewhere]
    if not named:
        return report
    return report.replaced(names=tuple(named), elsewhere=(*reports, *report.elsewhere))


def _second(name: str, path: str, first: Case, session: Session) -> FileReport | None:
    """What the framework of a second file finds in it; None when it cannot be read."""
    try:
        data = first.around.files.read(path, MAX_BYTES + 1)
        source = SourceText.from_bytes(data)
    except (OSError, SourceError):
        return None
    if is_pointer(data):
        return None
    case = session.case(name, path)
    case = case.replaced(
        target=beyond(first.target, case.framework),
        around=case.around.replaced(named_by=first.framework.name),
    )
    return report_of(path, source, lint_source(source, case), case, session.settings(path))


def _judged(name: str, path: str, first: Case, session: Session) -> FileReport | None:
    """The report on a second file for the release that the first one's asks for, if nothing else states one."""
    own = session.case(name, path)
    target = beyond(first.target, own.framework)
    if not own.target.is_unstated or target.is_newest_by_default:
        return None
    return session.memory.once(
        ("judged as named", session.files.real(path), first.framework.name, target.release),
        partial(_second, name, path, first, session),
    )


def _of_format(name: str, path: str, first: Case, session: Session) -> tuple[Diagnostic, ...]:
    """The findings about the format of a second file that is checked on its own account, too."""
    report = _second(name, path, first, session)
    if report is None:
        return ()
    from cfglint.source.json_problems import JsonProblemKind

    # Who reads a file decides about these.
    of_format = {*(kind.value for kind in JsonProblemKind), "duplicate-json-key"}
    return tuple(found for found in report.diagnostics if found.name in of_format)
