"""One line per finding, for `grep` and editors."""

from __future__ import annotations

from cfglint.diagnostic import Diagnostic
from cfglint.engine.file_report import FileReport
from cfglint.report import fixed
from cfglint.report.escaping import visible, visible_path
from cfglint.report.run import RunReport


def render(run: RunReport) -> str:
    """`path:line:column: severity CODE message`; of repairs alone, `path:line: fixed CODE title`."""
    if run.only_fixes and run.files:
        return "".join(f"{one}\n" for one in (*fixed.lines(run), fixed.counted(run)))
    return "".join(
        f"{line(run, file, found)}\n" for file in run.files for found in file.diagnostics
    )


def line(run: RunReport, file: FileReport, found: Diagnostic) -> str:
    """One finding in one line."""
    at = file.source.position(found.span.start)
    mark = " [*]" if found.fix(unsafe=run.unsafe_fixes) else ""
    where = f"{visible_path(file.path)}:{at.line}:{at.column}"
    return f"{where}: {found.severity} {found.code}{mark} {visible(found.message)}"
