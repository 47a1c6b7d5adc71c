"""From a log and the configs of its run to the causes of its end."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, islice

from cfglint.base.record import Record
from cfglint.base.type_names import IO
from cfglint.diagnostic import Diagnostic
from cfglint.engine.file_report import FileReport
from cfglint.logs.causes import ProbableCause, Symptoms, ordered
from cfglint.logs.failures import Failure, failures
from cfglint.logs.lines import lines
from cfglint.logs.parts import parts
from cfglint.logs.stated import MAX_LINES, LogFacts, stated

#: Causes that are worth reading.
_MAX_CAUSES = 5


class ConfigFinding(Record):
    """A finding of a config."""

    path: str
    #: From 1.
    line: int
    diagnostic: Diagnostic


class RunDiagnosis(Record):
    """What is known about the end of a run."""

    failures: tuple[Failure, ...]
    #: The most probable first.
    causes: tuple[ProbableCause, ...]
    #: Code -> where the config has the problem.
    places: dict[str, ConfigFinding]
    #: Errors of the config that no failure of the log is a symptom of.
    other_errors: tuple[ConfigFinding, ...]
    stated: LogFacts


def diagnose(stream: IO[bytes], check: Callable[[LogFacts], list[FileReport]]) -> RunDiagnosis:
    """What a log says about the end of its run.

    Args:
        check: the reports on the configs of the run, given what the log states.
    """
    read = (line for line in lines(parts(stream)) if line.text)
    head = list(islice(read, MAX_LINES))
    known = stated(head)
    met = failures(chain(head, read))
    found = [
        ConfigFinding(one.file.path if one.file else report.path, _line(report, one), one)
        for report in check(known)
        for one in report.diagnostics
    ]
    places: dict[str, ConfigFinding] = {}
    for one in found:
        places.setdefault(one.diagnostic.code, one)
    causes = ordered(_decided(Symptoms().causes(met), places, bool(found)), places.__contains__)
    causes = causes[:_MAX_CAUSES]
    named = {code for cause in causes for code in cause.codes}
    errors = [
        one
        for one in found
        if one.diagnostic.severity == "error" and one.diagnostic.code not in named
    ]
    return RunDiagnosis(tuple(met), tuple(causes), places, tuple(errors), known)


def _line(report: FileReport, found: Diagnostic) -> int:
    source = found.file.source if found.file is not None else report.source
    return source.position(found.span.start).line


def _decided(
    causes: list[ProbableCause], places: dict[str, ConfigFinding], has_config: bool
) -> list[ProbableCause]:
    """Each cause with the rules that the config has the problem of, if it has that of any."""
    out = []
    for cause in causes:
        rows = [row for row in zip(cause.codes, cause.frameworks, strict=True) if row[0] in places]
        if rows and has_config:
            codes, frameworks = zip(*rows, strict=True)
            cause = cause.replaced(codes=codes, frameworks=frameworks)
        out.append(cause)
    return out
