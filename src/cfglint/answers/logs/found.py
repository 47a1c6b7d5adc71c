"""What was found in the configs of a run, and which of it a failure of its log names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from cfglint.answers.logs.failures import Failure
from cfglint.base.record import FrozenDict, Record
from cfglint.diagnostic import Diagnostic
from cfglint.engine.file_report import FileReport
from cfglint.engine.paths import shown_path
from cfglint.source.text import SourceText

#: A word that a failure may name, and those that say nothing.
_TELLING = re.compile(r"(?=.*[A-Za-z])[\w./-]{3,100}")
_IDLE = frozenset({"true", "false", "null", "none", "auto", "type", "name", "path", "model"})


class ConfigFinding(Record):
    """A finding of a config."""

    path: str
    #: From 1.
    line: int
    diagnostic: Diagnostic


class RunConfigs(Record):
    """The configs of a run, and what was found in them."""

    reports: Sequence[FileReport] = ()
    #: Path -> the text of those that are not checked: nothing in them is of a framework.
    unchecked: Mapping[str, SourceText] = FrozenDict()


def findings(reports: Sequence[FileReport]) -> list[ConfigFinding]:
    """All findings of some configs."""
    return [
        ConfigFinding(_path(report, one), _line(report, one), one)
        for report in reports
        for one in report.diagnostics
    ]


def _path(report: FileReport, found: Diagnostic) -> str:
    return shown_path(found.file.path, report.path) if found.file is not None else report.path


def _line(report: FileReport, found: Diagnostic) -> int:
    source = found.file.source if found.file is not None else report.source
    return source.position(found.span.start).line


def places_of(
    found: Iterable[ConfigFinding], failures: Sequence[Failure], reports: Sequence[FileReport]
) -> dict[str, ConfigFinding]:
    """Code -> where the config has the problem: of several places the first one that a failure names, or else the first."""
    sources = _sources(reports)
    first: dict[str, ConfigFinding] = {}
    named: dict[str, ConfigFinding] = {}
    for one in found:
        code = one.diagnostic.code
        if code not in named and any(_names(failure, one, sources) for failure in failures):
            named[code] = one
        first.setdefault(code, one)
    return first | named


def named_in(
    failure: Failure, found: Iterable[ConfigFinding], reports: Sequence[FileReport]
) -> list[ConfigFinding]:
    """The findings whose key the text of a failure has as a word, or the text that they are at."""
    sources = _sources(reports)
    return [one for one in found if _names(failure, one, sources)]


def _sources(reports: Sequence[FileReport]) -> dict[str, SourceText]:
    return {report.path: report.source for report in reports}


def _names(failure: Failure, one: ConfigFinding, sources: Mapping[str, SourceText]) -> bool:
    path, span = one.diagnostic.path, one.diagnostic.span
    source = sources.get(one.path)
    marked = source.text[span.start : span.end].strip("'\"") if source is not None else ""
    words = [str(path[-1]) if path else "", marked]
    return any(_has_word(failure.text, word) for word in words)


def _has_word(text: str, word: str) -> bool:
    """Whether a text has a word that says something: no number, no `true`, nothing of two letters."""
    if not _TELLING.fullmatch(word) or word.lower() in _IDLE:
        return False
    pattern = rf"(?<![\w.-]){re.escape(word)}(?![\w-])"
    return re.search(pattern, text, re.IGNORECASE) is not None
