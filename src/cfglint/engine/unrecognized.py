"""The report on a file that is not known to be of a framework."""

from __future__ import annotations

from cfglint.engine.file_report import FileReport, report_of
from cfglint.engine.lint import LintResult
from cfglint.engine.session import Session
from cfglint.knowledge import recognition
from cfglint.source.text import SourceText


def unrecognized(session: Session, data: bytes, path: str) -> FileReport:
    """The report, without findings.

    Raises:
        RunError: the settings of the file are broken.
    """
    usual = recognition.usual()
    assert usual is not None
    source, case = SourceText.from_bytes(data), session.case(usual, path)
    settings = session.settings(path)
    report = report_of(path, source, LintResult([], {}, 0, None), case, settings)
    return report.of_no_framework()
