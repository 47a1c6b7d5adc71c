"""What is wrong with the options of commands that a program starts: `subprocess.run(["tool", "train", "--lr", …])`.

Each is checked like the line of a script, with what its branches add one after the other. Nothing is repaired.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.diagnostic import Diagnostic, unique
from cfglint.engine.file_report import FileReport, report_of
from cfglint.engine.files_together.left_out import why_left_out
from cfglint.engine.lint import LintResult, lint_source
from cfglint.knowledge import recognition
from cfglint.source.command_script import CommandScript
from cfglint.source.problems import SourceError
from cfglint.source.python_commands import ProgramCommand, commands_of
from cfglint.source.text import SourceText

if TYPE_CHECKING:
    from cfglint.engine.session import Session

#: The language of the commands.
_SCRIPTS = "shell"
#: Options with which a command only tells of itself.
_ASKING = frozenset({"--help", "-h", "--version"})
#: No real program starts as many.
_MAX_COMMANDS = 12
#: Of one command.
_MAX_BRANCHES = 6


class _CheckedProgram(Record):
    """A program whose commands are checked."""

    source: SourceText
    data: bytes
    path: str
    session: Session
    #: Whether the user named the file, and no folder above it.
    named: bool


def with_commands(
    check: Callable[[], FileReport | None],
    data: bytes,
    path: str,
    session: Session,
    *,
    named: bool,
) -> FileReport | None:
    """The report on a program, with what is found in the commands that it starts.

    Args:
        check: gives the report on all else.
        named: whether the user named the file, and no folder above it.
    """
    from cfglint.engine.session import UnrecognizedError

    refusal: UnrecognizedError | None = None
    try:
        report = check()
    except UnrecognizedError as error:
        report, refusal = None, error
    try:
        source = report.source if report is not None else SourceText.from_bytes(data)
    except SourceError:
        return report
    found = _report(_CheckedProgram(source, data, path, session, named))
    if found is None:
        if refusal is not None:
            raise refusal
        return report
    if report is None:
        return found
    both = unique([*report.diagnostics, *found.diagnostics])
    both.sort(key=lambda one: (one.file is not None, one.span.start, one.span.end, one.code))
    return report.replaced(
        diagnostics=tuple(both),
        elsewhere=(*report.elsewhere, *found.elsewhere),
        suppressed=report.suppressed + found.suppressed,
    )


def _report(program: _CheckedProgram) -> FileReport | None:
    """The report on the commands of a program; None if it has none whose options are read."""
    every = (_of_command(command, program) for command in commands_of(program.source.text))
    reports = list(islice(filter(None, every), _MAX_COMMANDS))
    if not reports:
        return None
    first = reports[0]
    found = unique(one for report in reports for one in report.diagnostics)
    return first.replaced(
        diagnostics=tuple(found),
        elsewhere=tuple(one for report in reports for one in report.elsewhere),
        suppressed=sum(report.suppressed for report in reports),
    )


def _of_command(command: ProgramCommand, program: _CheckedProgram) -> FileReport | None:
    """The report on one command; None for one that starts no program whose options are read."""
    source, path, session = program.source, program.path, program.session
    script = CommandScript(command, 0, source.text)
    if any(word.text in _ASKING for word in script.words):
        return None
    name = recognition.of_text(script.text, _SCRIPTS)
    if name is None:
        return None
    case = session.case(name, path, language=_SCRIPTS)
    result = lint_source(SourceText(script.text), case)
    document = result.document
    if document is None or not case.framework.own_files.recognizes(document):
        return None
    if not program.named and why_left_out(None, case):
        return None
    found = list(_in_program(result, script))
    for branch in command.branches[:_MAX_BRANCHES]:
        script = CommandScript(command, branch, source.text)
        found += _in_program(lint_source(SourceText(script.text), case), script)
    result = result.replaced(diagnostics=unique(found))
    report = report_of(path, source, result, case, session.settings(path))
    if not program.named and report.diagnostics:
        from cfglint.engine.severity.no_run.search import of_search

        folds = session.options.folds_copies
        report = of_search(report, program.data, document, case, folds_copies=folds)
    return report.replaced(undecided={}, open_rules={})


def _in_program(result: LintResult, script: CommandScript) -> Iterator[Diagnostic]:
    """The findings about a command's words, at their places in the program."""
    for one in result.diagnostics:
        span = one.span if one.file is not None else script.own_span(one.span)
        if span is None:
            continue
        related = (
            each if each.file is not None else each.replaced(span=place)
            for each in one.related
            if each.file is not None or (place := script.own_span(each.span)) is not None
        )
        yield one.replaced(span=span, related=tuple(related), fixes=())
